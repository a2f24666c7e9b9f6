"""A sequence to parts that stand together: cut where the fewest ways are cut, into parts of much the same length."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

Ends = Callable[[int], Iterable[int]]


def cut(count: int, back: Sequence[Sequence[int]], ends: Ends) -> list[range]:
    """Parts of `range(count)`, in order. `back` has for each place the earlier ones it has a way to or from, sorted;
    `ends` gives where a part that begins at a place may end (what is behind its last place), the nearest first."""
    best = [(0, 0)] + [(count + 1, 0)] * count  # more than any can cost
    begins = [0] * (count + 1)
    for begin in range(count):
        together, at = 0, begin
        for end in ends(begin):
            while at < end:
                together += len(back[at]) - bisect_left(back[at], begin)
                at += 1
            cost = _cost(best[begin], together, end - begin)
            if cost < best[end]:
                best[end], begins[end] = cost, begin
    marks = [count]
    while marks[-1]:
        marks.append(begins[marks[-1]])
    return [range(begin, end) for begin, end in pairwise(reversed(marks))]


def _cost(before: tuple[int, int], together: int, length: int) -> tuple[int, int]:
    """A part costs as much as a way that is cut; among equals those are best that are equally long."""
    return before[0] + 1 - together, before[1] + length * length
