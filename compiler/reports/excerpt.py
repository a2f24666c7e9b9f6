"""A place in a file turned into lines to look at: the text as it stands, and marks under what is meant.

Tabs are widened, wide characters take two columns, lines too long to read are cut around the place, and of a place
over several lines the first and the last are shown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from newel.compiler.reports.safe import safe
from newel.dsl.source import Span

WIDTH = 100
"""How many columns of a line are shown."""

_TAB = 4
_BEFORE = WIDTH // 4  # columns kept before the place in a line that is cut


class Row(NamedTuple):
    """One line of an excerpt: its number (None for the marks under it, and where lines are left out) and its text."""

    number: int | None
    text: str


class _Cell(NamedTuple):
    shown: str
    width: int


def excerpt(span: Span, mark: str = "^") -> list[Row]:
    """The lines a place stands on, each followed by its marks."""
    source = span.source
    end = span.start + len(span.text.rstrip())
    first, left = source.line_column(span.start)
    last, right = source.line_column(max(span.start, end))
    if first == last:
        return _marked(source.line(first), first, left - 1, right - 1, mark)
    head = source.line(first)
    rows = _marked(head, first, left - 1, len(head), mark)
    if last > first + 1:
        rows.append(Row(None, "..."))
    tail = source.line(last)
    indent = len(tail) - len(tail.lstrip())
    return rows + _marked(tail, last, min(indent, right - 1), right - 1, mark)


def _marked(line: str, number: int, start: int, end: int, mark: str) -> list[Row]:
    """A line and the marks under its characters from `start` to `end`, at least one."""
    # No character is wider than a tab and none is taken for narrower than nothing, so this much always fills the width.
    low = max(0, start - 2 * WIDTH)
    high = start + 4 * WIDTH
    cells = list(_cells(line[low:high]))
    start, end = start - low, min(end, high) - low
    left, right = _window(cells, start)
    before = "…" if left or low else ""
    after = "…" if right < len(cells) or high < len(line) else ""
    text = "".join(cell.shown for cell in cells[left:right])
    pad = len(before) + sum(cell.width for cell in cells[left:start])
    length = sum(cell.width for cell in cells[start : min(end, right)])
    return [
        Row(number, f"{before}{text}{after}".rstrip()),
        Row(None, " " * pad + mark * max(1, length)),
    ]


def _cells(text: str) -> Iterator[_Cell]:
    column = 0
    for character in text:
        if character == "\t":
            width = _TAB - column % _TAB
            yield _Cell(" " * width, width)
        else:
            shown = safe(character)
            width = _width(shown)
            yield _Cell(shown, width)
        column += width


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _window(cells: list[_Cell], start: int) -> tuple[int, int]:
    """Which cells to show, so that the one at `start` is among them and no more than `WIDTH` columns are."""
    if sum(cell.width for cell in cells) <= WIDTH:
        return 0, len(cells)
    left = _reach(cells, start, -1, _BEFORE)
    right = _reach(cells, left, 1, WIDTH)
    if right == len(cells):
        left = _reach(cells, right, -1, WIDTH)
    return left, right


def _reach(cells: list[_Cell], at: int, step: int, room: int) -> int:
    """How far one gets from the gap before cell `at`, forwards or backwards, within so many columns."""
    while 0 <= (cell := at if step > 0 else at - 1) < len(cells) and cells[cell].width <= room:
        room -= cells[cell].width
        at += step
    return at
