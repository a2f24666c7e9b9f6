"""A picture to SVG: laid out by a program, drawn by us, so that it follows dark mode, links steps, can be read out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from newel.compiler.errors import LayoutError
from newel.compiler.exports import colors
from newel.compiler.exports.dot import dot
from newel.compiler.exports.folding import rows
from newel.compiler.exports.layout import Drawn, Layout, Point, Shape, Text, layouts
from newel.compiler.exports.picture import DRAWN, Arrow, Box, Picture
from newel.compiler.exports.plain import columns, line

_MARGIN = 10
_ROUND = 7
_FONTS = "Arial, Helvetica, 'Liberation Sans', sans-serif"
_HALO = f' paint-order="stroke" stroke="{colors.PAPER}" stroke-width="4" stroke-linejoin="round"'
_TEXT_COLORS = {color: name for name, (color, _) in colors.NAMES.items() if name in ("ink", "muted", "approval")}


def svg(picture: Picture, program: str | None = None) -> str:
    """The picture as an SVG element that can stand alone or in a page; each step links to `#step-NAME`.

    Raises `LayoutError` where the layout program is missing or fails, and for more than `DRAWN` steps and arrows.
    """
    return svgs([picture], program)[0]


def svgs(pictures: Sequence[Picture], program: str | None = None) -> list[str]:
    """The same of several pictures, laid out together: a run of the layout program costs as much as a small picture."""
    for picture in pictures:
        if picture.size > DRAWN:
            raise LayoutError(
                f"{picture.name} has {picture.size} steps and arrows, and no picture is laid out above {DRAWN}; "
                "the formats mermaid and dot have no such limit"
            )
    drawings = layouts([dot(picture) for picture in pictures], program)
    try:
        _fold(pictures, drawings, program)
        return [_drawn(picture, drawing) for picture, drawing in zip(pictures, drawings, strict=True)]
    except (KeyError, IndexError) as error:
        raise LayoutError(f"{program or 'the layout program'} left a part of the picture out: {error}") from error


def _fold(pictures: Sequence[Picture], drawings: list[Layout], program: str | None) -> None:
    """Lays those that are too wide out once more, in rows."""
    folded = {index: found for index, each in enumerate(drawings) if (found := rows(pictures[index], each))}
    again = layouts([dot(pictures[index], found) for index, found in folded.items()], program)
    for index, drawing in zip(folded, again, strict=True):
        drawings[index] = drawing


def _drawn(picture: Picture, drawing: Layout) -> str:
    return "\n".join([*_head(picture, drawing), *_body(picture, drawing), "</svg>", ""])


def _head(picture: Picture, drawing: Layout) -> Iterator[str]:
    width, height = (_number(side + 2 * _MARGIN) for side in (drawing.width, drawing.height))
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="newel-picture" role="group" font-family="{_FONTS}" '
        f'aria-labelledby="picture-title" aria-describedby="picture-summary" width="{width}" height="{height}" '
        f'viewBox="-{_MARGIN} -{_MARGIN} {width} {height}">'
    )
    yield f'<title id="picture-title">{escape(picture.title)}: picture of the workflow</title>'
    yield f'<desc id="picture-summary">{escape(picture.summary)}</desc>'
    yield f"<style>{_STYLE}</style>"
    yield f'<rect class="paper" x="-{_MARGIN}" y="-{_MARGIN}" width="{width}" height="{height}" fill="{colors.PAPER}"/>'


def _body(picture: Picture, drawing: Layout) -> Iterator[str]:
    """Lines under boxes under labels: no line runs through a text."""
    arrows = [(arrow, drawing.drawn[f"move-{index}"]) for index, arrow in enumerate(picture.arrows)]
    for box in picture.boxes:
        if box.start:
            yield from _begin(drawing.drawn[f"begin-{box.id}"], drawing.drawn[f"begins-{box.id}"])
    for arrow, drawn in arrows:
        yield from _line(arrow, drawn)
    for box in picture.boxes:
        yield from _box(box, drawing.drawn[box.id])
    for arrow, drawn in arrows:
        if drawn.texts:
            yield _group(f"label {arrow.look}", _HALO, _texts(drawn.texts))


def _begin(dot: Drawn, arrow: Drawn) -> Iterator[str]:
    (middle, radii), *_ = (shape.points for shape in dot.shapes)
    circle = f'<circle cx="{_number(middle[0])}" cy="{_number(middle[1])}" r="{_number(radii[0])}"/>'
    yield _group("begin", f' fill="{colors.INK}" stroke="{colors.INK}"', [circle, *map(_shape, arrow.shapes)])


def _line(arrow: Arrow, drawn: Drawn) -> Iterator[str]:
    color = colors.ARROWS[arrow.look]
    dashes = {"approval": ' stroke-dasharray="6 4"', "pull": ' stroke-dasharray="1.5 4"'}.get(arrow.look, "")
    said = "; ".join(f"{label.trigger} when {label.guard}" if label.guard else label.trigger for label in arrow.labels)
    title = f"{arrow.source.title} to {arrow.target.title}: {said}"
    inside = [f"<title>{escape(title)}</title>", *map(_shape, drawn.shapes)]
    yield _group(f"arrow {arrow.look}", f' fill="{color}" stroke="{color}"{dashes}', inside)


def _box(box: Box, drawn: Drawn) -> Iterator[str]:
    role = "start" if box.start else "end" if box.end else "step"
    fill, stroke = colors.BOXES[role]
    marks = "".join(f", {word}" for word, there in (("start", box.start), ("end", box.end)) if there)
    yield f'<a href="#{box.id}" aria-label="{escape(f"{box.title}{marks}")}">'
    frames = sorted((_frame(shape.points) for shape in drawn.shapes), reverse=True, key=lambda frame: frame[2])
    inside = [*map(_rect, frames), '<g stroke="none">', *_texts(drawn.texts), "</g>"]
    yield _group(f"box {role}", f' fill="{fill}" stroke="{stroke}"', inside)
    yield "</a>"


def _rect(frame: tuple[float, float, float, float]) -> str:
    x, y, width, height = map(_number, frame)
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{_ROUND}"/>'


def _frame(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """Left, top, width and height of the outline of a box."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def _shape(shape: Shape) -> str:
    if shape.kind in ("filled", "hollow"):
        fill = ' class="hollow"' if shape.kind == "hollow" else ""
        return f'<polygon{fill} points="{_points(shape.points)}" stroke-dasharray="none"/>'
    first, *rest = shape.points
    curve = "L" if shape.kind == "line" else "C"
    return f'<path fill="none" d="M{_points([first])}{curve}{_points(rest)}"/>'


