"""Moves that wait for an approval (EN9), from the trigger that reaches them to the person who settles them."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from newel.compiler.program import Program
from newel.runtime.errors import NoSuchApproval, PayloadError, StepGone, UnknownTask
from newel.runtime.outcomes import GuardReason, Outcome, OutcomeKind
from newel.runtime.ports import Actor, Context
from newel.runtime.rows import Approval
from tests.runtime.boards import Make, Rig, board, compiled, entering, statuses

ANN = Actor.human("ann")
PLAIN = board(a="on comment { -> b requires approval }", b=entering('note_it(text="in b")'))


def guarded(*lines: str, exits: str = "") -> Program:
    """Step a with these lines on a comment, and a guard of the host's own."""
    body = "on comment {\n" + "\n".join(lines) + "\n}\n" + (f"on exit {{ {exits} }}\n" if exits else "")
    steps = f'step a "A" {{\nstart\n{body}}}\nstep b "B" {{ on comment {{ -> a }} }}\nstep c "C" {{ }}\n'
    return compiled(f'guard paid\nworkflow w "W" {{\n{steps}}}\n')


def comment(rig: Rig, number: str = "1", **more: Any) -> Outcome:
    return rig.service.handle("T", "comment", payload={"comment_id": number}, **more)


def reached(make: Make, program: Program) -> tuple[Rig, int]:
    """A task whose move waits; the approval's id."""
    rig = make(program)
    rig.service.create("T", "w")
    outcome = comment(rig)
    assert outcome.kind is OutcomeKind.PENDING_APPROVAL
    return rig, outcome.pending[0]


def paid(rig: Rig, *answers: bool) -> list[Context]:
    """Answer the guard so, one time after the other, the last for ever."""
    asked: list[Context] = []

    def answer(guard: Any, context: Context) -> bool:
        asked.append(context)
        return answers[min(len(asked), len(answers)) - 1]

    rig.handlers.guard("paid")(answer)
    return asked


# ---------------------------------------------------------------- reached


def test_en9_a_move_that_is_reached_waits_and_moves_only_when_approved(make: Make) -> None:
    rig, number = reached(make, PLAIN)
    entry = rig.service.task("T").entry_id
    assert entry is not None
    waiting = Approval(
        number, "T", entry, "comment", 0, "b", payload={"comment_id": "1"} | dict.fromkeys(("author_id", "body"))
    )
    assert rig.service.approvals("T") == (waiting,)
    assert rig.service.approval(number) == waiting
    assert (rig.service.task("T").step, rig.notes()) == ("a", [])
    outcome = rig.service.approve(number, actor=ANN)
    assert (outcome.kind, outcome.from_step, outcome.to_step) == (OutcomeKind.MOVED, "a", "b")
    assert statuses(outcome) == ["applied"]
    assert rig.notes() == ["in b"]
    row = rig.service.history("T")[-1]
    assert (row.route, row.actor_kind, row.actor_id) == ("engine_transition", "human", "ann")
    settled = rig.service.approval(number)
    assert (settled.status, settled.actor_kind, settled.actor_id) == ("approved", "human", "ann")
    assert rig.service.audit().clean


def test_en9_a_move_is_stored_once_for_an_entry_whoever_reaches_it_again(make: Make) -> None:
    rig, number = reached(make, PLAIN)
    again = comment(rig, "2")
    assert (again.kind, again.pending) == (OutcomeKind.PENDING_APPROVAL, (number,))
    assert comment(rig, "2").kind is OutcomeKind.IDEMPOTENT
    assert len(rig.service.approvals("T")) == 1
    rig.service.move("T", "b")
    rig.service.move("T", "a")
    assert comment(rig, "3").pending == (number + 1,)
    assert [a.status for a in rig.service.approvals("T")] == ["pending", "pending"]


def test_en9_the_list_goes_on_and_a_later_move_may_be_taken(make: Make) -> None:
    rig = make(board(a='on comment {\n-> b requires approval\nnote_it(text="on")\n-> c\n}'))
    rig.service.create("T", "w")
    outcome = comment(rig)
    assert (outcome.kind, outcome.to_step) == (OutcomeKind.MOVED, "c")
    assert rig.notes() == ["on"]
    assert outcome.pending == (rig.service.approvals("T")[0].id,)
    assert rig.service.approve(outcome.pending[0]).kind is OutcomeKind.ABANDONED


