"""Standard kinds and decisions (ST, Q, O), their finer points."""

from __future__ import annotations

from typing import Any

import pytest

from newel.runtime import Actor, OutcomeKind, StaticAgents, standard
from newel.runtime.ports import Context
from newel.runtime.standard import run_key
from tests.runtime.boards import Make, board, compiled, entering, entry_of

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


def test_st3_who_is_passed_over_sits_in_another_role_of_this_very_workflow(make: Make) -> None:
    agents = StaticAgents("runner", candidates=[("ada", ["reviewer"]), ("ben", ["reviewer"])])
    other = 'workflow v "V" { step a "A" { start } }\n'
    step = f'step a "A" {{ start }}\nstep b "B" {{ on enter {{ {ENSURE} }} }}\nstep c "C" {{}}\n'
    rig = make(compiled(f'{other}workflow w "W" {{\n{step}}}\n'), agents=agents)

    def seated(task: str) -> str:
        rig.service.move(task, "b")
        return next(each.agent for each in rig.service.seats(task) if each.origin == "ensured")

    rig.service.create("T", "w")
    rig.service.seat("T", step="c", role="approver", agent="ada")
    assert seated("T") == "ben"
    rig.service.create("U", "v")
    rig.service.seat("U", step="a", role="approver", agent="ada")
    rig.service.switch("U", "w")
    assert seated("U") == "ada"
    rig.service.create("V", "w")
    rig.service.seat("V", step="c", role="reviewer", agent="ada", decision_required=False)
    assert seated("V") == "ada"


def test_se4_an_interruption_while_somebody_is_cast_passes(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    rig = make(board(b=entering(ENSURE)))
    rig.service.create("T", "w")
    monkeypatch.setattr(standard, "cast", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rig.service.move("T", "b")
    assert (rig.service.task("T").step, rig.service.seats("T"), rig.table("newel_entry_actions")) == ("b", (), [])


@pytest.mark.parametrize(
    ("operation", "seat", "key"),
    [
        ("x", None, "x:2:3"),
        ("x", 4, "x:2:3:4"),
        ("x", "s/r/a", "x:2:3:s/r/a"),
        ("x:1", None, "x:1:2:3"),
        ("x:1", 4, "x:1:2:3:4"),
        ("x:1", 5, "x:1:2:3:5"),
        ("", 4, None),
    ],
)
def test_k3_the_key_of_a_run_says_the_delivery_the_entry_the_position_and_the_seat(
    operation: str, seat: int | str | None, key: str | None
) -> None:
    nothing: Any = None
    here = Context("T", "w", "a", "comment", {}, 2, 3, operation, None, None, nothing)
    assert run_key(here, seat) == key


def test_o3_a_review_by_an_agent_that_is_named_asks_nobody(make: Make) -> None:
    asked: list[str] = []

    class Asked(StaticAgents):
        def target(self, task: str, name: str) -> str:
            asked.append(name)
            return name

    rig = make(board(b=entering('run_code_review(agent=agent_profile("zoe"))')), agents=Asked())
    rig.service.create("T", "w")
    rig.service.move("T", "b")
    assert ([run.agent for run in rig.service.runs()], asked) == (["zoe"], [])


def test_o3_a_fan_out_takes_its_payload_and_reason_to_each_seat(make: Make) -> None:
    rig = make(board(b=entering('queue_run_for_each_participant(reviewer, reason="look", payload={ n: 1 })')))
    rig.service.create("T", "w")
    for agent in ("ada", "ben"):
        rig.service.seat("T", step="b", role="reviewer", agent=agent)
    rig.service.move("T", "b")
    told = [(run.agent, run.reason, run.payload) for run in rig.service.runs()]
    assert told == [("ada", "look", {"n": 1}), ("ben", "look", {"n": 1})]


def test_se5_a_fan_out_of_an_entry_does_not_stand_for_one_of_another_trigger(make: Make) -> None:
    """Also at the same position of the same entry."""
    fan_out = "queue_run_for_each_participant(reviewer)"
    rig = make(board(b=entering(fan_out) + f"\non comment {{ {fan_out} }}"))
    rig.service.create("T", "w")
    rig.service.seat("T", step="b", role="reviewer", agent="ada")
    rig.service.move("T", "b")
    rig.service.handle("T", "comment", payload={"comment_id": "1"})
    assert [run.reason for run in rig.service.runs()] == ["enter", "comment"]


def test_en10_a_move_that_a_decision_lets_through_is_an_arrival_with_its_row_and_entry(make: Make) -> None:
    rig = make(board(a="on turn_complete { -> b when any_reject(reviewer) }", b=entering('note_it(text="in b")')))
    rig.service.create("T", "w")
    outcome = rig.service.decide("T", role="reviewer", decider="ada", verdict="rejected", actor=Actor.human("ada"))
    assert [each.status for each in entry_of(outcome).actions] == ["applied"]
    assert rig.notes() == ["in b"]
    row = rig.service.history("T")[-1]
    assert (row.id, row.from_step, row.to_step, row.route) == (
        entry_of(outcome).entry_id,
        "a",
        "b",
        "engine_transition",
    )
    assert rig.service.audit().clean
