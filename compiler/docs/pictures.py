"""Pictures of workflows to what a template gets of them."""

from __future__ import annotations

from collections.abc import Sequence

from newel.compiler.counting import counted
from newel.compiler.docs.shape import Picture, StagePicture
from newel.compiler.exports.folding import part
from newel.compiler.exports.mermaid import drawn_by_github, mermaid
from newel.compiler.exports.picture import FULL_EFFORT
from newel.compiler.exports.picture import Picture as Drawn
from newel.compiler.exports.stages import Stage, homes, overview, stages
from newel.compiler.exports.svg import Drawing, drawings
from newel.compiler.exports.ways import Ways

NONE: Picture = {"svg": "", "mermaid": "", "width": 0, "looks": [], "note": "", "stages": []}

_LOOKS = ("automatic", "guarded", "approval", "pull")


def svgs(drawn: Sequence[Drawn], dot: str | None) -> list[Picture]:
    """As SVG, all of them laid out together. The largest are an overview with a picture for each stage."""
    return [_svg(each) for each in drawings(drawn, dot)]


def _svg(drawing: Drawing) -> Picture:
    sheet = drawing.sheet
    found = sheet.stages if sheet.picture.size > FULL_EFFORT else ()
    made = _picture(sheet.picture, svg=drawing.overview() if found else drawing.whole())
    if any(box.sort == "elsewhere" for piece in sheet.pieces for box in piece.boxes):
        made["looks"].append("between")
    made["stages"] = [_stage(stage, svg=drawing.stage(stage)) for stage in found]
    return made


def _picture(shown: Drawn, *, svg: str = "", mermaid: str = "", note: str = "") -> Picture:
    width = _width(svg) if svg else 0
    return {"svg": svg, "mermaid": mermaid, "width": width, "looks": _looks(shown), "note": note, "stages": []}


def _looks(shown: Drawn) -> list[str]:
    there = {arrow.look for arrow in shown.arrows}
    return [look for look in _LOOKS if look in there]


def _width(svg: str) -> int:
    return round(float(svg.partition(' width="')[2].partition('"')[0]))


def _stage(stage: Stage, *, svg: str = "", mermaid: str = "", note: str = "") -> StagePicture:
    return {
        "title": stage.title,
        "anchor": stage.id,
        "steps": len(stage.boxes),
        "svg": svg,
        "mermaid": mermaid,
        "width": _width(svg) if svg else 0,
        "note": note,
    }


def mermaids(drawn: Sequence[Drawn]) -> list[Picture]:
    """As Mermaid. What is more than GitHub draws is an overview with a picture for each stage."""
    return [_mermaid(each) for each in drawn]


def _mermaid(shown: Drawn) -> Picture:
    found = stages(shown)
    text = mermaid(shown, found)
    if drawn_by_github(shown, text):
        return _picture(shown, mermaid=text)
    if not found:
        return _picture(shown, note=_too_many(shown))
    over, ways, where = overview(shown, found), Ways(shown), homes(found)
    text = mermaid(over)
    made = _picture(shown, mermaid=text) if drawn_by_github(over, text) else _picture(shown, note=_too_many(over))
    made["stages"] = [_drawn_stage(stage, part(shown, stage.boxes, ways, where)) for stage in found]
    return made


def _drawn_stage(stage: Stage, shown: Drawn) -> StagePicture:
    text = mermaid(shown)
    return _stage(stage, mermaid=text) if drawn_by_github(shown, text) else _stage(stage, note=_too_many(shown))


def _too_many(shown: Drawn) -> str:
    counts = f"{counted(len(shown.boxes), 'step')} and {counted(len(shown.arrows), 'arrow')}"
    return f"{counts} are more than GitHub draws of Mermaid."