def test_en9_behind_a_move_that_is_taken_nothing_is_asked_for(make: Make) -> None:
    rig = make(guarded("-> b when paid", "-> c requires approval"))
    paid(rig, True)
    rig.service.create("T", "w")
    assert comment(rig).pending == ()
    assert rig.service.approvals("T") == ()


def test_en9_a_guard_that_does_not_hold_asks_for_no_approval(make: Make) -> None:
    rig = make(guarded("-> b requires approval when paid", "-> c requires approval"))
    paid(rig, False)
    rig.service.create("T", "w")
    outcome = comment(rig)
    assert [(g.to, g.reason) for g in outcome.guards] == [("b", GuardReason.NOT_FULFILLED)]
    assert [(a.to, a.position) for a in rig.service.approvals("T")] == [("c", 1)]
    assert rig.seen.named("guards_not_fired") == [(("reason", "not_fulfilled"),)]


def test_en9_what_the_guard_of_a_waiting_move_said_binds_no_later_move(make: Make) -> None:
    """The guard that let the approval be asked for is not the one that is read again before another move."""
    rig = make(guarded("-> b requires approval when paid", "page", "-> c"))
    asked = paid(rig, True, False)
    rig.service.create("T", "w")
    assert comment(rig).to_step == "c"
    assert len(asked) == 1


def test_en9_what_a_lost_race_takes_back_does_not_wait(make: Make) -> None:
    rig = make(guarded("-> c requires approval", "page", "-> b requires approval", "-> b when paid", exits="page"))
    paid(rig, True, False)
    rig.service.create("T", "w")
    outcome = comment(rig)
    stored = [a.id for a in rig.service.approvals("T")]
    assert outcome.kind is OutcomeKind.ABANDONED
    assert list(outcome.pending) == stored
    assert [g.reason for g in outcome.guards] == [GuardReason.NOT_FULFILLED]


def test_en9_a_failure_in_the_list_takes_the_approval_back_and_the_retry_stores_it(make: Make) -> None:
    rig = make(board(a="on comment {\n-> b requires approval\nboom\n}"))
    rig.service.create("T", "w")
    with pytest.raises(ValueError, match="boom"):
        comment(rig)
    assert rig.service.approvals("T") == ()
    rig.broken = False
    assert comment(rig).pending == (rig.service.approvals("T")[0].id,)


def test_en9_a_payload_that_cannot_be_kept_is_said_to_be_so(make: Make) -> None:
    rig = make(
        compiled(
            'trigger order(parts: map?)\nmoves guarded on order\nworkflow w "W" {\nstep a "A" { start\n'
            'on order { -> b requires approval } }\nstep b "B" { }\n}'
        )
    )
    rig.service.create("T", "w")
    endless: dict[str, Any] = {}
    endless["itself"] = endless
    for parts in ({"x": object()}, endless, {"x": 10**5000}):
        with pytest.raises(PayloadError, match="cannot be kept") as raised:
            rig.service.handle("T", "order", payload={"parts": parts})
        assert raised.value.__notes__ == ["in ->, at position 0 on order at a"]
    assert rig.service.approvals("T") == ()


# ---------------------------------------------------------------- evaluated only


def test_en9_evaluating_says_what_would_wait_and_stores_nothing(make: Make) -> None:
    rig = make(guarded("-> b requires approval when paid"))
    paid(rig, False, True)
    rig.service.create("T", "w")
    outcome = comment(rig, evaluate_only=True)
    assert (outcome.kind, [g.to for g in outcome.guards]) == (OutcomeKind.STAYED, ["b"])
    outcome = comment(rig, evaluate_only=True)
    assert (outcome.kind, outcome.pending, outcome.evaluated) == (OutcomeKind.PENDING_APPROVAL, (), True)
    assert rig.service.approvals("T") == ()
    (number,) = comment(rig).pending
    outcome = comment(rig, "2", evaluate_only=True)
    assert (outcome.kind, outcome.pending) == (OutcomeKind.PENDING_APPROVAL, (number,))
    rig.service.reject(number)
    outcome = comment(rig, "2", evaluate_only=True)
    assert (outcome.kind, outcome.pending, outcome.reason) == (OutcomeKind.STAYED, (), "rejected")


# ---------------------------------------------------------------- approved


