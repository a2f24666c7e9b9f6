"""What is told of an entry (OB1, OB2), its finer points."""

from __future__ import annotations

from typing import Any

import pytest

from newel.runtime import Candidate
from tests.runtime.boards import Make, board, entering, entry_of


def test_ob1_a_redelivery_is_counted_beside_the_entry_and_a_superseded_one_apart(make: Make) -> None:
    rig = make(board(b=entering("note_it")))
    rig.service.create("T", "w")
    entry = entry_of(rig.service.move("T", "b")).entry_id
    rig.seen.counts.clear()
    rig.service.redispatch(entry)
    assert [name for name, _ in rig.seen.counts] == ["entries", "redeliveries", "actions"]
    rig.service.move("T", "c")
    rig.seen.counts.clear()
    rig.service.redispatch(entry)
    assert [name for name, _ in rig.seen.counts] == ["superseded", "actions"]
    assert rig.seen.counts[1] == ("actions", (("kind", "note_it"), ("outcome", "superseded")))


@pytest.mark.parametrize("b", ["", entering("auto_start_agent")])
@pytest.mark.parametrize("gone", ["moved on", "detached"])
def test_se8_an_entry_without_dispatched_kinds_that_was_left_is_told_as_superseded(
    make: Make, b: str, gone: str
) -> None:
    rig = make(board(b=b))
    rig.service.create("T", "w")
    entry = entry_of(rig.service.move("T", "b")).entry_id
    report = rig.service.redispatch(entry)
    assert (report.superseded, rig.seen.counts, rig.seen.entries) == (False, [], [])
    if gone == "detached":
        rig.service.detach("T")
    else:
        rig.service.move("T", "c")
    before = rig.ledger.commits
    report = rig.service.redispatch(entry)
    assert (report.superseded, report.actions) == (True, ())
    assert (rig.seen.counts, rig.seen.entries) == ([("superseded", ())], [report])
    assert rig.ledger.commits == before


def test_ob1_a_record_says_how_often_its_action_was_delivered(make: Make) -> None:
    rig = make(board(b=entering("note_it", "queue_run", "page")))
    rig.service.create("T", "w")
    entry = entry_of(rig.service.move("T", "b")).entry_id
    for times in (2, 3):
        rig.service.redispatch(entry)
        assert {each.deliveries for each in rig.service.entry(entry).actions} == {times}


def test_ob2_a_seat_that_stays_empty_is_counted_by_a_word_whatever_the_error_says(make: Make) -> None:
    class Failing:
        def candidates(self, role: str) -> list[Candidate]:
            raise OSError(f"no list of {role}s today")

        def runner(self, task: str) -> str | None:
            return None

        def target(self, task: str, name: str) -> str:
            return name

    rig = make(board(b=entering("ensure_participant_seat(reviewer)")), agents=Failing())
    rig.service.create("T", "w")
    (action,) = entry_of(rig.service.move("T", "b")).actions
    assert action.reason == "OSError: no list of reviewers today"
    told: list[tuple[str, Any]] = [counted for counted in rig.seen.counts if counted[0] == "unfillable_seats"]
    assert told == [("unfillable_seats", (("reason", "error"),))]
