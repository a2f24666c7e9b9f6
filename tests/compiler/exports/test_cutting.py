"""A sequence is cut where the fewest ways are."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, pairwise

from newel.compiler.exports.cutting import cut


def parts(count: int, ways: Sequence[tuple[int, int]], most: int) -> list[range]:
    """The parts of at most so many."""
    back = [sorted(a for a, b in ways if b == at) for at in range(count)]
    return cut(count, back, lambda begin: range(begin + 1, min(count, begin + most) + 1))


def test_a_row_is_cut_into_parts_of_one_length() -> None:
    assert parts(9, [(at, at + 1) for at in range(8)], 4) == [range(3), range(3, 6), range(6, 9)]


def test_a_loop_is_not_cut() -> None:
    row = [(at, at + 1) for at in range(5)]
    assert parts(6, [*row, (1, 4)], 5) in ([range(1), range(1, 6)], [range(5), range(5, 6)])


def test_nothing_has_no_parts() -> None:
    assert parts(0, [], 4) == []


def test_no_other_parts_cut_fewer_ways() -> None:
    """Of all parts of two hundred short sequences; each part counts as one way."""
    said = random.Random(5)  # noqa: S311 - nothing is kept secret by it
    for _ in range(200):
        count = said.randrange(1, 9)
        ways = [pair for pair in combinations(range(count), 2) if said.random() < 0.4]
        found = parts(count, ways, 4)
        assert [at for part in found for at in part] == list(range(count))
        assert max(map(len, found)) <= 4
        marks = (each for number in range(count) for each in combinations(range(1, count), number))
        others = ([range(a, b) for a, b in pairwise((0, *each, count))] for each in marks)
        assert _cost(found, ways) == min(_cost(other, ways) for other in others if max(map(len, other)) <= 4)


def _cost(found: Sequence[range], ways: Sequence[tuple[int, int]]) -> int:
    return len(found) + sum(all(not (a in part and b in part) for part in found) for a, b in ways)
