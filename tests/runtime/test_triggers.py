"""Every standard trigger end to end: payload, operation id, delivery, redelivery, failure and retry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from newel.runtime.errors import BlankOperation, PayloadError
from newel.runtime.outcomes import OutcomeKind
from newel.runtime.service import Service
from tests.runtime.boards import Make, Rig, board, compiled

PROGRAM = board()


@dataclass(frozen=True)
class Case:
    """One trigger: what it carries, under which id it is remembered, and what it may not carry."""

    trigger: str
    payload: Mapping[str, Any]
    operation: str
    wrong: Mapping[str, Any]
    other: Mapping[str, Any]
    blank: Mapping[str, Any] = field(default_factory=dict)


CHILD = {"task": "C", "step": "z", "finished": True, "entry": 7}
BUDGET = {"pct": 90, "workspace": "w1", "scope": "agent", "scope_id": "ada", "period_start": 86400}
CASES = [
    Case(
        "comment",
        {"comment_id": "c1", "author_id": "ann", "body": "look"},
        "task_comment:c1",
        {"comment_id": 1},
        {"comment_id": "c2"},
        {"comment_id": ""},
    ),
    # the shape is constant: the same delivery however the list reads
    Case("blocker_resolved", {"resolved": ["B-1"]}, "blockers_resolved:T", {"resolved": "B-1"}, {}),
    Case(
        "approval_resolved",
        {"approval_id": "a1", "status": "approved", "note": "fine"},
        "approval_resolved:a1",
        {"approval_id": "a1", "status": "maybe"},
        {"approval_id": "a2", "status": "rejected"},
        {"approval_id": " ", "status": "approved"},
    ),
    Case(
        "agent_error",
        {"run_id": "r1", "message": "it broke", "agent_id": "ada"},
        "agent_error:r1",
        {"run_id": "r1"},
        {"session_id": "s1", "execution_id": "e1", "message": "it broke"},
        {"run_id": "", "message": "it broke"},
    ),
    Case(
        "agent_error",
        {"session_id": "s1", "message": "it broke"},
        "agent_error:session:s1",
        {"session_id": "s1", "message": "x", "run": "r1"},
        {"session_id": "s1", "execution_id": "e1", "message": "it broke"},
        {"message": "it broke"},
    ),
    Case("heartbeat", {"at": 900}, "heartbeat:T:a:900", {"at": "now"}, {"at": 1800}),
    Case(
        "budget_alert",
        BUDGET,
        "budget:w1:agent:ada:90:86400",
        BUDGET | {"pct": 0},
        BUDGET | {"pct": 100},
        BUDGET | {"scope_id": ""},
    ),
    Case(
        "children_completed",
        {"children": [CHILD]},
        PROGRAM.operation_id("children_completed", task="T", children=[CHILD]),
        {"children": [{"task": "C"}]},
        {"children": [CHILD | {"entry": 8}]},
    ),
]
each = pytest.mark.parametrize("case", CASES, ids=lambda case: case.operation[:32])


def standing(make: Make, case: Case, *lines: str) -> Rig:
    """A task at a step with that trigger's list."""
    rig = make(board(a="\n".join((f"on {case.trigger} {{", *lines, "}"))))
    rig.service.create("T", "w")
    return rig


def fire(rig: Rig, case: Case, payload: Mapping[str, Any] | None = None, operation: str | None = None) -> OutcomeKind:
    carried = case.payload if payload is None else payload
    return rig.service.handle("T", case.trigger, payload=carried, operation_id=operation).kind


def again(rig: Rig, case: Case) -> OutcomeKind:
    """The same delivery at the step the task has reached: a heartbeat's own id would name that step."""
    return fire(rig, case, operation=case.operation)


def test_the_cases_are_all_triggers_that_carry_an_operation_id() -> None:
    declared = {name for name, trigger in PROGRAM.vocabulary.triggers.items() if trigger.operations}
    assert {case.trigger for case in CASES} == declared


@each
def test_en4_a_delivery_runs_with_its_payload_under_its_id_and_is_marked(make: Make, case: Case) -> None:
    rig = standing(make, case, "page", 'note_it(text="here")', "-> b")
    assert fire(rig, case) is OutcomeKind.MOVED
    (context,) = rig.paged
    assert (context.operation_id, context.trigger, context.entry_id) == (case.operation, case.trigger, 1)
    assert {name: context.payload[name] for name in case.payload} == dict(case.payload)
    assert context.idempotency_key == f"{rig.ledger.uuid}:{case.operation}:1:0"
    assert rig.notes() == ["here"]
    assert rig.service.task("T").step == "b"
    assert rig.service.operations.is_applied(case.operation)


