"""Steps in the order they are read in: onward, side branches near to where they leave."""

from __future__ import annotations

import random
from itertools import pairwise

from newel.compiler.exports.order import onward


def test_a_row_stays_as_it_is() -> None:
    assert onward(["a", "b", "c"], {"a": ["b"], "b": ["c", "a"], "c": ["a"]}) == ["a", "b", "c"]


def test_a_circle_is_opened_where_tasks_begin() -> None:
    """Though every step of it leads back as well."""
    names = [f"s{number}" for number in range(20)]
    ways = {name: [names[(at + 1) % 20], names[at - 1]] for at, name in enumerate(names)}
    assert onward(names, ways) == names


def test_what_leads_to_the_first_stands_before_it() -> None:
    assert onward(["work", "backlog", "done"], {"backlog": ["work"], "work": ["done"]}) == ["backlog", "work", "done"]


def test_a_side_branch_stands_near_to_where_it_leaves() -> None:
    """The rework of a review directly behind it, not behind all that follows."""
    ways = {
        "work": ["review"],
        "review": ["approve", "rework"],
        "rework": ["work"],
        "approve": ["ship"],
        "ship": ["end"],
    }
    assert onward(["work", "review", "approve", "ship", "end", "rework"], ways) == [
        "work",
        "review",
        "rework",
        "approve",
        "ship",
        "end",
    ]


def test_long_branches_stay_together() -> None:
    ways = {"first": ["a1", "b1"], "a1": ["a2"], "a2": ["end"], "b1": ["b2"], "b2": ["end"]}
    assert onward(["first", "a1", "b1", "a2", "b2", "end"], ways) == ["first", "a1", "a2", "b1", "b2", "end"]


def test_no_way_leads_back_where_none_has_to() -> None:
    """Of a thousand graphs without circles; each name is there once."""
    said = random.Random(3)  # noqa: S311 - nothing is kept secret by it
    for _ in range(1000):
        count = said.randrange(1, 12)
        names = [str(number) for number in range(count)]
        ways = {name: [other for other in names[at + 1 :] if said.random() < 0.3] for at, name in enumerate(names)}
        shuffled = said.sample(names, count)
        found = onward(shuffled, ways)
        assert sorted(found) == sorted(names)
        assert all(found.index(name) < found.index(other) for name in names for other in ways[name])


def test_it_takes_any_length() -> None:
    """It calls nothing for each step that it is deep."""
    names = [str(number) for number in range(20_000)]
    assert onward(names, {name: [other] for name, other in pairwise(names)}) == names