def _texts(texts: Iterable[Text]) -> Iterator[str]:
    """Centred on the room the layout gave them and set to its width, so that another font cannot make them overlap."""
    for text in texts:
        shift = {"l": text.width / 2, "r": -text.width / 2}.get(text.align, 0)
        words = line(text.text)
        name = _TEXT_COLORS.get(text.color, "ink")
        known = columns(words) == len(words)
        set_to = f' textLength="{_number(text.width)}" lengthAdjust="spacingAndGlyphs"' if known else ""
        weight = ' font-weight="bold"' if text.bold else ""
        yield (
            f'<text class="{name}" x="{_number(text.at[0] + shift)}" y="{_number(text.at[1])}" text-anchor="middle" '
            f'font-size="{_number(text.size)}"{weight} fill="{colors.NAMES[name][0]}"{set_to}>{escape(words)}</text>'
        )


def _group(classes: str, attributes: str, inside: Iterable[str]) -> str:
    return "\n".join([f'<g class="{classes}"{attributes}>', *inside, "</g>"])


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    """At most one decimal, which is finer than a screen's dots: small files, and the same bytes everywhere."""
    return f"{round(value, 1) + 0.0:g}" if abs(value) < 1e5 else f"{value:.1f}"


def _properties(index: int) -> str:
    return ";".join(f"--{name}:{pair[index]}" for name, pair in colors.NAMES.items())


_STYLE = "".join(
    [
        f".newel-picture{{{_properties(0)}}}",
        f"@media screen and (prefers-color-scheme:dark){{.newel-picture{{{_properties(1)}}}}}",
        ".newel-picture .paper{fill:var(--paper)}",
        ".newel-picture .ink{fill:var(--ink)}.newel-picture .muted{fill:var(--muted)}",
        ".newel-picture text.approval{fill:var(--approval)}",
        ".newel-picture .label{stroke:var(--paper)}",
        ".newel-picture .begin{fill:var(--ink);stroke:var(--ink)}",
        *(f".newel-picture .box.{role}{{fill:var(--{role});stroke:var(--{role}-line)}}" for role in colors.BOXES),
        *(f".newel-picture .arrow.{look}{{fill:var(--{look});stroke:var(--{look})}}" for look in colors.ARROWS),
        ".newel-picture .box rect{stroke-width:1.4}",
        ".newel-picture .arrow path{stroke-width:1.4}.newel-picture .hollow{fill:var(--paper)}",
        ".newel-picture a:hover rect{stroke-width:2.6}",
        ".newel-picture a:focus-visible{outline:none}",
        ".newel-picture a:focus-visible rect{stroke:var(--ink);stroke-width:3.4}",
    ]
)