@each
def test_en5_a_redelivery_runs_nothing_and_another_delivery_does(make: Make, case: Case) -> None:
    rig = standing(make, case, 'note_it(text="once")')
    assert [fire(rig, case) for _ in range(3)] == [OutcomeKind.STAYED, OutcomeKind.IDEMPOTENT, OutcomeKind.IDEMPOTENT]
    assert rig.notes() == ["once"]
    if case.other:
        assert fire(rig, case, case.other) is OutcomeKind.STAYED
        assert rig.notes() == ["once"] * 2


@each
def test_en2_a_failure_leaves_the_delivery_to_be_retried(make: Make, case: Case) -> None:
    rig = standing(make, case, 'note_it(text="once")', 'queue_run(target=agent(id="ada"))', "page", "boom", "-> b")
    for _ in range(2):
        with pytest.raises(ValueError, match="boom"):
            fire(rig, case)
    assert not rig.service.operations.is_applied(case.operation)
    assert rig.service.task("T").step == "a"
    rig.broken = False
    assert fire(rig, case) is OutcomeKind.MOVED
    # what stood before the outside action was committed each time; its run has a key, the host's note has none
    assert rig.notes() == ["once"] * 3 + ["boom"]
    assert [run.key for run in rig.service.runs("T")] == [f"{case.operation}:1:1"]
    assert len(rig.paged) == 3
    assert again(rig, case) is OutcomeKind.IDEMPOTENT


@each
def test_a_payload_that_does_not_fit_is_refused_before_anything_runs(make: Make, case: Case) -> None:
    rig = standing(make, case, 'note_it(text="once")')
    with pytest.raises(PayloadError, match=case.trigger):
        fire(rig, case, case.wrong)
    if case.blank:
        with pytest.raises(BlankOperation):
            fire(rig, case, case.blank)
    assert rig.notes() == []


@each
def test_en4_a_caller_that_owns_the_mark_makes_it_after_its_own_commit(make: Make, case: Case) -> None:
    rig = standing(make, case, "-> b")
    outcome = rig.service.handle("T", case.trigger, payload=case.payload, defer_operation_mark=True)
    assert outcome.moved
    assert not rig.service.operations.is_applied(case.operation)
    rig.service.operations.mark_applied(case.operation)
    assert again(rig, case) is OutcomeKind.IDEMPOTENT


def test_k3_a_heartbeat_of_another_step_or_second_is_another_one(make: Make) -> None:
    rig = make(board(a='on heartbeat { note_it(text="a") }', b='on heartbeat { note_it(text="b") }'))
    rig.service.create("T", "w")
    for step, at in (("a", 1), ("a", 1), ("a", 2), ("b", 2)):
        rig.service.move("T", step)
        rig.service.handle("T", "heartbeat", payload={"at": at})
    assert rig.notes() == ["a", "a", "b"]


@pytest.mark.parametrize("trigger", ["turn_start", "turn_complete"])
def test_en6_turns_carry_no_id_and_each_one_counts(make: Make, trigger: str) -> None:
    body = "on turn_start { -> b }" if trigger == "turn_start" else "on turn_complete { -> b }"
    rig = make(board(a=body, b=body.replace("-> b", "-> a")))
    rig.service.create("T", "w")
    assert [rig.service.handle("T", trigger).to_step for _ in range(3)] == ["b", "a", "b"]
    assert rig.service.operations._applied == set()


def test_ol12_a_services_deliveries_are_its_own(make: Make) -> None:
    """Another service on the same file, as in another process, knows nothing of what this one has applied."""
    program = compiled('workflow w "W" { step a "A" { start\non comment { queue_run(target=agent(id="ada")) } } }')
    rig = make(program)
    rig.service.create("T", "w")
    services: list[Service] = [rig.service, Service(program, rig.ledger)]
    kinds = [s.handle("T", "comment", payload={"comment_id": "1"}).kind for s in services * 2]
    assert kinds == [OutcomeKind.STAYED] * 2 + [OutcomeKind.IDEMPOTENT] * 2
    assert len(rig.service.runs("T")) == 1  # by the run's key, which is in the ledger
