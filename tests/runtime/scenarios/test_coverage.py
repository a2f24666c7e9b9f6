"""What scenarios have seen: exactly the steps, moves, guards and entry actions that they went through."""

from __future__ import annotations

from pathlib import Path

import pytest

from newel.runtime.scenarios import Coverage
from newel.runtime.scenarios.coverage import WHATS
from tests.runtime.scenarios.playing import played

ALL = {
    "a -> b on turn_complete was never taken",
    "a -> c on paid was never taken",
    "a -> d on paid was never taken",
    "b -> a on turn_complete was never taken",
    "b -> c on turn_complete was never taken",
    "c -> d on turn_complete was never taken",
}


def moves(folder: Path, *lines: str) -> set[str]:
    """The moves that these lines take."""
    coverage = Coverage()
    played(folder, *lines, coverage=coverage)
    missed = {point.missed for point in coverage.missed("w") if point.what == "moves"}
    assert missed <= ALL
    return {each.partition(" was")[0] for each in ALL - missed}


def guards(folder: Path, *lines: str) -> set[str]:
    """What is not seen of the guards."""
    coverage = Coverage()
    played(folder, *lines, coverage=coverage)
    return {point.missed.removeprefix("the guard of ") for point in coverage.missed("w") if point.what == "guards"}


@pytest.mark.parametrize(
    ("lines", "taken"),
    [
        (("create",), set()),
        (("create", "move b"), set()),
        (("create", "fire turn_complete"), set()),
        (("create", "fire turn_complete signalled=true"), {"a -> b on turn_complete"}),
        (("create step=b", "decide ben approved role=reviewer"), {"b -> c on turn_complete"}),
        (("create step=b", "decide ben rejected role=reviewer"), {"b -> a on turn_complete"}),
        (("given enough true", "create", "fire paid(1)"), {"a -> c on paid"}),
        (("given enough false", "create", "fire paid(1)"), set()),
        (("given enough false", "create", "fire paid(1)", "reject"), set()),
        (("given enough false", "create", "fire paid(1)", "approve"), {"a -> d on paid"}),
        (
            ("create task=o step=c", "create", "given enough true", "fire paid(1)", "expect waiting c"),
            {"a -> c on paid"},
        ),
    ],
)
def test_a_move_is_seen_where_it_is_taken(lines: tuple[str, ...], taken: set[str], tmp_path: Path) -> None:
    assert moves(tmp_path, *lines) == taken


def test_a_guard_is_seen_by_each_of_its_answers(tmp_path: Path) -> None:
    everything = guards(tmp_path, "create")
    assert len(everything) == 8
    open_ = guards(tmp_path, "given enough true", "create", "fire paid(1)")
    assert everything - open_ == {"a -> c on paid never said yes"}
    shut = guards(tmp_path, "given enough false", "create", "fire paid(1)")
    assert everything - shut == {"a -> c on paid never said no", "a -> d on paid never said yes"}
    approved = guards(tmp_path, "given enough false", "create", "fire paid(1)", "approve")
    assert approved == shut
    rejected = guards(tmp_path, "create step=b", "decide ben rejected role=reviewer")
    assert everything - rejected == {"b -> c on turn_complete never said no", "b -> a on turn_complete never said yes"}


def test_both_halves_of_an_entry_are_seen(tmp_path: Path) -> None:
    coverage = Coverage()
    played(tmp_path, "create", "move b", coverage=coverage)
    assert (coverage.tally("entry actions", "w").seen, coverage.tally("entry actions", "w").all) == (5, 5)
    assert (coverage.tally("steps", "w").seen, coverage.tally("steps", "w").all) == (2, 4)


def test_a_pulled_task_is_seen_at_the_step_it_arrives_at(tmp_path: Path) -> None:
    coverage = Coverage()
    lines = ("create task=o step=c", "create step=c", "fire turn_complete task=o")
    played(tmp_path, *lines, coverage=coverage)
    assert {point.missed for point in coverage.missed("w") if point.what == "steps"} == {
        "no task arrived at a",
        "no task arrived at b",
    }


def test_several_runs_add_up_and_the_whole_is_their_share(tmp_path: Path) -> None:
    coverage = Coverage()
    assert coverage.percent() == 100
    played(tmp_path, "create", coverage=coverage)
    first = coverage.percent()
    played(tmp_path, "create step=d", coverage=coverage)
    whole = coverage.tally()
    assert 0 < first < coverage.percent() == 100 * whole.seen / whole.all
    assert whole.all == sum(coverage.tally(what).all for what in WHATS)
    assert coverage.workflows() == ["other", "w"]
