"""What a changed guard, a changed seat and a new name come to for the tasks of a ledger: what is said happens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from newel.compiler import compile_text
from newel.runtime import Service, open_ledger
from newel.runtime.errors import StepGone
from newel.runtime.judging import Judged, Verdict, judge
from newel.runtime.outcomes import OutcomeKind
from newel.runtime.ports import Actor

OLD = """\
guard paid on turn_complete

workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> review }
  }
  step review "Review" {
    seats [seat(reviewer, agent="ada"), seat(reviewer, agent="ben"), seat(approver, agent="eve")]
    on enter {
      clear_decisions
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> work when any_reject(reviewer)
    }
  }
  step done "Done" { end }
}
"""
ALL = "all_approve(reviewer)"


def changed(right: str, wrong: str) -> str:
    assert right in OLD
    return OLD.replace(right, wrong)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Nobody has decided on `none`; on `one` ada has approved, on `odd` she has said a word of her own."""
    with Service(compile_text(OLD).require(), open_ledger(f"sqlite:///{tmp_path}/tasks.db")) as made:
        for task in ("none", "one", "odd"):
            made.create(task, workflow="desk", step="review")
        made.decide("one", role="reviewer", decider="ada", verdict="approved")
        made.decide("odd", role="reviewer", decider="ada", verdict="abstained")
        yield made


def judged(service: Service, new: str, **more: object) -> dict[str, Judged]:
    found = judge(service.wired().ledger, compile_text(OLD).require(), compile_text(new).require(), **more)  # type: ignore[arg-type]  # `grade` alone
    return {each.task: each for each in found}


def said(service: Service, new: str) -> dict[str, tuple[str, str]]:
    """The verdict on each task, and what is said of its guard."""
    return {
        task: (each.verdict.value, each.reasons[0].text.rpartition("; ")[2])
        for task, each in judged(service, new).items()
    }


GUARDS = [
    ("n_approve(reviewer, count=3)", "none", "breaks", "it can never hold: 3 asked for, 2 seated"),
    ("n_approve(reviewer, count=3)", "one", "breaks", "it can never hold: 3 asked for, 2 seated"),
    ("n_approve(reviewer, count=1)", "none", "compatible", "it is still open (0 of 1)"),
    ("n_approve(reviewer, count=1)", "one", "needs_mapping", "it would hold at once (1 of 1)"),
    ("n_approve(reviewer, count=1)", "odd", "compatible", "it is still open (0 of 1)"),
    ("n_approve(reviewer, count=2)", "one", "compatible", "it is still open (1 of 2)"),
    ("majority_approve(reviewer)", "one", "compatible", "it is still open (1 of 2)"),
    ("all_approve(approver)", "one", "needs_mapping", "it is still open (0 of 1)"),  # eve was not woken
    (f"{ALL} and n_approve(reviewer, count=3)", "one", "breaks", "it can never hold: 3 asked for, 2 seated"),
    ("n_approve(reviewer, count=1) or n_approve(reviewer, count=3)", "one", "needs_mapping", "(1 of 1, 1 of 3)"),
    ("n_approve(reviewer, count=1) and not any_reject(reviewer)", "one", "needs_mapping", "(1 of 1, 0 of 1)"),
    ("not n_approve(reviewer, count=3)", "none", "needs_mapping", "it would hold at once"),
    ("not n_approve(reviewer, count=1)", "one", "compatible", "it is still open (1 of 1)"),
]  # fmt: skip


@pytest.mark.parametrize(("guard", "task", "verdict", "told"), GUARDS)
def test_a_changed_guard_is_held_against_the_seats_and_decisions(
    service: Service, guard: str, task: str, verdict: str, told: str
) -> None:
    """And that happens: a finished turn moves where it holds at once, and no approvals move where it never can."""
    new = changed(f"when {ALL}", f"when {guard}")
    found, text = said(service, new)[task]
    assert found == verdict
    assert told in text
    service.set_program(compile_text(new).require())
    moved = service.handle(task, "turn_complete", evaluate_only=True).kind is OutcomeKind.MOVED
    assert moved is ("at once" in text)
    if verdict == "breaks":
        for agent in ("ada", "ben"):
            assert not service.decide(task, role="reviewer", decider=agent, verdict="approved").moved


def test_a_guard_of_the_host_is_not_guessed_at(service: Service) -> None:
    found = judged(service, changed(f"when {ALL}", f"when {ALL} and paid"))["one"]
    assert found.verdict is Verdict.NEEDS_MAPPING
    assert found.reasons[0].text.endswith(f"`{ALL} and paid` instead of `{ALL}`")


