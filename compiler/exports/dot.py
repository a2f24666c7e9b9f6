"""A picture to DOT, the language of Graphviz: a format of its own, and what the SVG is laid out from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise

from newel.compiler.exports import colors
from newel.compiler.exports.picture import FULL_EFFORT, Arrow, Box, Label, Picture
from newel.compiler.exports.plain import columns, wrapped
from newel.compiler.exports.stages import Stage
from newel.compiler.exports.widths import LABEL, NAME, TITLE

TITLE_SIZE, NAME_SIZE, LABEL_SIZE = 14, 11, 12
_POINTS = 72

_FONT = {"fontname": "Arial"}
_GRAPH = _FONT | {"rankdir": "LR", "bgcolor": colors.PAPER, "nodesep": "0.4", "ranksep": "0.55", "pad": "0.2"}
_FAST = {"splines": "line", "nslimit": "1", "nslimit1": "1", "mclimit": "0.1", "searchsize": "10"}
_NODE = _FONT | {"shape": "box", "style": "rounded,filled", "fontsize": f"{TITLE_SIZE}", "margin": "0.16,0.06"}
_EDGE = _FONT | {"fontsize": f"{LABEL_SIZE}", "arrowsize": "0.8"}
_BEGIN = {
    "shape": "circle",
    "style": "filled",
    "width": "0.16",
    "fixedsize": "true",
    "label": "",
    "class": "begin",
    "fillcolor": colors.INK,
    "color": colors.INK,
    "tooltip": "new tasks begin here",
}
_LOOKS = {
    "automatic": {},
    "guarded": {},
    "approval": {"style": "dashed", "dir": "both", "arrowtail": "odiamond"},
    "pull": {"style": "dotted"},
    "between": {},
}
_SORTS = {
    "step": {},
    "stage": {"margin": "0.2,0.1"},
    "elsewhere": {"style": "rounded,filled,dashed", "margin": "0.12,0.05"},
}
_CLUSTER = _FONT | {"labeljust": "l", "style": "rounded", "color": colors.STAGE, "margin": "14"}


def dot(picture: Picture, stages: Sequence[Stage] = ()) -> str:
    """The picture as DOT, each stage as a cluster. Ids: `step-NAME` for a step, `stage-1` and so on for the stages,
    `move-0` and so on for the arrows."""
    graph = _GRAPH | ({} if picture.size <= FULL_EFFORT else _FAST)
    lines = [f"  graph {_attributes(graph)}", f"  node {_attributes(_NODE)}", f"  edge {_attributes(_EDGE)}"]
    lines += map(_stage, stages)
    lines += (line for box in picture.boxes for line in _box(box))
    lines += _onward(picture)
    lines += (_arrow(index, arrow) for index, arrow in enumerate(picture.arrows))
    return "\n".join([f"digraph {_quoted(picture.name)} {{", *lines, "}", ""])


def _stage(stage: Stage) -> str:
    """A name that begins with `cluster` makes a group of it."""
    begins = [f"begin {box.key}" for box in stage.boxes if box.start]
    names = " ".join(f"{_quoted(name)};" for name in (*begins, *(box.key for box in stage.boxes)))
    rows = [_bold(text) for text in wrapped(stage.title, 2 * TITLE, 2)]
    values = _CLUSTER | {"label": rows, "id": stage.id, "tooltip": stage.title}
    return f'  subgraph "cluster_{stage.number}" {{ graph {_attributes(values)}; {names} }}'


def _box(box: Box) -> list[str]:
    fill, stroke = colors.BOXES[box.role]
    titles = wrapped(box.title, TITLE, 3)
    rows = [_small(t, LABEL_SIZE, colors.INK) if box.sort == "elsewhere" else _bold(t) for t in titles]
    if box.name != box.title:
        rows += [_small(text, NAME_SIZE, colors.MUTED) for text in wrapped(box.name, NAME, 2)]
    values = {"label": rows, "id": box.id, "class": box.role, "URL": f"#{box.leads or box.id}", "tooltip": box.title}
    values |= {"fillcolor": fill, "color": stroke, "fontcolor": colors.INK} | _least_width(box.title)
    values |= _SORTS[box.sort] | ({"peripheries": "2"} if box.end else {})
    return [f"  {_quoted(box.key)} {_attributes(values)}", *(_begin(box) if box.start else ())]


def _onward(picture: Picture) -> Iterator[str]:
    """What is not drawn and holds stages in their order: all moves between them may lead back, or past the next."""
    ways = {(arrow.source, arrow.target) for arrow in picture.arrows}
    for one, other in pairwise(box for box in picture.boxes if box.sort == "stage"):
        if (one, other) in ways:
            continue
        values = _attributes({"id": f"onward-{other.id}", "style": "invis", "weight": "10"})
        yield f"  {_quoted(one.key)} -> {_quoted(other.key)} {values}"


def _begin(box: Box) -> list[str]:
    """The dot at which new tasks begin, and its arrow. A blank is in no key, so its name is no step's."""
    dot = _quoted(f"begin {box.key}")
    arrow = {"class": "begin", "id": f"begins-{box.id}", "color": colors.INK}
    return [
        f"  {dot} {_attributes(_BEGIN | {'id': f'begin-{box.id}'})}",
        f"  {dot} -> {_quoted(box.key)} {_attributes(arrow)}",
    ]


