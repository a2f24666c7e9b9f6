"""Decisions (Q5, Q2a, Q6) on programs compiled from text and real SQLite files."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from newel.compiler import compile_text
from newel.runtime import (
    Actor,
    GuardReason,
    Handlers,
    NewelError,
    Outcome,
    OutcomeKind,
    Service,
    StaticAgents,
    StepGone,
    UnknownRole,
    UnknownStep,
    UnknownTask,
    open_ledger,
)
from newel.runtime.quorum import known_role, roles, slate

OFFICE = """
workflow office "Office" {
  step work "Work" { start }
  step review "Review" {
    requires_signal
    on enter {
      clear_decisions
      queue_run_for_each_participant(reviewer)
    }
    on comment { -> work when any_reject(approver) }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> work when any_reject(reviewer)
    }
  }
  step shelf "Shelf" {}
  step done "Done" { end }
}
"""


TEMPLATE = 'seats [seat(reviewer, agent="eve"), seat(approver, agent="ada"), seat(reviewer, agent="fay")]'


class Office:
    def __init__(self, url: str, text: str = OFFICE, handlers: Handlers | None = None, **parts: Any) -> None:
        self.ledger = open_ledger(url)
        self.program = compile_text(text).require()
        self.service = Service(self.program, self.ledger, handlers, **parts)

    def start(self, task: str = "T", *agents: str, step: str = "review") -> None:
        self.service.create(task, "office", step)
        for agent in agents:
            self.service.seat(task, step=step, role="reviewer", agent=agent)

    def decide(self, decider: str, verdict: str, role: str = "reviewer", **more: Any) -> Outcome:
        return self.service.decide("T", role=role, decider=decider, verdict=verdict, **more)

    def at(self, task: str = "T") -> str | None:
        return self.service.task(task).step


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Callable[..., Office]]:
    made: list[Office] = []

    def make(*args: Any, **parts: Any) -> Office:
        made.append(Office(f"sqlite:///{tmp_path / f'{len(made)}.db'}?synchronous=NORMAL", *args, **parts))
        return made[-1]

    yield make
    for each in made:
        each.service.close()


Make = Callable[..., Office]


def test_q5_the_first_guard_that_holds_moves_the_task(office: Make) -> None:
    it = office()
    it.start("T", "ada", "ben")
    first = it.decide("ada", "approved")
    assert (first.kind, first.decision_id) == (OutcomeKind.STAYED, 1)
    assert [(g.to, g.reason, g.required, g.received) for g in first.guards] == [
        ("done", GuardReason.THRESHOLD_NOT_MET, 2, 1),
        ("work", GuardReason.THRESHOLD_NOT_MET, 1, 0),
    ]
    second = it.decide("ben", "approved")
    assert (second.kind, second.from_step, second.to_step, second.decision_id) == (
        OutcomeKind.MOVED,
        "review",
        "done",
        2,
    )
    assert second.entry is not None
    assert it.service.history("T")[-1].id == second.entry.entry_id
    assert it.service.history("T")[-1].route == "engine_transition"
    assert it.at() == "done"


def test_q5_a_rejection_takes_the_way_back(office: Make) -> None:
    it = office()
    it.start("T", "ada", "ben")
    assert it.decide("ada", "changes_requested").to_step == "work"


def test_q5_the_decision_is_stamped_with_the_current_entry_and_supersedes_the_deciders_earlier_one(
    office: Make,
) -> None:
    it = office()
    it.start("T", "ada", "ben")
    it.decide("ada", "looked", note="hm")
    it.decide("ada", "approved")
    it.decide("ben", "looked")
    entry = it.service.task("T").entry_id
    found = [(d.decider, d.verdict, d.superseded, d.entry_id, d.step) for d in it.service.decisions("T")]
    assert found == [
        ("ada", "looked", True, entry, "review"),
        ("ada", "approved", False, entry, "review"),
        ("ben", "looked", False, entry, "review"),
    ]
    assert it.service.decisions("T")[0].note == "hm"


def test_q5_it_needs_no_signal_and_no_session_where_handle_would_ask(office: Make) -> None:
    it = office()
    it.start("T", "ada")
    assert it.service.handle("T", "turn_complete").reason == "not_signalled"
    assert it.decide("ada", "approved").moved


def test_q5_only_guarded_moves_of_finished_work_are_asked(office: Make) -> None:
    it = office()
    it.start("T", "ada")
    outcome = it.decide("eve", "rejected", role="approver")
    assert outcome.kind is OutcomeKind.STAYED  # the comment's guard would hold
    assert it.service.handle("T", "comment", payload={"comment_id": "c"}).to_step == "work"


def test_q5_an_unguarded_move_is_the_turns_and_not_the_decisions(office: Make) -> None:
    it = office('workflow office "O" { step a "A" { start\n on turn_complete { -> b } }\n step b "B" { end } }')
    it.start("T", step="a")
    outcome = it.decide("ada", "approved")
    assert (outcome.kind, outcome.guards, it.at()) == (OutcomeKind.STAYED, (), "a")


def test_q5_if_entry_refuses_a_decision_on_an_entry_that_has_passed(office: Make) -> None:
    it = office()
    it.start("T", "ada")
    seen = it.service.task("T").entry_id
    it.service.move("T", "work")
    it.service.move("T", "review")
    outcome = it.decide("ada", "approved", if_entry=seen)
    assert (outcome.kind, outcome.decision_id) == (OutcomeKind.ABANDONED, None)
    assert it.service.decisions("T") == ()
    assert it.decide("ada", "approved", if_entry=it.service.task("T").entry_id).moved


def test_q5_who_decides_is_an_agent_unless_it_is_said(office: Make) -> None:
    it = office()
    it.start("T", "ada", "ben")
    it.decide("ada", "looked")
    it.decide("eve", "rejected", role="watcher", actor=Actor.human("eve"))
    assert [d.decider_kind for d in it.service.decisions("T")] == ["agent", "human"]
    row = it.service.history("T")[-1]
    assert (row.to_step, row.actor_kind, row.actor_id) == ("work", "human", "eve")


def test_q5_the_decisions_operation_is_marked(office: Make) -> None:
    it = office()
    it.start("T", "ada", "ben")
    it.decide("ada", "approved")
    assert it.service.operations.is_applied("decision:T:review:1")
    it.decide("ben", "approved")
    assert it.service.operations.is_applied("decision:T:review:2")


def test_q5_the_decision_stands_though_the_task_leaves_before_its_move(office: Make) -> None:
    handlers = Handlers()
    words = "action ring on enter, exit\ndispatch { ring }\n"
    it = office(words + OFFICE.replace("requires_signal", "on exit { ring }"), handlers)
    it.start("T", "ada")
    calls: list[str] = []

    @handlers.action("ring")
    def ring(action: Any, context: Any) -> None:
        if not calls:
            calls.append(context.step)
            context.service.move("T", "shelf")

    outcome = it.decide("ada", "approved")
    assert (outcome.kind, outcome.decision_id) == (OutcomeKind.ABANDONED, 1)
    assert [d.verdict for d in it.service.decisions("T")] == ["approved"]
    assert it.at() == "shelf"
    assert not it.service.operations.is_applied("decision:T:review:1")


@pytest.mark.parametrize("broken", ["exit", "guard"])
def test_q5_the_decision_stands_whatever_happens_to_its_move(office: Make, broken: str) -> None:
    words = "action ring on enter, exit\ndispatch { ring }\nguard funded\n"
    text = OFFICE.replace("requires_signal", "on exit { ring }").replace(
        "-> done when all_approve(reviewer)", "-> done when all_approve(reviewer) and funded"
    )
    handlers = Handlers()
    it = office(words + text, handlers)

    @handlers.action("ring")
    def ring(action: Any, context: Any) -> None:
        raise OSError("no line")

    @handlers.guard("funded")
    def funded(guard: Any, context: Any) -> bool:
        if broken == "guard":
            raise OSError("no money")
        return True

    it.start("T", "ada")
    outcome = it.decide("ada", "approved")
    assert (outcome.kind, outcome.decision_id, it.at()) == (OutcomeKind.STAYED, 1, "review")
    assert [d.verdict for d in it.service.decisions("T")] == ["approved"]
    if broken == "guard":
        assert outcome.guards[0].reason is GuardReason.EVALUATION_ERROR
        assert outcome.reason is None
    else:
        assert outcome.reason == "reevaluation_failed: OSError: no line"
        assert not it.service.operations.is_applied("decision:T:review:1")


def test_q5_an_interruption_passes_and_the_decision_stands(office: Make) -> None:
    words = "action ring on enter, exit\ndispatch { ring }\n"
    handlers = Handlers()
    it = office(words + OFFICE.replace("requires_signal", "on exit { ring }"), handlers)

    @handlers.action("ring")
    def ring(action: Any, context: Any) -> None:
        raise KeyboardInterrupt

    it.start("T", "ada")
    with pytest.raises(KeyboardInterrupt):
        it.decide("ada", "approved")
    assert len(it.service.decisions("T")) == 1
    assert it.at() == "review"


def test_q5_a_decision_that_cannot_be_meant_is_refused_and_nothing_recorded(office: Make) -> None:
    it = office()
    it.start("T", "ada")
    with pytest.raises(UnknownRole, match="did you mean 'reviewer'"):
        it.decide("ada", "approved", role="reviwer")
    with pytest.raises(UnknownTask, match="'X'"):
        it.service.decide("X", role="reviewer", decider="ada", verdict="approved")
    blanks: tuple[dict[str, Any], ...] = ({"decider": ""}, {"verdict": ""})
    for blank in blanks:
        with pytest.raises(NewelError, match="blank"):
            it.service.decide("T", **{"role": "reviewer", "decider": "ada", "verdict": "approved", **blank})
    assert it.service.decisions("T") == ()
    it.service.detach("T")
    with pytest.raises(UnknownStep, match="no step"):
        it.decide("ada", "approved")


def test_q5_at_a_step_that_is_gone_nothing_is_decided(office: Make) -> None:
    it = office()
    it.start("T", "ada")
    it.service.set_program(compile_text(OFFICE.replace("step review", "step checks")).require())
    with pytest.raises(StepGone):
        it.decide("ada", "approved")
    assert it.service.decisions("T") == ()


def test_q2a_a_lost_clearing_lets_no_old_approval_through(office: Make) -> None:
    it = office()
    it.start("T", "ada", "ben")
    it.decide("ada", "approved")
    it.service.move("T", "work")
    with it.ledger.transaction() as tx:  # arrives, and dies before the entry is run
        task = tx.lock_task("T")
        assert task is not None
        revision = it.program.revision
        tx.arrive(task, "office", "review", route="unknown", actor=Actor(), session=None, revision=revision)
    assert [d.superseded for d in it.service.decisions("T")] == [False]
    outcome = it.decide("ben", "approved")
    assert outcome.kind is OutcomeKind.STAYED
    assert (outcome.guards[0].required, outcome.guards[0].received) == (2, 1)


def test_q6_the_fan_out_wakes_exactly_the_seats_the_guard_counts(office: Make) -> None:
    dice = random.Random(6)  # noqa: S311 - the same seats at each run of the test
    agents = ["ada", "ben", "cy", "dan", "eve"]
    for round_ in range(12):
        it = office(OFFICE.replace("requires_signal", TEMPLATE if round_ % 2 else ""))
        it.service.create("T", "office", "work")
        for _ in range(dice.randrange(7)):
            it.service.seat(
                "T",
                step=dice.choice(["work", "review", "shelf"]),
                role=dice.choice(["reviewer", "approver"]),
                agent=dice.choice(agents),
                decision_required=dice.random() < 0.7,
                position=dice.randrange(3),
            )
        it.service.move("T", "review")
        counted = slate(it.program, "office", "review", "reviewer", it.service.seats("T"))
        assert [run.agent for run in it.service.runs("T")] == [seat.agent for seat in counted], round_
        for seat in counted[:-1]:
            assert it.decide(seat.agent, "approved").kind is OutcomeKind.STAYED
        if counted:
            assert it.decide(counted[-1].agent, "approved").to_step == "done"


def test_q5_a_trade_with_words_of_its_own_decides_too(office: Make) -> None:
    words = """
