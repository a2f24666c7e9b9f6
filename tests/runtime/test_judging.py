"""Pairs of versions from migrations that went wrong: what is said of the tasks is what happens to them.

Tasks stand at every step under OLD on a real file, the service gets NEW, and each pair shows in its own way that the
verdict told the truth. What is said is golden in `verdict.txt` of each pair; `pytest --update-goldens` writes it anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from newel.runtime.errors import PayloadError, RevisionUnknown, StepGone, UnknownTrigger, UnknownWorkflow
from newel.runtime.judging import Verdict, judge
from newel.runtime.outcomes import OutcomeKind
from tests import postgres
from tests.runtime.crossing import CASES, PAIRS, Crossing

Golden = Callable[[Path, str], None]

PAID = {"order": "o-1", "attempt": "1"}

# What is said of the pair alone, and of the worst task that stands there.
EXPECTED = {
    "01-step-renamed-under-tasks": ("needs_mapping", "needs_mapping"),
    "02-quorum-role-changed-mid-review": ("breaks", "breaks"),
    "03-step-removed-with-a-pull-from-it": ("breaks", "breaks"),
    "04-entry-action-added": ("needs_mapping", "needs_mapping"),
    "05-entry-action-removed": ("compatible", "compatible"),
    "06-entry-actions-reordered": ("compatible", "compatible"),
    "07-guard-loosened": ("needs_mapping", "needs_mapping"),
    "08-approval-removed-while-pending": ("breaks", "breaks"),
    "09-statement-put-before-an-approval": ("breaks", "breaks"),
    "10-operation-shape-changed": ("needs_mapping", "compatible"),
    "11-start-moved": ("compatible", "compatible"),
    "12-end-removed": ("needs_mapping", "needs_mapping"),
    "13-kind-left-to-the-session": ("needs_mapping", "compatible"),
    "14-limit-lowered-below-those-who-stand": ("needs_mapping", "needs_mapping"),
    "15-last-seat-removed": ("breaks", "breaks"),
    "16-one-seat-fewer": ("needs_mapping", "needs_mapping"),
    "17-workflow-removed": ("breaks", "breaks"),
    "18-workflow-renamed": ("needs_mapping", "needs_mapping"),
    "19-last-way-out-lost": ("breaks", "breaks"),
    "20-signal-required": ("needs_mapping", "needs_mapping"),
    "21-limit-lifted-while-tasks-wait": ("needs_mapping", "needs_mapping"),
    "22-payload-field-required": ("breaks", "compatible"),
    "23-trigger-removed": ("breaks", "compatible"),
    "24-clearing-added": ("needs_mapping", "needs_mapping"),
    "25-arrived-under-two-revisions": ("compatible", "breaks"),
    "26-parameter-added": ("needs_mapping", "needs_mapping"),
}


# ---------------------------------------------------------------- each pair: what comes before


def _seated_by_hand(c: Crossing) -> None:
    c.service.create("seated", workflow="office", step="review")
    c.service.seat("seated", step="review", role="approver", agent="eve")


def _full_and_waiting(c: Crossing) -> None:
    for number in (1, 2, 3):
        c.service.create(f"t-{number}", workflow="board", step="doing")
    assert c.service.task("t-2").queued_for == "doing"
    assert c.service.task("t-3").queued_for == "doing"


def _approval_waits(c: Crossing) -> None:
    assert c.service.handle("payments-drafted", "turn_complete").kind is OutcomeKind.PENDING_APPROVAL
    c.service.create("not-asked", workflow="payments")


def _one_approves(c: Crossing) -> None:
    assert c.decide("office-review", "ada").kind is OutcomeKind.STAYED


def _paid_once(c: Crossing) -> None:
    c.service.handle("orders-open", "paid", payload=PAID)
    assert c.shipped == ["orders-open"]


def _family(c: Crossing) -> None:
    c.service.create("parent", workflow="parts")
    c.service.create("child", workflow="parts", step="delivered", parent="parent")


def _two_stand(c: Crossing) -> None:
    c.service.create("second", workflow="board", step="doing")


def _approved_then_back(c: Crossing) -> None:
    c.decide("office-review", "ada")
    c.service.move("office-review", "work")
    c.service.move("office-review", "review")


def _second_revision(c: Crossing) -> None:
    """`stand` was under the oldest program; now the one in between is deployed, and more tasks arrive."""
    c.service.set_program(c.old)
    c.service.create("later", workflow="office", step="review")


def _page_fails(c: Crossing) -> None:
    c.page_works = False
    c.service.create("unpaged", workflow="alarms", step="seen")
    c.page_works = True


PREPARED: dict[str, Callable[[Crossing], None]] = {
    "02-quorum-role-changed-mid-review": _seated_by_hand,
    "03-step-removed-with-a-pull-from-it": _two_stand,
    "07-guard-loosened": _one_approves,
    "08-approval-removed-while-pending": _approval_waits,
    "09-statement-put-before-an-approval": _approval_waits,
    "10-operation-shape-changed": _paid_once,
    "12-end-removed": _family,
    "14-limit-lowered-below-those-who-stand": _two_stand,
    "16-one-seat-fewer": _one_approves,
    "21-limit-lifted-while-tasks-wait": _full_and_waiting,
    "24-clearing-added": _approved_then_back,
    "25-arrived-under-two-revisions": _second_revision,
    "26-parameter-added": _page_fails,
}


# ---------------------------------------------------------------- each pair: what happens under NEW


def _stuck_until_moved(c: Crossing) -> None:
    """The task at the old name cannot be worked on; the move that the hint names mends it, and is a new arrival."""
    with pytest.raises(StepGone):
        c.service.handle("office-work", "turn_complete")
    outcome = c.service.move("office-work", "build")
    assert outcome.moved
    assert outcome.entry
    assert [action.kind for action in outcome.entry.actions] == ["queue_run"]
    assert c.service.handle("office-work", "turn_complete").to_step == "review"


def _nobody_can_approve(c: Crossing) -> None:
    """Whatever is decided, the slate is empty; where somebody was seated by hand the same decision lets it through."""
    outcome = c.decide("office-review", "eve", role="approver")
    assert not outcome.moved
    assert [guard.reason.value for guard in outcome.guards if guard.to == "done"] == ["slate_empty"]
    assert c.decide("seated", "eve", role="approver").to_step == "done"
    assert c.judged()["seated"].verdict is not Verdict.BREAKS
    c.service.move("office-review", "work")  # out and in again, as the hint says
    c.service.move("office-review", "review")
    assert c.decide("office-review", "eve", role="approver").to_step == "done"


def _nobody_is_pulled(c: Crossing) -> None:
    """The freed place is not filled from the step that has gone; who stood there can only be moved."""
    with pytest.raises(StepGone):
        c.service.handle("board-ready", "comment", payload={"comment_id": "1"})
    assert c.service.handle("second", "turn_complete").pulled == ()
    assert c.service.task("board-ready").step == "ready"
    assert c.service.move("board-ready", "doing").moved


def _never_reviewed(c: Crossing) -> None:
    """Not even a redispatch queues the new run; an arrival does."""
    entry = c.service.task("office-work").entry_id
    assert entry is not None
    assert [action.kind for action in c.service.redispatch(entry).actions] == ["queue_run"]
    assert [run.agent for run in c.service.runs("office-work")] == ["runner"]
    c.service.create("fresh", workflow="office", step="work")
    assert [run.agent for run in c.service.runs("fresh")] == ["runner", "rex"]


def _was_woken(c: Crossing) -> None:
    """The run that was queued is there still, and the review goes on as before."""
    assert [run.agent for run in c.service.runs("office-review")] == ["ada"]
    assert c.decide("office-review", "ada").to_step == "done"


def _done_once(c: Crossing) -> None:
    """A redispatch goes by the list of the row, and finds all of it done."""
    entry = c.service.task("office-review").entry_id
    assert entry is not None
    report = c.service.redispatch(entry)
    kinds = [action.kind for action in report.actions]
    assert kinds == ["clear_decisions", "ensure_participant_seat", "queue_run_for_each_participant"]
    assert {action.status.value for action in report.actions} <= {"redelivered", "unchanged"}
    assert len(c.service.runs("office-review")) == 1


def _let_through(c: Crossing) -> None:
    """The one approval that was held back is enough with the next thing that happens."""
    assert c.service.task("office-review").step == "review"
    assert c.service.handle("office-review", "turn_complete").to_step == "done"


def _cannot_be_approved(c: Crossing) -> None:
    """The approval that waited finds no move; the task that had asked for none is as it was."""
    (waiting,) = c.service.approvals("payments-drafted")
    outcome = c.service.approve(waiting.id)
    assert (outcome.kind, outcome.reason) == (OutcomeKind.STAYED, "no_such_move")
    assert c.judged()["not-asked"].verdict is not Verdict.BREAKS


def _delivered_twice(c: Crossing) -> None:
    """The delivery that had been applied is applied again, since its id is another."""
    assert c.service.handle("orders-open", "paid", payload=PAID).kind is OutcomeKind.STAYED
    assert c.shipped == ["orders-open", "orders-open"]


def _begins_elsewhere(c: Crossing) -> None:
    """Only what is created from now on begins at the new start."""
    assert c.service.create("fresh", workflow="office").to_step == "work"
    assert c.service.task("office-backlog").step == "backlog"


def _parent_waits(c: Crossing) -> None:
    """The child that counted as finished does not any more, so its parent is not taken on."""
    assert c.service.children_completed("parent").reason == "unfinished_children"
    c.service.set_program(c.old)
    assert c.service.children_completed("parent").to_step == "closed"


def _paged_by_the_session(c: Crossing) -> None:
    """What has been paged is not paged again, under the list of the row; a new alarm without a session pages nobody."""
    entry = c.service.task("alarms-seen").entry_id
    assert entry is not None
    assert [action.status.value for action in c.service.redispatch(entry).actions] == ["redelivered"]
    assert len(c.paged) == 1
    outcome = c.service.move("alarms-raised", "seen")
    assert outcome.entry
    assert [action.status.value for action in outcome.entry.session_actions] == ["no_session"]
    assert len(c.paged) == 1


def _nobody_comes_in(c: Crossing) -> None:
    """Both stay; one of them leaves, and nobody is let in."""
    assert {c.service.task(name).step for name in ("board-doing", "second")} == {"doing"}
    assert c.service.create("third", workflow="board", step="doing").kind is OutcomeKind.QUEUED
    assert c.service.handle("second", "turn_complete").pulled == ()
    pulled = c.service.handle("board-doing", "turn_complete").pulled
    assert [each.entry.task for each in pulled if each.entry] == ["third"]


def _no_seat_left(c: Crossing) -> None:
    """The decision of somebody who has no seat is none; one that is seated by hand counts."""
    outcome = c.decide("office-review", "ada")
    assert [guard.reason.value for guard in outcome.guards if guard.to == "done"] == ["slate_empty"]
    c.service.seat("office-review", step="review", role="reviewer", agent="ada")
    assert c.service.handle("office-review", "turn_complete").to_step == "done"


def _one_is_enough(c: Crossing) -> None:
    """Who has left is waited for no more. The run that was queued for him is still there."""
    assert c.service.handle("office-review", "turn_complete").to_step == "done"
    assert [run.agent for run in c.service.runs("office-review")] == ["ada", "ben"]


def _only_switched(c: Crossing) -> None:
    """No trigger and no move inside; a switch to a workflow that is there goes."""
    with pytest.raises(StepGone):
        c.service.handle("support-call", "turn_complete")
    with pytest.raises(UnknownWorkflow):
        c.service.move("support-call", "over")
    assert c.judged()["support-over"].verdict is Verdict.NEEDS_MAPPING  # it had ended
    assert c.service.switch("support-call", "office").to_step == "backlog"


def _switched_over(c: Crossing) -> None:
    """Stuck until it is switched to the new name, step for step."""
    with pytest.raises(StepGone):
        c.service.handle("support-call", "turn_complete")
    assert c.service.switch("support-call", "helpdesk", "call").moved
    assert c.service.handle("support-call", "turn_complete").to_step == "over"


def _leads_nowhere(c: Crossing) -> None:
    """A finished turn is taken, and nothing comes of it; a person can still take the task on."""
    outcome = c.service.handle("office-work", "turn_complete")
    assert (outcome.kind, outcome.guards) == (OutcomeKind.STAYED, ())
    assert c.service.move("office-work", "review").moved


def _not_signalled(c: Crossing) -> None:
    """The agent that was never told finishes its turn for nothing; with the signal it goes on."""
    assert c.service.handle("office-work", "turn_complete").reason == "not_signalled"
    assert c.service.handle("office-work", "turn_complete", signalled=True).to_step == "done"


def _waits_for_ever(c: Crossing) -> None:
    """Others leave and come, and who waits does until somebody pulls."""
    assert c.service.handle("board-doing", "turn_complete").pulled == ()
    assert c.service.task("t-2").queued_for == "doing"
    assert c.service.create("fresh", workflow="board", step="doing").moved
    pulled = c.service.pull("board", "doing")
    assert [each.entry.task for each in pulled if each.entry] == ["t-2", "t-3"]


def _does_not_fit(c: Crossing) -> None:
    """What the host has always sent is refused, with the task as it was."""
    with pytest.raises(PayloadError, match="amount"):
        c.service.handle("orders-open", "paid", payload=PAID)
    assert c.shipped == []


def _unknown(c: Crossing) -> None:
    """What the host still fires is refused."""
    with pytest.raises(UnknownTrigger):
        c.service.handle("orders-open", "paid", payload=PAID)


def _approved_for_nothing(c: Crossing) -> None:
    """Under the old program one more approval would do; under the new one the first no longer counts."""
    outcome = c.decide("office-review", "ben")
    assert [(g.received, g.required) for g in outcome.guards if g.to == "done"] == [(1, 2)]
    c.service.set_program(c.old)
    assert c.service.handle("office-review", "turn_complete").to_step == "done"


def _one_of_two(c: Crossing) -> None:
    """At one step, two tasks, two verdicts: by the program each arrived under."""
    judged = c.judged()
    assert judged["office-review"].verdict is Verdict.BREAKS
    assert judged["later"].verdict is Verdict.COMPATIBLE
    assert judged["office-review"].revision != judged["later"].revision
    assert not c.decide("office-review", "eve", role="approver").moved
    assert c.decide("later", "eve", role="approver").to_step == "done"


def _handed_over_as_it_was(c: Crossing) -> None:
    """The page that failed is dispatched again as it was declared then: without the parameter that is new."""
    judged = c.judged()
    assert judged["unpaged"].verdict is Verdict.NEEDS_MAPPING
    assert judged["alarms-seen"].verdict is Verdict.COMPATIBLE
    c.paged.clear()
    entry = c.service.task("unpaged").entry_id
    assert entry is not None
    assert [action.status.value for action in c.service.redispatch(entry).actions] == ["applied"]
    assert [hasattr(action, "loud") for action in c.paged] == [False]
    c.service.create("fresh", workflow="alarms", step="seen")
    assert [hasattr(action, "loud") for action in c.paged] == [False, True]


HAPPENS: dict[str, Callable[[Crossing], None]] = {
    "01-step-renamed-under-tasks": _stuck_until_moved,
    "02-quorum-role-changed-mid-review": _nobody_can_approve,
    "03-step-removed-with-a-pull-from-it": _nobody_is_pulled,
    "04-entry-action-added": _never_reviewed,
    "05-entry-action-removed": _was_woken,
    "06-entry-actions-reordered": _done_once,
    "07-guard-loosened": _let_through,
    "08-approval-removed-while-pending": _cannot_be_approved,
    "09-statement-put-before-an-approval": _cannot_be_approved,
    "10-operation-shape-changed": _delivered_twice,
    "11-start-moved": _begins_elsewhere,
    "12-end-removed": _parent_waits,
    "13-kind-left-to-the-session": _paged_by_the_session,
    "14-limit-lowered-below-those-who-stand": _nobody_comes_in,
    "15-last-seat-removed": _no_seat_left,
    "16-one-seat-fewer": _one_is_enough,
    "17-workflow-removed": _only_switched,
    "18-workflow-renamed": _switched_over,
    "19-last-way-out-lost": _leads_nowhere,
    "20-signal-required": _not_signalled,
    "21-limit-lifted-while-tasks-wait": _waits_for_ever,
    "22-payload-field-required": _does_not_fit,
    "23-trigger-removed": _unknown,
    "24-clearing-added": _approved_for_nothing,
    "25-arrived-under-two-revisions": _one_of_two,
    "26-parameter-added": _handed_over_as_it_was,
}


# ---------------------------------------------------------------- all of them


@contextmanager
def crossing(case: str, folder: Path, url: str | None = None) -> Iterator[Crossing]:
    """A pair with its tasks, still under the old program."""
    made = Crossing(case, folder, url)
    with made.service:
        made.stand()
        if case in PREPARED:
            PREPARED[case](made)
        yield made


def test_every_pair_is_expected_to_be_something_and_is_run() -> None:
    assert list(EXPECTED) == list(HAPPENS) == PAIRS


@pytest.mark.parametrize("case", PAIRS)
def test_the_verdict_on_a_pair_and_its_tasks_is_as_it_was(case: str, tmp_path: Path, golden: Golden) -> None:
    with crossing(case, tmp_path) as c:
        worst = max((each.verdict for each in c.judged().values()), key=list(Verdict).index)
        assert (c.grade(), worst.value) == EXPECTED[case]
        golden(CASES / case / "verdict.txt", c.said())


@pytest.mark.parametrize("case", PAIRS)
def test_the_verdict_is_the_same_on_postgresql(case: str, tmp_path: Path, postgres_server: str) -> None:
    with crossing(case, tmp_path, postgres.emptied(postgres_server, 1)) as c:
        assert c.said() == (CASES / case / "verdict.txt").read_text("utf-8")


@pytest.mark.parametrize("case", PAIRS)
def test_what_happens_under_the_new_program_agrees_with_the_verdict(case: str, tmp_path: Path) -> None:
    """Nothing moves by itself; a task is refused its triggers exactly where its step has gone, and is never called
    compatible then; what is compatible goes the same way as before. Then the pair's own story, and afterwards every
    entry is dispatched again by the program of its row: the ledger is in order throughout."""
    with crossing(case, tmp_path) as c:
        judged, tasks = c.judged(), c.service.tasks()
        was = {task.id: c.turn(task.id) for task in tasks}
        c.service.set_program(c.new)
        assert c.service.tasks() == tasks
        for task in tasks:
            verdict = judged[task.id].verdict
            if not c.there(task.id):
                assert verdict is not Verdict.COMPATIBLE
                with pytest.raises(StepGone):
                    c.turn(task.id)
            elif verdict is Verdict.COMPATIBLE:
                assert c.turn(task.id) == was[task.id]
        HAPPENS[case](c)
        for task in c.service.tasks():
            if task.entry_id is not None:
                report = c.service.redispatch(task.entry_id)
                row = c.service.entry(task.entry_id).row
                programs = (each for each in (c.older, c.old, c.new) if each and each.revision == row.revision)
                due = next(programs).dispatched(row.to_workflow or "", row.to_step or "")
                assert [action.kind for action in report.actions] == [action.kind for _, action in due]
        assert c.service.audit().clean


def test_a_verdict_writes_nothing(tmp_path: Path) -> None:
    with crossing("17-workflow-removed", tmp_path) as c:
        before = [c.service.history(task.id) for task in c.service.tasks()]
        c.judged()
        assert [c.service.history(task.id) for task in c.service.tasks()] == before
        with c.ledger.read() as view:
            assert view.program(c.new.revision) is None


def test_the_same_program_is_compatible_with_every_task(tmp_path: Path) -> None:
    with crossing("02-quorum-role-changed-mid-review", tmp_path) as c:
        judged = judge(c.ledger, c.old, c.old)
        assert {each.verdict for each in judged} == {Verdict.COMPATIBLE}
        assert {each.reasons for each in judged} == {()}


def test_a_run_for_somebody_whom_nobody_names_any_more_is_told_and_one_of_a_known_agent_is_not(tmp_path: Path) -> None:
    with crossing("16-one-seat-fewer", tmp_path) as c:
        texts = [reason.text for reason in c.judged()["office-review"].reasons]
        assert "run 2 is for `ben`, whom nobody names any more" in texts
        known = judge(c.ledger, c.old, c.new, agents=["ada", "ben"])
        assert not any("nobody names" in reason.text for each in known for reason in each.reasons)


def test_what_is_taken_for_less_severe_is_judged_so(tmp_path: Path) -> None:
    with crossing("17-workflow-removed", tmp_path) as c:
        graded = judge(c.ledger, c.old, c.new, grade=lambda rule, _: "note" if rule.code == "NW801" else rule.severity)
        assert {each.verdict for each in graded} == {Verdict.COMPATIBLE}
        ignored = judge(c.ledger, c.old, c.new, grade=lambda rule, _: None)
        assert {each.reasons for each in ignored} == {()}


UNREADABLE = ["{}", "no JSON", '{"format_version": "9.0", "vocabulary": {}}', "[" * 20000]


@pytest.mark.parametrize("text", UNREADABLE, ids=["empty", "text", "newer", "deep"])
def test_a_kept_program_that_cannot_be_read_is_a_typed_error_and_no_guess(tmp_path: Path, text: str) -> None:
    crossing = Crossing("25-arrived-under-two-revisions", tmp_path)
    with crossing.service:
        crossing.stand()
        with crossing.ledger.transaction() as tx:
            tx.execute("UPDATE newel_programs SET program = ?", (text,))
        with pytest.raises(RevisionUnknown, match=r"is not readable: .*; a later version of Newel may read it"):
            crossing.judged()
        assert not crossing.service.audit().clean
