"""Lines next to each other set below one another: braces of `on` blocks, `when`, and comments behind the code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from newel.dsl.layout.lines import STEP, WIDTH, Line

FAR = 80
"""Columns beyond which comments are not aligned any more."""


def align(lines: Sequence[Line]) -> None:
    """Widen the lines that belong together; a run that would not fit is left as it is."""
    for run in _runs(lines, lambda line: (line.align, _indent(line)) if line.align else None):
        column = max(line.column for line in run)
        if all(len(line.text) + column - line.column <= WIDTH for line in run):
            for line in run:
                line.text = line.text[: line.column].ljust(column) + line.text[line.column :]
    columns = {id(line): column for run in _runs(lines, _takes_part) for line, column in _below(run)}
    for line in lines:
        if line.remark:
            line.text = line.text.ljust(columns.get(id(line), 0) or len(line.text) + STEP) + line.remark


def _below(run: Sequence[Line]) -> Iterator[tuple[Line, int]]:
    """The lines of a run of comments, and the column they share; none where it is too far away."""
    widest = max(len(line.text) for line in run) + STEP
    return ((line, widest) for line in run if widest <= FAR)


def _runs(lines: Sequence[Line], key: Callable[[Line], object]) -> Iterator[list[Line]]:
    return (list(run) for each, run in groupby(lines, key) if each is not None)


def _takes_part(line: Line) -> bool | None:
    """Whether a comment is aligned with its neighbours; one at a brace of a block speaks of the whole block."""
    return None if not line.remark or line.text.endswith("{") or line.text.lstrip() == "}" else True


def _indent(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())