use nothing
type post = inspector | clerk
trigger checked means work_done
moves guarded on checked
guard all_approve(post: post) means approval(post)
"""
    board = """
workflow office "O" {
  step bay "B" {
    start
    on checked { -> out when all_approve(inspector) }
  }
  step out "Out" { end }
}
"""
    it = office(words + board)
    it.service.create("T", "office")
    it.service.seat("T", step="bay", role="inspector", agent="ada")
    assert it.decide("ada", "approved", role="inspector").to_step == "out"
    with pytest.raises(UnknownRole, match="inspector, clerk"):
        it.decide("ada", "approved", role="reviewer")


def test_roles_are_those_of_the_vocabulary() -> None:
    program = compile_text(OFFICE + "extend type role = legal\n").require()
    assert "legal" in roles(program.vocabulary)
    assert known_role(program, "legal") == "legal"
    with pytest.raises(UnknownRole, match="roles are"):
        known_role(program, "")
    bare = compile_text('use nothing\nworkflow w "W" { step a "A" { start\n end } }').require()
    assert known_role(bare, "anything") == "anything"


# ---------------------------------------------------------------- at once


def _race(*calls: Callable[[], Outcome]) -> list[Outcome]:
    gate = threading.Barrier(len(calls))
    found: dict[int, Outcome] = {}

    def run(number: int) -> None:
        gate.wait(10)
        found[number] = calls[number]()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [found[n] for n in range(len(calls))]


def test_r6_a_mover_and_a_decider_at_once_leave_one_chain(office: Make) -> None:
    it = office(agents=StaticAgents(runner="ada"))
    for number in range(40):
        task = f"T{number}"
        it.start(task, "ada")
        moved, decided = _race(
            partial(it.service.move, task, "shelf"),
            partial(it.service.decide, task, role="reviewer", decider="ada", verdict="approved"),
        )
        assert moved.moved
        assert decided.decision_id is not None
        steps = [row.to_step for row in it.service.history(task)]
        expected = {
            OutcomeKind.MOVED: ["review", "done", "shelf"],
            OutcomeKind.ABANDONED: ["review", "shelf"],
            OutcomeKind.STAYED: ["review", "shelf"],
        }
        assert steps == expected[decided.kind]
    assert it.service.audit().clean


def test_r6_two_deciders_at_once_move_the_task_once(office: Make) -> None:
    it = office()
    for number in range(40):
        task = f"T{number}"
        it.start(task, "ada", "ben")
        decide = partial(it.service.decide, task, role="reviewer", verdict="approved")
        found = _race(partial(decide, decider="ada"), partial(decide, decider="ben"))
        kinds = sorted(outcome.kind.value for outcome in found)
        assert kinds.count("moved") == 1
        assert kinds[0] in ("abandoned", "moved")
        assert [row.to_step for row in it.service.history(task)] == ["review", "done"]
    assert it.service.audit().clean


def test_the_guard_race_of_a_rejection_and_a_turn_never_goes_on_against_the_rejection(office: Make) -> None:
    it = office()
    for number in range(40):
        task = f"T{number}"
        it.start(task, "ada", "ben")
        with it.ledger.transaction() as tx:
            at = tx.lock_task(task)
            assert at is not None
            assert at.entry_id is not None
            for agent in ("ada", "ben"):
                tx.add_decision(
                    task,
                    "office",
                    "review",
                    at.entry_id,
                    role="reviewer",
                    decider=agent,
                    decider_kind="agent",
                    verdict="approved",
                    note=None,
                )
        _race(
            partial(it.service.handle, task, "turn_complete", signalled=True),
            partial(it.service.decide, task, role="reviewer", decider="ada", verdict="rejected"),
        )
        rows = it.service.history(task)
        last = it.service.decisions(task)[-1]
        if rows[-1].to_step == "done":  # then the rejection came after it, at the new step
            assert last.step == "done"
        else:
            assert (rows[-1].to_step, last.step) == ("work", "review")


def test_q1_a_verdict_that_looks_like_another_stands_and_is_told_to_who_listens(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    it = Office(f"sqlite:///{tmp_path}/t.db")
    it.start("T", "ada")
    with it.service:
        it.decide("ada", "aproved")
        assert caplog.records == []
        caplog.set_level("INFO", "newel.decisions")
        assert it.decide("eve", "aproved").decision_id == 2
        it.decide("ada", "commented")
        told = [record.message for record in caplog.records]
    assert [line.partition(": ")[0] for line in told] == ["decision 2 on task 'T'"] * 2
    assert "did you mean 'approved'?" in told[0]
    assert "'eve' has no seat as reviewer at review" in told[1]
    assert "those who have one are ada" in told[1]


# ---------------------------------------------------------------- whose step it was


TWO = """
workflow a "A" {
  step review "R" { start
    on turn_complete { -> done when all_approve(reviewer) } }
  step done "D" { end }
}
workflow b "B" {
  step review "R" { start
    on comment { clear_decisions }
    on turn_complete { -> done when all_approve(reviewer) } }
  step done "D" { end }
}
"""


def decided(it: Any, verdict: str = "approved") -> Outcome:
    found: Outcome = it.service.decide("T", role="reviewer", decider="ada", verdict=verdict)
    return found


def test_q4_a_decision_at_a_step_of_another_workflow_does_not_count_at_one_of_its_name(office: Make) -> None:
    """Ada approves under `a`; nobody has decided anything under `b`, which the task was switched to."""
    it = office(TWO)
    it.service.create("T", "a")
    for agent in ("ada", "ben"):
        it.service.seat("T", step="review", role="reviewer", agent=agent)
    assert decided(it).kind is OutcomeKind.STAYED
    it.service.switch("T", "b")
    it.service.seat("T", step="review", role="reviewer", agent="ada")
    outcome = it.service.handle("T", "turn_complete")
    assert outcome.kind is OutcomeKind.STAYED
    assert [(guard.required, guard.received) for guard in outcome.guards] == [(1, 0)]
    assert decided(it).moved


def test_se5_what_is_decided_or_cleared_under_one_workflow_leaves_the_other_alone(office: Make) -> None:
    it = office(TWO)
    it.service.create("T", "a")
    decided(it)
    it.service.switch("T", "b")
    decided(it, "rejected")
    assert [(d.workflow, d.verdict, d.superseded) for d in it.service.decisions("T")] == [
        ("a", "approved", False),
        ("b", "rejected", False),
    ]
    it.service.handle("T", "comment", payload={"comment_id": "1"})
    assert [(d.workflow, d.verdict) for d in it.service.decisions("T")] == [("a", "approved")]
