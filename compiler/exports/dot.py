"""A picture to DOT, the language of Graphviz: a format of its own, and what the SVG is laid out from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from newel.compiler.exports import colors
from newel.compiler.exports.picture import FULL_EFFORT, Arrow, Box, Label, Picture
from newel.compiler.exports.plain import columns, wrapped

TITLE_SIZE, NAME_SIZE, LABEL_SIZE = 14, 11, 12
_WIDTH = 26
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
}


def dot(picture: Picture, rows: Sequence[Sequence[str]] = ()) -> str:
    """The picture as DOT. Ids: `step-NAME` for a step, `move-0` and so on for the arrows. `rows` are the keys of boxes
    that stand together where the picture is folded."""
    graph = _GRAPH | ({} if picture.size <= FULL_EFFORT else _FAST)
    lines = [f"  graph {_attributes(graph)}", f"  node {_attributes(_NODE)}", f"  edge {_attributes(_EDGE)}"]
    lines += (_row(index, row, picture) for index, row in enumerate(rows))
    lines += (line for box in picture.boxes for line in _box(box))
    row_of = {key: index for index, row in enumerate(rows) for key in row}
    for index, arrow in enumerate(picture.arrows):
        folded = row_of.get(arrow.source.key) != row_of.get(arrow.target.key)
        lines.append(_arrow(index, arrow, {"constraint": "false"} if folded else {}))
    return "\n".join([f"digraph {_quoted(picture.name)} {{", *lines, "}", ""])


def _row(index: int, keys: Sequence[str], picture: Picture) -> str:
    """Boxes that stay together; arrows to other rows do not pull them away."""
    begins = [f"begin {box.key}" for box in picture.boxes if box.start and box.key in keys]
    names = " ".join(f"{_quoted(name)};" for name in (*begins, *keys))
    return f'  subgraph "cluster_{index}" {{ graph [style="invis", id="row-{index}"]; {names} }}'


def _box(box: Box) -> list[str]:
    role = "start" if box.start else "end" if box.end else "step"
    fill, stroke = colors.BOXES[role]
    rows = [_bold(text) for text in wrapped(box.title, _WIDTH, 3)]
    if box.name != box.title:
        rows += [_small(text, NAME_SIZE, colors.MUTED) for text in wrapped(box.name, _WIDTH + 6, 2)]
    values = {"label": rows, "id": box.id, "class": role, "URL": f"#{box.id}", "tooltip": box.title}
    values |= {"fillcolor": fill, "color": stroke, "fontcolor": colors.INK} | _least_width(box.title)
    values |= {"peripheries": "2"} if box.end else {}
    return [f"  {_quoted(box.key)} {_attributes(values)}", *(_begin(box) if box.start else ())]


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
    widest = max((row for row in wrapped(title, _WIDTH, 3)), key=columns, default="")
    if columns(widest) == len(widest):
        return {}
    return {"width": f"{(columns(widest) / 2 + 2.5) * TITLE_SIZE / _POINTS:.2f}"}


def _arrow(index: int, arrow: Arrow, more: Mapping[str, str]) -> str:
    color = colors.ARROWS[arrow.look]
    rows = [row for label in arrow.labels for row in _label(label, arrow)] + [""]  # room between text and line
    heading = f"{arrow.source.title} to {arrow.target.title}"
    values = {"label": rows, "id": f"move-{index}", "class": arrow.look, "color": color, "fontcolor": colors.INK}
    values |= {"tooltip": heading, "labeltooltip": heading} | _LOOKS[arrow.look] | dict(more)
    return f"  {_quoted(arrow.source.key)} -> {_quoted(arrow.target.key)} {_attributes(values)}"


def _label(label: Label, arrow: Arrow) -> list[str]:
    rows = [escape(text) for text in wrapped(label.trigger, _WIDTH, 2)]
    if label.guard:
        rows += [_small(text, NAME_SIZE, colors.MUTED) for text in wrapped(f"when {label.guard}", _WIDTH + 4, 4)]
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