def _least_width(title: str) -> dict[str, str]:
    """Layout programs do not know how wide East Asian signs are: the box is given room for them."""
    widest = max((row for row in wrapped(title, TITLE, 3)), key=columns, default="")
    if columns(widest) == len(widest):
        return {}
    return {"width": f"{(columns(widest) / 2 + 2.5) * TITLE_SIZE / _POINTS:.2f}"}


def _arrow(index: int, arrow: Arrow) -> str:
    color = colors.ARROWS[arrow.look]
    rows = [row for label in arrow.labels for row in _label(label, arrow)]
    rows += [""] if rows else []  # room between text and line
    heading = f"{arrow.source.title} to {arrow.target.title}"
    values: dict[str, str | Sequence[str]] = {"label": rows} if rows else {}
    values |= {"id": f"move-{index}", "class": arrow.look, "color": color, "fontcolor": colors.INK}
    values |= {"tooltip": heading, "labeltooltip": heading} | _LOOKS[arrow.look]
    if arrow.source.sort == arrow.target.sort == "stage" and int(arrow.source.key) > int(arrow.target.key):
        values["constraint"] = "false"  # leads back, and moves no stage to the front
    return f"  {_quoted(arrow.source.key)} -> {_quoted(arrow.target.key)} {_attributes(values)}"


def _label(label: Label, arrow: Arrow) -> list[str]:
    rows = [escape(text) for text in wrapped(label.trigger, TITLE, 2)]
    if label.guard:
        rows += [_small(text, NAME_SIZE, colors.MUTED) for text in wrapped(f"when {label.guard}", LABEL, 4)]
    if arrow.look == "approval":
        rows.append(_small("needs approval", NAME_SIZE, colors.ARROWS["approval"]))
    return rows


def _bold(text: str) -> str:
    return f"<b>{escape(text)}</b>"


def _small(text: str, size: int, color: str) -> str:
    return f'<font point-size="{size}" color="{color}">{escape(text)}</font>'


def _attributes(values: Mapping[str, str | Sequence[str]]) -> str:
    """`[name="text", label=<rows>]`; a list is rows of markup, already escaped."""
    written = (
        f"{name}={_quoted(value) if isinstance(value, str) else _table(value)}" for name, value in values.items()
    )
    return f"[{', '.join(written)}]"


def _table(rows: Sequence[str]) -> str:
    """Rows with air between them, and between them and the lines that pass."""
    cells = "".join(f"<tr><td>{row}</td></tr>" for row in rows)
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="2">{cells}</table>>'


def _quoted(text: str) -> str:
    """A string of DOT. A backslash would begin an escape, and a reference like `&lt;` would be read."""
    escaped = text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