def test_en9_approving_asks_the_guard_again_with_what_the_trigger_carried(make: Make) -> None:
    rig = make(guarded("-> b requires approval when paid"))
    asked = paid(rig, True, False, True)
    rig.service.create("T", "w")
    (number,) = comment(rig, "7").pending
    outcome = rig.service.approve(number)
    assert (outcome.kind, [g.reason for g in outcome.guards]) == (OutcomeKind.STAYED, [GuardReason.NOT_FULFILLED])
    assert rig.service.approval(number).status == "pending"
    assert rig.service.approve(number).moved
    assert [context.payload["comment_id"] for context in asked] == ["7", "7", "7"]
    assert [(context.trigger, context.position) for context in asked] == [("comment", 0)] * 3


def test_en9_the_guard_holds_in_the_transaction_of_the_move_though_the_exit_list_was_slow(make: Make) -> None:
    rig = make(guarded("-> b requires approval when paid", exits="page"))
    paid(rig, True, True, False, True)
    rig.service.create("T", "w")
    (number,) = comment(rig).pending
    outcome = rig.service.approve(number)
    assert (outcome.kind, len(outcome.guards), len(rig.paged)) == (OutcomeKind.STAYED, 1, 1)
    assert rig.service.approval(number).status == "pending"
    assert rig.service.approve(number).moved
    assert len(rig.paged) == 2


def test_en9_a_task_that_has_left_and_come_back_needs_another_approval(make: Make) -> None:
    rig, number = reached(make, PLAIN)
    rig.service.move("T", "c")
    rig.service.move("T", "a")
    rows = len(rig.service.history("T"))
    for settle in (rig.service.approve, rig.service.reject):
        outcome = settle(number)
        assert (outcome.kind, outcome.from_step) == (OutcomeKind.ABANDONED, "a")
    assert rig.service.approval(number).status == "pending"
    assert len(rig.service.history("T")) == rows


def test_en9_a_task_that_leaves_while_its_exit_list_runs_is_abandoned(make: Make) -> None:
    rig, number = reached(make, board(a="on comment { -> b requires approval }\non exit { page }"))
    rig.on_page = lambda action, context: len(rig.paged) == 1 and rig.service.move("T", "c")
    assert rig.service.approve(number).kind is OutcomeKind.ABANDONED
    assert rig.service.task("T").step == "c"
    assert rig.service.approval(number).status == "pending"


