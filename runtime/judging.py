"""The tasks that stand in a ledger, and a program that is to come, to what it does to each of them.

The old program of a task is the one its current row was written under, which the ledger keeps: tasks of one step may
have come there under several. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from newel.compiler.diff import Change, compare
from newel.compiler.program import Place as Written
from newel.compiler.program import Program
from newel.dsl.findings import Rule, Severity
from newel.runtime.approving import move_asked_for
from newel.runtime.kept import kept
from newel.runtime.ledgers.base import Ledger, Reading
from newel.runtime.mattering import Standing, matters
from newel.runtime.outlook import guard_of, lost_by_moving
from newel.runtime.quorum import template_seats
from newel.runtime.rows import Approval, Run, Task

Place = tuple[str, str]
Grade = Callable[[Rule, Written | None], Severity | None]
"""How bad a rule is taken to be at a place of the new program; None where nothing is to be said of it."""


class Verdict(StrEnum):
    """What becomes of a task. One that needs a mapping can go on once somebody has looked, or has moved it."""

    COMPATIBLE = "compatible"
    NEEDS_MAPPING = "needs_mapping"
    BREAKS = "breaks"


_OF: Mapping[Severity, Verdict] = {
    "note": Verdict.COMPATIBLE,
    "warning": Verdict.NEEDS_MAPPING,
    "error": Verdict.BREAKS,
}
_ORDER = tuple(Verdict)
_GONE = ("NW801", "NW803")
_RENAMED = ("NW802", "NW804")
_NAMES = (*_GONE, *_RENAMED)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a task is judged so: the code of the rule, and what it says of this task."""

    code: str
    verdict: Verdict
    text: str


