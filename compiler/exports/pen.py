"""A picture and where its parts are to the elements of an SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from newel.compiler.exports import colors
from newel.compiler.exports.layout import Drawn, Layout, Point, Shape, Text
from newel.compiler.exports.picture import Arrow, Box, Picture
from newel.compiler.exports.plain import columns, line

_ROUND, _ROUNDER = 7, 14
_HALO = f' paint-order="stroke" stroke="{colors.PAPER}" stroke-width="4" stroke-linejoin="round"'
_TEXT_COLORS = {color: name for name, (color, _) in colors.NAMES.items() if name in ("ink", "muted", "approval")}


def drawn(picture: Picture, layout: Layout) -> Iterator[str]:
    """The elements of a picture. Lines under boxes under labels: no line runs through a text."""
    arrows = [(arrow, layout.drawn[f"move-{index}"]) for index, arrow in enumerate(picture.arrows)]
    for box in picture.boxes:
        if box.start:
            yield from _begin(layout.drawn[f"begin-{box.id}"], layout.drawn[f"begins-{box.id}"])
    for arrow, drawn in arrows:
        yield from _line(arrow, drawn)
    for box in picture.boxes:
        yield from _box(box, layout.drawn[box.id])
    for arrow, drawn in arrows:
        if drawn.texts:
            yield _group(f"label {arrow.look}", _HALO, _texts(drawn.texts))


def _begin(dot: Drawn, arrow: Drawn) -> Iterator[str]:
    (middle, radii), *_ = (shape.points for shape in dot.shapes)
    circle = f'<circle cx="{number(middle[0])}" cy="{number(middle[1])}" r="{number(radii[0])}"/>'
    yield _group("begin", f' fill="{colors.INK}" stroke="{colors.INK}"', [circle, *map(_shape, arrow.shapes)])


def _line(arrow: Arrow, drawn: Drawn) -> Iterator[str]:
    color = colors.ARROWS[arrow.look]
    dashes = {"approval": ' stroke-dasharray="6 4"', "pull": ' stroke-dasharray="1.5 4"'}.get(arrow.look, "")
    said = "; ".join(f"{label.trigger} when {label.guard}" if label.guard else label.trigger for label in arrow.labels)
    title = f"{arrow.source.title} to {arrow.target.title}{f': {said}' if said else ''}"
    inside = [f"<title>{escape(title)}</title>", *map(_shape, drawn.shapes)]
    yield _group(f"arrow {arrow.look}", f' fill="{color}" stroke="{color}"{dashes}', inside)


def _box(box: Box, drawn: Drawn) -> Iterator[str]:
    fill, stroke = colors.BOXES[box.role]
    marks = "".join(f", {word}" for word, there in (("start", box.start), ("end", box.end)) if there)
    yield f'<a href="#{box.leads or box.id}" aria-label="{escape(f"{box.title}{marks}")}">'
    frames = sorted((_frame(shape.points) for shape in drawn.shapes), reverse=True, key=lambda frame: frame[2])
    dashes = ' stroke-dasharray="4 3"' if box.sort == "elsewhere" else ""
    rects = (_rect(frame, _ROUNDER if dashes else _ROUND) for frame in frames)
    inside = [*rects, '<g stroke="none">', *_texts(drawn.texts), "</g>"]
    yield _group(f"box {box.role}", f' fill="{fill}" stroke="{stroke}"{dashes}', inside)
    yield "</a>"


def _rect(frame: tuple[float, float, float, float], rounded: int) -> str:
    x, y, width, height = map(number, frame)
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{rounded}"/>'


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
        set_to = f' textLength="{number(text.width)}" lengthAdjust="spacingAndGlyphs"' if known else ""
        weight = ' font-weight="bold"' if text.bold else ""
        yield (
            f'<text class="{name}" x="{number(text.at[0] + shift)}" y="{number(text.at[1])}" text-anchor="middle" '
            f'font-size="{number(text.size)}"{weight} fill="{colors.NAMES[name][0]}"{set_to}>{escape(words)}</text>'
        )


def _group(classes: str, attributes: str, inside: Iterable[str]) -> str:
    return "\n".join([f'<g class="{classes}"{attributes}>', *inside, "</g>"])


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def number(value: float) -> str:
    """At most one decimal, which is finer than a screen's dots: small files, and the same bytes everywhere."""
    return f"{round(value, 1) + 0.0:g}" if abs(value) < 1e5 else f"{value:.1f}"