def test_what_could_never_hold_before_is_not_the_change_s_doing(service: Service) -> None:
    old, new = (changed(f"when {ALL}", f"when n_approve(reviewer, count={count})") for count in (4, 3))
    service.set_program(compile_text(old).require())
    service.create("late", workflow="desk", step="review")
    late = judged(service, new)["late"]
    assert late.verdict is Verdict.NEEDS_MAPPING
    assert late.reasons[0].text.endswith("it can never hold: 3 asked for, 2 seated, as before")


def test_a_grade_that_a_user_has_set_is_kept(service: Service) -> None:
    new = changed(f"when {ALL}", "when n_approve(reviewer, count=3)")
    assert judged(service, new, grade=lambda *_: "note")["one"].verdict is Verdict.COMPATIBLE
    assert judged(service, new, grade=lambda *_: None)["one"].reasons == ()


def test_a_seat_that_is_lost_or_added_tells_what_becomes_of_the_guard(service: Service) -> None:
    lost = judged(service, changed('seat(reviewer, agent="ben"), ', ""))
    assert lost["one"].reasons[0].text.endswith("the guard of the move to `done` would hold at once (1 of 1)")
    assert lost["none"].reasons[0].text.endswith("the guard of the move to `done` is still open (0 of 1)")
    added = judged(service, changed('seat(approver, agent="eve")', 'seat(reviewer, agent="cyd")'))["one"]
    assert any(each.text.endswith("the guard of the move to `done` is still open (1 of 3)") for each in added.reasons)
    assert added.verdict is Verdict.NEEDS_MAPPING


# ---------------------------------------------------------------- a new name

RENAMED = OLD.replace("step review", "step check").replace("-> review", "-> check")


def test_of_a_renamed_step_each_task_is_told_what_the_move_costs_it(service: Service) -> None:
    found = judged(service, RENAMED)
    text = "the step `review` is called `check` now: triggers and decisions are refused until it is moved"
    assert found["none"].reasons[0].text == text
    assert found["one"].reasons[0].text == f"{text}; by that 1 decision given there stops counting"
    service.set_program(compile_text(RENAMED).require())
    with pytest.raises(StepGone):
        service.handle("one", "turn_complete")
    service.move("one", "check")
    assert not service.decide("one", role="reviewer", decider="ben", verdict="approved").moved
    assert service.decide("one", role="reviewer", decider="ada", verdict="approved").moved


def test_approvals_that_wait_are_told_too(tmp_path: Path) -> None:
    old = OLD.replace("-> review }", "-> review requires approval }")
    new = old.replace("step work", "step build").replace("-> work", "-> build")
    with Service(compile_text(old).require(), open_ledger(f"sqlite:///{tmp_path}/tasks.db")) as service:
        service.create("t", workflow="desk")
        service.handle("t", "turn_complete")
        (found,) = judge(service.wired().ledger, compile_text(old).require(), compile_text(new).require())
        assert found.reasons[0].text.endswith("; by that 1 approval that waits is abandoned")
        service.set_program(compile_text(new).require())
        service.move("t", "build", actor=Actor.human("kim"))
        assert service.approve(service.approvals("t")[0].id).kind is OutcomeKind.ABANDONED


def test_what_was_moved_and_done_needs_nothing_any_more(service: Service) -> None:
    """Runs that were queued at the old name: of an entry that was left, of a task that has ended, and of one that
    stands there still, which alone is told, with what to do."""
    service.set_program(compile_text(RENAMED).require())
    for task in ("none", "one"):
        service.move(task, "check")
    for agent in ("ada", "ben"):
        service.decide("one", role="reviewer", decider=agent, verdict="approved")
    assert service.task("one").step == "done"
    assert len(service.runs(task="one")) == 4
    found = judged(service, RENAMED)
    assert {task: each.verdict.value for task, each in found.items()} == {
        "none": "compatible",
        "odd": "needs_mapping",
        "one": "compatible",
    }
    runs = [each.text for each in found["odd"].reasons if "run" in each.text]
    assert len(runs) == 2
    assert all(
        each.endswith("not there any more; once the task is moved nothing waits for it, and `finish_run` ends it")
        for each in runs
    )
    service.move("odd", "check")
    assert judged(service, RENAMED)["odd"].reasons == ()


def test_a_run_for_an_agent_whom_nobody_names_is_told_while_somebody_waits_for_it(service: Service) -> None:
    new = changed('seat(reviewer, agent="ben"), ', "")
    assert any("run" in each.text for each in judged(service, new)["none"].reasons)
    service.move("none", "work")
    assert judged(service, new)["none"].reasons == ()
