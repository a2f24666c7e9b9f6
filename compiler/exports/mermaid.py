"""A picture to Mermaid, the drawing language that GitHub and GitLab render in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from newel.compiler.counting import counted
from newel.compiler.exports import colors
from newel.compiler.exports.picture import Arrow, Box, Label, Picture
from newel.compiler.exports.plain import line, wrapped
from newel.compiler.exports.stages import Stage

_WIDTH = 32
_BEYOND = "%% "
_BEGINS = 1  # the edge to where new tasks begin
_MOST_EDGES, _MOST_TEXT = 500, 50_000  # what Mermaid draws as it comes, and on GitHub
_TOO_MUCH = f"more than Mermaid draws as it comes ({_MOST_EDGES} edges, {_MOST_TEXT} characters)"
_PLAIN = re.compile(r"[^\w .,=()!?+'/-]|_(?=_)|(?<=-)-|//", re.ASCII)


def mermaid(picture: Picture, stages: Sequence[Stage] = ()) -> str:
    """The picture as a Mermaid flowchart, each stage as a group. A first line says what is more than Mermaid draws."""
    names = _names(picture)
    rows = ["flowchart LR", *(f"  {row}" for row in _rows(picture, names, stages))]
    text = "\n".join([*rows, ""])
    if not drawn_by_github(picture, text):
        edges = len(picture.arrows) + _BEGINS
        return f"{_BEYOND}{counted(edges, 'edge')}, {len(text)} characters: {_TOO_MUCH}\n{text}"
    return text


def beyond(text: str) -> str:
    """What the first line says of a text that is more than Mermaid draws as it comes, "" of any other."""
    first, _, _ = text.partition("\n")
    return first.removeprefix(_BEYOND) if first.startswith(_BEYOND) else ""


def drawn_by_github(picture: Picture, text: str) -> bool:
    """Whether GitHub draws that much."""
    return len(picture.arrows) + _BEGINS <= _MOST_EDGES and len(text) <= _MOST_TEXT


def _names(picture: Picture) -> dict[Box, str]:
    """Ids that are no word of Mermaid's, readable and each once."""
    names: dict[str, Box] = {}
    for box in picture.boxes:
        name = base = f"{box.sort}_" + re.sub(r"[^A-Za-z0-9]+", "_", box.key).strip("_")
        number = 1
        while name in names:
            number += 1
            name = f"{base}_{number}"
        names[name] = box
    return {box: name for name, box in names.items()}


def _rows(picture: Picture, names: dict[Box, str], stages: Sequence[Stage]) -> Iterator[str]:
    for stage in stages:
        title = "<br/>".join(_escaped(row) for row in wrapped(stage.title, 2 * _WIDTH, 2))
        yield f'subgraph stage_{stage.number}["{title}"]'
        yield from (f"  {_box(box, names[box])}" for box in stage.boxes)
        yield "end"
    for box in () if stages else picture.boxes:
        yield _box(box, names[box])
    for box in picture.boxes:
        if box.start:
            yield f"begin(( )):::begin --> {names[box]}"
    for arrow in picture.arrows:
        yield _arrow(arrow, names)
    yield from _styles(picture)


def _box(box: Box, name: str) -> str:
    title = "<br/>".join(_escaped(row) for row in wrapped(box.title, _WIDTH, 3))
    text = title if box.name == box.title else f"{title}<br/>{_escaped(box.name)}"
    opened, closed = ("[[", "]]") if box.end else ("(", ")")
    role = {"end": "finish"}.get(box.role, box.role)
    return f'{name}{opened}"{text}"{closed}:::{role}'


def _arrow(arrow: Arrow, names: dict[Box, str]) -> str:
    text = "<br/>".join(row for label in arrow.labels for row in _label(label, arrow))
    shaft = "-.->" if arrow.look in ("approval", "pull") else "-->"
    said = f'|"{text}"|' if text else ""
    return f"{names[arrow.source]} {shaft}{said} {names[arrow.target]}"


def _label(label: Label, arrow: Arrow) -> Iterator[str]:
    yield _escaped(label.trigger)
    if label.guard:
        yield from (_escaped(row) for row in wrapped(f"when {label.guard}", _WIDTH, 4))
    if arrow.look == "approval":
        yield "&#9671; needs approval".replace("&#", "#")


def _styles(picture: Picture) -> Iterator[str]:
    roles = [("step", "step", 1), ("start", "start", 2), ("finish", "end", 2)]
    roles += [("elsewhere", "elsewhere", 1)] if any(box.sort == "elsewhere" for box in picture.boxes) else []
    for name, role, width in roles:
        fill, stroke = colors.BOXES[role]
        yield f"classDef {name} fill:{fill},stroke:{stroke},color:{colors.INK},stroke-width:{width}px"
    yield f"classDef begin fill:{colors.BOXES['start'][1]},stroke:{colors.BOXES['start'][1]},color:{colors.INK}"
    for index, arrow in enumerate(picture.arrows, start=sum(box.start for box in picture.boxes)):
        if arrow.look in _LINES:
            yield f"linkStyle {index} stroke:{_LINES[arrow.look]}"


# Mermaid does not follow dark mode by rules of ours: colours that can be seen on both.
_LINES = {"guarded": "#2f81f7", "approval": "#bf8700", "pull": "#8957e5"}


def _escaped(text: str) -> str:
    """Every sign that could mean something to Mermaid, to Markdown inside it or to HTML, as an entity of Mermaid's."""
    return re.sub(_PLAIN, lambda found: "".join(f"#{ord(sign)};" for sign in found[0]), line(text))