@dataclass(frozen=True, slots=True)
class Judged:
    """One task: where it stands or waits, the revision it came there under, and the verdict with its reasons."""

    task: str
    workflow: str | None
    step: str | None
    revision: str | None
    reasons: tuple[Reason, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of the reasons."""
        return max((reason.verdict for reason in self.reasons), key=_ORDER.index, default=Verdict.COMPATIBLE)


def judge(
    ledger: Ledger,
    old: Program,
    new: Program,
    *,
    grade: Grade = lambda rule, _: rule.severity,
    agents: Iterable[str] = (),
) -> tuple[Judged, ...]:
    """Every task of the ledger, by id. `old` stands in for a revision that the ledger does not hold, and for tasks
    that have no row yet; `agents` are those the host knows, where it says. Raises `RevisionUnknown` where it holds one
    that this version cannot read: what a task has come from is not to be guessed."""
    with ledger.read() as view:
        return tuple(_Judge(view, old, new, grade, frozenset(agents)).tasks())


class _Judge:
    """One judgement over one consistent view."""

    def __init__(self, view: Reading, old: Program, new: Program, grade: Grade, agents: frozenset[str]) -> None:
        self._view, self._old, self._new, self._grade, self._agents = view, old, new, grade, agents
        self._programs: dict[str, Program] = {old.revision: old}
        self._compared: dict[str, Mapping[Place, list[Change]]] = {}

    def tasks(self) -> Iterator[Judged]:
        for task in self._view.tasks():
            row = self._view.row(task.entry_id) if task.entry_id is not None else None
            program = self._program(row.revision) if row else self._old
            reasons = tuple(dict.fromkeys(self._reasons(task, program)))
            yield Judged(
                task.id, task.workflow or task.queued_workflow, task.step, row.revision if row else None, reasons
            )

    def _program(self, revision: str) -> Program:
        if revision not in self._programs:
            self._programs[revision] = kept(self._view, revision) or self._old
        return self._programs[revision]

    def _changes(self, program: Program, place: Place) -> list[Change]:
        """What a change of programs means for those who stand at a place."""
        if program.revision not in self._compared:
            found: dict[Place, list[Change]] = {}
            for change in compare(program, self._new):
                for where in change.concerns:
                    found.setdefault(where, []).append(change)
            self._compared[program.revision] = found
        return self._compared[program.revision].get(place, [])

    # ---------------------------------------------------------------- one task

    def _reasons(self, task: Task, program: Program) -> Iterator[Reason]:
        yield from self._standing(task, program)
        yield from self._approvals(task, program)
        yield from self._waiting(task, program)
        for run in self._runs.get(task.id, ()):
            if self._waited_for(run):
                yield from self._run(run, program)

    def _standing(self, task: Task, program: Program) -> Iterator[Reason]:
        if task.workflow is None or task.step is None:
            return
        place = (task.workflow, task.step)
        standing = Standing(self._view, task, program, self._new)
        for change in self._changes(program, place):
            if change.rule.code in _GONE and program.workflows[place[0]].steps[place[1]].end:
                yield from self._looked_at(change.rule, f"{change.message}; this task has ended there", change.new)
            elif matters(change, standing):
                yield from self._of_standing(change, standing)
        if not self._there(place) and not self._changes(program, place):
            yield from self._said(_rule("NW803"), f"no program the ledger holds has a step `{task.step}`")

    def _of_standing(self, change: Change, standing: Standing) -> Iterator[Reason]:
        """What a change means to a task that stands there: a guard is held against its seats and decisions, and one
        that is to be moved is told what it loses by that."""
        lost = lost_by_moving(change, standing) if change.rule.code in _RENAMED else ""
        seen = guard_of(change, standing)
        severity = self._grade(change.rule, change.new)
        if severity is not None:
            # a grade of the user's own is kept
            severity = seen.severity if seen.severity and severity == change.rule.severity else severity
            yield Reason(change.rule.code, _OF[severity], f"{change.message}{lost}{seen.told}")

    def _there(self, place: Place) -> bool:
        workflow = self._new.workflows.get(place[0])
        return workflow is not None and place[1] in workflow.steps

    def _said(self, rule: Rule, text: str, at: Written | None = None) -> Iterator[Reason]:
        severity = self._grade(rule, at)
        if severity is not None:
            yield Reason(rule.code, _OF[severity], text)

    def _approvals(self, task: Task, program: Program) -> Iterator[Reason]:
        """The approvals that wait under the current entry, asked as `approve` would ask them. Where none waits, a move
        that requires none any more is only to be looked at."""
        rule, place = _rule("NW816"), (task.workflow or "", task.step or "")
        lost = [waiting for waiting in self._view.approvals(task.id) if self._lost(waiting, task)]
        those = [change for change in self._changes(program, place) if change.rule.code == rule.code]
        at = those[0].new if those else None
        for waiting in lost:
            text = f"approval {waiting.id} waits for the move to `{waiting.to}`, which is not found any more"
            yield from self._said(rule, text, at)
        for change in () if lost else those:
            if change.fields["open"]:
                text = "the move from `{step}` to `{to}` on `{trigger}` {how}".format(**change.fields)
                yield from self._looked_at(rule, text, change.new)

    def _lost(self, waiting: Approval, task: Task) -> bool:
        workflow = self._new.workflows.get(task.workflow or "")
        step = workflow and workflow.steps.get(task.step or "")
        current = waiting.status == "pending" and waiting.entry_id == task.entry_id
        return bool(current and step) and move_asked_for(waiting, step or None) is None

    def _waiting(self, task: Task, program: Program) -> Iterator[Reason]:
        """Whether the place a task waits for is still one that is given out."""
        if task.queued_for is None:
            return
        place = (task.queued_workflow or task.workflow or "", task.queued_for)
        for change in self._changes(program, place):
            if change.rule.code in (*_NAMES, "NW835"):
                text = f"it waits for a place there: {change.message}; {_way_on(change.rule.code, place)}"
                yield from self._said(change.rule, text, change.new)

    # ---------------------------------------------------------------- runs

    @cached_property
    def _runs(self) -> Mapping[str, list[Run]]:
        """The runs that somebody has still to do, by task."""
        found: dict[str, list[Run]] = {}
        for run in self._view.runs():
            if run.status in ("queued", "claimed"):
                found.setdefault(run.task, []).append(run)
        return found

    def _waited_for(self, run: Run) -> bool:
        """Whether anything waits for a run: not where its entry has been left, or its task has ended."""
        source = self._view.task(run.source)
        return source is not None and run.entry_id in (None, source.entry_id) and not self._ended(source)

    def _ended(self, task: Task) -> bool:
        """Whether a task stands at an end: of the new program where that has the step, else of its own."""
        row = self._view.row(task.entry_id) if task.entry_id is not None else None
        for program in (self._new, self._program(row.revision) if row else self._old):
            workflow = program.workflows.get(task.workflow or "")
            step = workflow.steps.get(task.step or "") if workflow else None
            if step is not None:
                return step.end
        return False

    def _run(self, run: Run, program: Program) -> Iterator[Reason]:
        """A run is the host's: whoever claims it decides what to make of it. So none breaks a task."""
        row = self._view.row(run.entry_id) if run.entry_id is not None else None
        place = (row.to_workflow or "", run.step) if row else None
        if row is not None and place is not None and not self._there(place):
            changes = self._changes(self._program(row.revision), place)
            change = next((change for change in changes if change.rule.code in _NAMES), None)
            text = f"run {run.id} for `{run.agent}` was queued at `{run.step}`, which is not there any more; "
            text += "once the task is moved nothing waits for it, and `finish_run` ends it"
            yield from self._looked_at(change.rule if change else _rule("NW803"), text, change.new if change else None)
        if self._gone(run, program):
            text = f"run {run.id} is for `{run.agent}`, whom nobody names any more"
            yield from self._looked_at(_rule("NW832"), text)

    def _looked_at(self, rule: Rule, text: str, at: Written | None = None) -> Iterator[Reason]:
        """What is worth a look, however bad the rule may be elsewhere."""
        severity = self._grade(rule, at)
        if severity is not None:
            yield Reason(rule.code, min(_OF[severity], Verdict.NEEDS_MAPPING, key=_ORDER.index), text)

    def _gone(self, run: Run, program: Program) -> bool:
        now = _seated(self._new) | self._agents | {seat.agent for seat in self._view.seats(run.task)}
        return run.agent not in now and (bool(self._agents) or run.agent in _seated(program))


def _way_on(code: str, place: Place) -> str:
    """What is to be done about a task that waits for a place."""
    if code == "NW835":
        return f"after the deployment `newel task pull {place[0]} {place[1]}` lets in who waits"
    if code in ("NW801", "NW802"):
        return "`switch` takes it to another workflow"
    return "`newel task move TASK STEP` takes it to another step"


def _seated(program: Program) -> frozenset[str]:
    """The agents that a program itself seats."""
    steps = ((workflow.name, step) for workflow in program.workflows.values() for step in workflow.steps)
    return frozenset(seat.agent for workflow, step in steps for seat in template_seats(program, workflow, step))


def _rule(code: str) -> Rule:
    from newel.compiler.checks.registry import rules

    return rules()[code]