def test_en9_of_two_who_approve_at_once_one_moves(make: Make) -> None:
    rig, number = reached(make, PLAIN)
    gate, kinds = threading.Barrier(4), []

    def approve() -> None:
        gate.wait()
        kinds.append(rig.service.approve(number).kind)

    threads = [threading.Thread(target=approve) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(kinds) == ["abandoned"] * 3 + ["moved"]
    assert len(rig.service.history("T")) == 2


def test_en9_neither_call_fires_the_hosts_own_trigger(make: Make) -> None:
    body = 'on comment { -> b requires approval }\non approval_resolved { note_it(text="resolved") }'
    rig, number = reached(make, board(a=body, b='on approval_resolved { note_it(text="resolved") }'))
    rig.service.reject(number)
    rig.service.move("T", "b")
    rig.service.move("T", "a")
    rig.service.approve(comment(rig, "2").pending[0])
    assert rig.notes() == []


def test_en9_a_failing_exit_list_leaves_the_approval_pending(make: Make) -> None:
    rig, number = reached(make, board(a="on comment { -> b requires approval }\non exit { boom }"))
    with pytest.raises(ValueError, match="boom"):
        rig.service.approve(number)
    assert (rig.service.approval(number).status, rig.service.task("T").step) == ("pending", "a")
    rig.broken = False
    assert rig.service.approve(number).moved


def test_en9_a_program_that_has_changed_is_asked_as_it_is_now(make: Make) -> None:
    rig, number = reached(make, PLAIN)
    for body in ("", "on comment { -> c requires approval }", "on comment { -> b }", "on comment { page }"):
        rig.service.set_program(board(a=body))
        outcome = rig.service.approve(number)
        assert (outcome.kind, outcome.reason) == (OutcomeKind.STAYED, "no_such_move")
    rig.service.set_program(compiled('workflow w "W" { step z "Z" { start } }'))
    with pytest.raises(StepGone):
        rig.service.approve(number)
    rig.service.set_program(PLAIN)
    assert rig.service.approve(number).moved


# ---------------------------------------------------------------- rejected


def test_en9_a_rejected_move_is_not_asked_for_again_under_that_entry(make: Make) -> None:
    rig, number = reached(make, PLAIN)
    outcome = rig.service.reject(number, actor=ANN)
    assert (outcome.kind, outcome.reason) == (OutcomeKind.STAYED, "rejected")
    assert rig.service.reject(number).kind is OutcomeKind.STAYED
    settled = rig.service.approval(number)
    assert (settled.status, settled.actor_kind, settled.actor_id) == ("rejected", "human", "ann")
    outcome = comment(rig, "2")
    assert (outcome.kind, outcome.pending, outcome.reason) == (OutcomeKind.STAYED, (), "rejected")
    outcome = rig.service.approve(number)
    assert (outcome.kind, outcome.reason) == (OutcomeKind.STAYED, "rejected")
    rig.service.move("T", "b")
    rig.service.move("T", "a")
    assert comment(rig, "3").kind is OutcomeKind.PENDING_APPROVAL


def test_en9_whoever_rejects_first_stops_the_move(make: Make) -> None:
    rig, number = reached(make, board(a="on comment { -> b requires approval }\non exit { page }"))
    rig.on_page = lambda action, context: rig.service.reject(number)
    outcome = rig.service.approve(number)
    assert (outcome.kind, outcome.reason) == (OutcomeKind.STAYED, "rejected")
    assert rig.service.task("T").step == "a"


def test_en9_a_cause_puts_its_actor_on_who_settles(make: Make) -> None:
    rig, number = reached(make, PLAIN)
    with rig.service.cause(actor=ANN):
        rig.service.reject(number, actor=Actor.agent("bot"))
    assert rig.service.approval(number).actor_id == "ann"


# ---------------------------------------------------------------- in the ledger


@pytest.mark.parametrize("call", ["approve", "reject", "approval"])
def test_an_approval_nobody_asked_for_is_an_error(make: Make, call: str) -> None:
    rig = make(PLAIN)
    with pytest.raises(NoSuchApproval, match="7"):
        getattr(rig.service, call)(7)
    with pytest.raises(UnknownTask):
        rig.service.approvals("T")


def test_sl8_a_removed_task_takes_its_approvals_along(make: Make) -> None:
    rig, number = reached(make, PLAIN)
    rig.service.remove("T")
    assert rig.table("newel_approvals") == []
    with pytest.raises(NoSuchApproval):
        rig.service.approve(number)


def test_ob4_an_approval_of_an_entry_that_is_no_row_of_its_task_is_found(make: Make) -> None:
    rig, _ = reached(make, PLAIN)
    assert rig.service.audit().clean
    rig.service.create("U", "w")
    with rig.ledger.transaction() as tx:
        tx.execute("UPDATE newel_approvals SET task = 'U'")
    assert [(i.kind.value, i.task) for i in rig.service.audit().findings] == [("stray", "U")]


# ---------------------------------------------------------------- into a full step


def test_en9_an_approved_move_into_a_full_step_waits_for_a_place_and_needs_no_second_approval(make: Make) -> None:
    rig, number = reached(make, board(a="on comment { -> b requires approval }", b="wip_limit 1"))
    rig.service.create("U", "w", "b")
    outcome = rig.service.approve(number, actor=ANN)
    assert (outcome.kind, outcome.to_step, outcome.entry) == (OutcomeKind.QUEUED, "b", None)
    assert rig.service.approval(number).status == "approved"
    assert rig.service.approve(number).kind is OutcomeKind.QUEUED
    rejected = rig.service.reject(number)
    assert (rejected.kind, rejected.reason) == (OutcomeKind.STAYED, "approved")
    again = comment(rig, "2")
    assert (again.kind, again.pending, again.reason) == (OutcomeKind.STAYED, (), "approved")
    (pulled,) = rig.service.move("U", "c").pulled
    assert (pulled.to_step, rig.service.task("T").step) == ("b", "b")
    assert rig.service.approve(number).kind is OutcomeKind.ABANDONED
    assert [row.route for row in rig.service.history("T")] == ["created", "pull"]


def test_en9_a_task_that_waits_no_more_takes_the_approved_move_again(make: Make) -> None:
    rig, number = reached(make, board(a="on comment { -> b requires approval }", b="wip_limit 1"))
    rig.service.create("U", "w", "b")
    assert rig.service.approve(number).kind is OutcomeKind.QUEUED
    rig.service.move("T", "a")
    rig.service.move("U", "c")
    assert rig.service.task("T").step == "a"
    assert rig.service.approve(number).moved
