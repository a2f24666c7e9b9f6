"""A drawing that is too wide to the rows its boxes are laid out in anew, as a long line of text is folded."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from newel.compiler.exports.layout import Layout
from newel.compiler.exports.picture import FULL_EFFORT, Picture

WIDEST = 2400.0
"""How wide a picture may be: two screens of a desk."""

_ROW = 1100.0


def rows(picture: Picture, drawing: Layout) -> Sequence[Sequence[str]]:
    """The keys of the boxes by row, in the order they were drawn from left to right. None where the picture is not too
    wide, or has so many boxes and arrows that a second layout would take long."""
    if drawing.width <= WIDEST or picture.size > FULL_EFFORT:
        return ()
    count = ceil(drawing.width / _ROW)
    found: list[list[str]] = [[] for _ in range(count)]
    for box in picture.boxes:
        left = min(x for shape in drawing.drawn[box.id].shapes for x, _ in shape.points)
        found[min(count - 1, int(left * count / drawing.width))].append(box.key)
    return [row for row in found if row]
