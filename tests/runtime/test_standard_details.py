"""Standard kinds and decisions (ST, Q, O), their finer points."""

from __future__ import annotations

from newel.runtime import Actor, OutcomeKind, StaticAgents
from tests.runtime.boards import Make, board, entering, entry_of

ENSURE = "ensure_participant_seat(reviewer)"


def test_st1_why_nobody_sits_there_is_in_the_report_and_in_the_record(make: Make) -> None:
    rig = make(board(b=entering(ENSURE)), agents=StaticAgents())
    rig.service.create("T", "w")
    entry = entry_of(rig.service.move("T", "b"))
    assert [(each.status, each.reason) for each in entry.actions] == [("unchanged", "unfillable")]
    assert [each.reason for each in rig.service.entry(entry.entry_id).actions] == ["unfillable"]
    assert rig.service.seats("T") == ()


def test_st2_a_seat_that_was_ensured_is_told_from_one_that_was_given(make: Make) -> None:
    """It is by this mark that the table admits one of them for a task, workflow and role."""
    rig = make(board(b=entering(ENSURE)))
    rig.service.create("T", "w")
    rig.service.seat("T", step="b", role="approver", agent="eve")
    entry = entry_of(rig.service.move("T", "b")).entry_id
    assert [(each.role, each.agent, each.origin) for each in rig.service.seats("T")] == [
        ("approver", "eve", "given"),
        ("reviewer", "ada", "ensured"),
    ]
    assert rig.rows("SELECT ensured_by FROM newel_seats WHERE role = 'reviewer'") == [(entry,)]


def test_q5_a_move_that_needs_an_approval_is_not_the_decisions(make: Make) -> None:
    rig = make(board(a="on turn_complete { -> b requires approval when any_reject(reviewer) }"))
    rig.service.create("T", "w")
    outcome = rig.service.decide("T", role="reviewer", decider="ada", verdict="rejected", actor=Actor.human("ada"))
    assert (outcome.kind, outcome.guards, outcome.reason) == (OutcomeKind.STAYED, (), None)
    assert rig.service.task("T").step == "a"
    assert rig.service.handle("T", "turn_complete").kind is OutcomeKind.PENDING_APPROVAL


def test_q5_a_move_that_asks_nobody_is_passed_over_and_hinders_nothing(make: Make) -> None:
    rig = make(board(a="on turn_complete {\n-> b when any_reject(reviewer)\n-> c\n}"))
    rig.service.create("T", "w")
    outcome = rig.service.decide("T", role="reviewer", decider="ada", verdict="approved", actor=Actor.human("ada"))
    assert (outcome.kind, [each.to for each in outcome.guards], outcome.reason) == (OutcomeKind.STAYED, ["b"], None)
