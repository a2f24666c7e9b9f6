"""Boxes and arrows to how wide a picture of them will be, near enough: to lay it out would take longer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from newel.compiler.exports.picture import Arrow, Box
from newel.compiler.exports.plain import columns, wrapped
from newel.compiler.exports.ways import Ways

WIDEST = 2400.0
"""How wide a picture may be that is not folded: two screens of a desk."""

ROW = 1300.0
"""How wide the rows of a folded picture are made: a screen of a desk, without its margins."""

MOST = 12
"""Steps of a row, however narrow it is: more would make it high."""

TITLE, NAME, LABEL = 26, 32, 30
"""Columns at which titles, names and labels are wrapped."""

_SIGN, _SMALL = 7.9, 5.5
_PADDING, _GAP = 25.0, 50.0


def width(boxes: Sequence[Box], ways: Ways) -> float:
    """How wide boxes that stand onward are."""
    return max((wide for _, wide in _growing(boxes, ways, 0)), default=0.0)


def fitting(boxes: Sequence[Box], ways: Ways, begin: int) -> Iterator[int]:
    """The places at which a row may end that begins at a place: what stands for steps elsewhere takes room, too."""
    for end, wide in _growing(boxes, ways, begin):
        if end > begin + 1 and (end > begin + MOST or wide + sum(_sides(boxes[begin:end], ways)) > ROW):
            return
        yield end


def _growing(boxes: Sequence[Box], ways: Ways, begin: int) -> Iterator[tuple[int, float]]:
    """How wide it is up to each end."""
    right: dict[str, float] = {}
    widest = reached = 0.0
    for end, box in enumerate(boxes[begin:], begin + 1):
        before = (right[arrow.source.key] + _gap(arrow) for arrow in ways.coming[box.key] if arrow.source.key in right)
        after = reached + _GAP if box.sort == "stage" and reached else 0.0  # stages stand one behind the other
        reached = right[box.key] = max((after, *before)) + _box(box)
        widest = max(widest, right[box.key])
        yield end, widest


def _sides(boxes: Sequence[Box], ways: Ways) -> Iterator[float]:
    yield max((_elsewhere(arrow.source) for arrow in ways.into(boxes)), default=-_GAP) + _GAP
    yield max((_elsewhere(arrow.target) + _gap(arrow) for arrow in ways.out_of(boxes)), default=0.0)


def _box(box: Box) -> float:
    titles = max(map(columns, wrapped(box.title, TITLE, 3)), default=0) * _SIGN
    return max(titles, 0 if box.name == box.title else columns(box.name[:NAME]) * _SMALL) + _PADDING


def _elsewhere(box: Box) -> float:
    return max(map(columns, wrapped(box.title, TITLE, 3)), default=0) * _SMALL + _PADDING


def _gap(arrow: Arrow) -> float:
    """The room of its label, and of the arrow before and behind it."""
    said = [
        row
        for label in arrow.labels
        for row in (*wrapped(label.trigger, TITLE, 2), *wrapped(f"when {label.guard}" if label.guard else "", LABEL, 4))
    ]
    return _GAP + max(map(columns, said), default=0) * _SMALL
