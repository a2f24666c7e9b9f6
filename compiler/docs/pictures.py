"""Pictures of workflows to what a template gets of them."""

from __future__ import annotations

from collections.abc import Mapping

from newel.compiler.counting import counted
from newel.compiler.docs.addresses import finished
from newel.compiler.docs.forms import HTML, MARKDOWN, PICTURE
from newel.compiler.docs.shape import Picture, StagePicture
from newel.compiler.exports.folding import part
from newel.compiler.exports.mermaid import drawn_by_github, mermaid
from newel.compiler.exports.picture import FULL_EFFORT
from newel.compiler.exports.picture import Picture as Drawn
from newel.compiler.exports.stages import Stage, homes, overview, stages
from newel.compiler.exports.svg import Drawing, drawings
from newel.compiler.exports.ways import Ways

NONE: Picture = {"svg": "", "mermaid": "", "width": 0, "looks": [], "note": "", "file": "", "whole": "", "stages": []}

_IN_ONE = 40
"""Steps above which a page has the stages one by one, to be unfolded: below, they are in one picture."""
_LOOKS = ("automatic", "guarded", "approval", "pull")


def svgs(drawn: Mapping[str, Drawn], dot: str | None) -> list[Picture]:
    """As SVG, by the stems of their pages, all of them laid out together. Large ones are an overview with a picture for
    each stage."""
    return [_svg(page, each) for page, each in zip(drawn, drawings(list(drawn.values()), dot), strict=True)]


def _svg(page: str, drawing: Drawing) -> Picture:
    sheet, address = drawing.sheet, finished(page, HTML.suffix)
    apart = len(sheet.picture.boxes) > _IN_ONE or sheet.picture.size > FULL_EFFORT
    found = sheet.stages if apart else ()
    made = _picture(sheet.picture, svg=drawing.overview() if found else drawing.whole())
    if any(box.sort == "elsewhere" for piece in sheet.pieces for box in piece.boxes):
        made["looks"].append("between")
    made["stages"] = [_stage(stage, address, svg=drawing.stage(stage)) for stage in found]
    made["file"] = finished(page, PICTURE.suffix)
    made["whole"] = drawing.whole().replace('href="#', f'href="{address}#')
    return made


def _picture(shown: Drawn, *, svg: str = "", mermaid: str = "", note: str = "") -> Picture:
    drawn: Picture = {**NONE, "svg": svg, "mermaid": mermaid, "note": note, "stages": []}
    return {**drawn, "width": _width(svg) if svg else 0, "looks": _looks(shown)}


def _looks(shown: Drawn) -> list[str]:
    there = {arrow.look for arrow in shown.arrows}
    return [look for look in _LOOKS if look in there]


def _width(svg: str) -> int:
    return round(float(svg.partition(' width="')[2].partition('"')[0]))


def _stage(stage: Stage, address: str, *, svg: str = "", mermaid: str = "", note: str = "") -> StagePicture:
    return {
        "title": stage.title,
        "anchor": stage.id,
        "steps": len(stage.boxes),
        "links": [{"text": box.title, "href": f"{address}#{box.id}"} for box in stage.boxes],
        "svg": svg,
        "mermaid": mermaid,
        "width": _width(svg) if svg else 0,
        "note": note,
    }


def mermaids(drawn: Mapping[str, Drawn]) -> list[Picture]:
    """As Mermaid, by the stems of their pages. What is more than GitHub draws is an overview with a picture for each
    stage."""
    return [_mermaid(page, each) for page, each in drawn.items()]


def _mermaid(page: str, shown: Drawn) -> Picture:
    found = stages(shown)
    text = mermaid(shown, found)
    if drawn_by_github(shown, text):
        return _picture(shown, mermaid=text)
    if not found:
        return _picture(shown, note=_too_many(shown))
    over, ways, where = overview(shown, found), Ways(shown), homes(found)
    text = mermaid(over)
    made = _picture(shown, mermaid=text) if drawn_by_github(over, text) else _picture(shown, note=_too_many(over))
    made["stages"] = [
        _drawn_stage(stage, finished(page, MARKDOWN.suffix), part(shown, stage.boxes, ways, where)) for stage in found
    ]
    return made


def _drawn_stage(stage: Stage, address: str, shown: Drawn) -> StagePicture:
    text = mermaid(shown)
    if drawn_by_github(shown, text):
        return _stage(stage, address, mermaid=text)
    return _stage(stage, address, note=_too_many(shown))


def _too_many(shown: Drawn) -> str:
    counts = f"{counted(len(shown.boxes), 'step')} and {counted(len(shown.arrows), 'arrow')}"
    return f"{counts} are more than GitHub draws of Mermaid."
