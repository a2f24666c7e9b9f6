"""A committed arrival to the running of its step's `on enter` list: database actions in segments, outside ones between.

The laws: an action that fails is recorded and the rest are attempted; a status is settled only by a commit; whatever is
no `Exception` passes on and leaves what a crash would leave; each action tells by durable state keyed by the entry
whether its effect is there already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from newel.compiler.program import Action, Program
from newel.dsl.slotted import settled
from newel.runtime import observing
from newel.runtime.asking import Answers
from newel.runtime.casting import CastNote
from newel.runtime.errors import InsideTransaction, LedgerUnavailable, NoSuchEntry, RevisionUnknown
from newel.runtime.kept import kept
from newel.runtime.ledgers.base import Reading, Transaction
from newel.runtime.nesting import check_depth, deeper
from newel.runtime.outcomes import ActionReport, ActionStatus, EntryReport, SessionActionReport, SessionStatus
from newel.runtime.retrying import again
from newel.runtime.rows import Task
from newel.runtime.running import Moment, Nature
from newel.runtime.standard import Effect, failure
from newel.runtime.wiring import Wiring

Positioned = tuple[int, Action]

NOT_WIRED = "not_wired"
NO_TASK = "the task has been removed"


@settled
class Arrival:
    """One committed row that names a destination. `in_turn`: made by a move that is part of the session's own turn.

    `left` is the workflow and the step it came from.
    """

    entry_id: int
    task: str
    workflow: str
    step: str
    session: str | None = None
    in_turn: bool = False
    left: tuple[str, str] | None = None


def dispatch(wiring: Wiring, arrival: Arrival) -> EntryReport:
    """Run an entry for the first time, in full, even if the task has moved on meanwhile; then the session's half."""
    program = wiring.program
    wiring.kept.add(program.revision)  # by the commit that came before this call
    lists = wiring.lists_at(arrival.workflow, arrival.step)
    if not lists or not lists.get("enter"):
        return EntryReport(arrival.entry_id, arrival.task, arrival.step)
    run = _Run(wiring, program, arrival, again=False)
    with deeper():
        dispatched, half = _halves(wiring, arrival.workflow, arrival.step)
        actions = run.all(dispatched)
        session_actions = tuple(_session_half(run.moment, arrival, half)) if half else ()
    return run.report(actions, session_actions)


def _halves(wiring: Wiring, workflow: str, step: str) -> tuple[tuple[Positioned, ...], tuple[Positioned, ...]]:
    """The dispatched actions of a step's entry list, and the session's half; put together once for each step."""
    halves = wiring.entries.get((workflow, step))
    if halves is None:
        program = wiring.program
        halves = tuple(program.dispatched(workflow, step)), tuple(program.excluded(workflow, step))
        wiring.entries[workflow, step] = halves
    return halves


def redispatch(wiring: Wiring, entry_id: int) -> tuple[EntryReport, tuple[str, str] | None]:
    """Run the dispatched list of an entry again, that of the row's own revision, if the task is still in it; and the
    workflow and the step it came from, whose freed place nobody may have filled.

    Raises `NoSuchEntry`, and `RevisionUnknown` where the ledger does not hold the program. Redispatches nest no deeper
    than arrivals.
    """
    check_depth()
    with wiring.ledger.read() as view:
        row = view.row(entry_id)
        if row is None or row.to_workflow is None or row.to_step is None:
            raise NoSuchEntry(f"the ledger has no row {entry_id} that names a destination")
        program = _program(wiring, view, row.revision)
        known = bool(view.entry_actions(entry_id))
        due = tuple(program.dispatched(row.to_workflow, row.to_step))
        task = None if due else view.task(row.task)  # a list that runs asks for itself, under the task's lock
    left = None if row.from_workflow is None or row.from_step is None else (row.from_workflow, row.from_step)
    arrival = Arrival(entry_id, row.task, row.to_workflow, row.to_step, row.session)
    run = _Run(wiring, program, arrival, again=True, redelivery=known)
    if not due:
        return run.nothing(superseded=task is None or task.entry_id != entry_id), left
    if run.is_outside(due[0]):
        with wiring.ledger.transaction():  # refused inside another, as a list that begins with a segment is
            pass
    with deeper():
        actions = run.all(due)
    return run.report(actions), left


def _program(wiring: Wiring, view: Reading, revision: str) -> Program:
    if revision == wiring.program.revision:
        return wiring.program
    program = wiring.programs.get(revision)
    if program is None:
        program = kept(view, revision)
        if program is None:
            raise RevisionUnknown(f"the ledger does not hold the program of revision {revision}")
        wiring.programs[revision] = program
    return program


class _SupersededError(Exception):
    """The task has left the entry that is dispatched again."""


class _Run:
    """One dispatch of one entry. `again`: by `redispatch`, which stops as soon as the task has left."""

    __slots__ = (
        "_again",
        "_arrival",
        "_begun",
        "_castings",
        "_redelivery",
        "_superseded",
        "_unrecorded",
        "_wiring",
        "moment",
    )

    def __init__(
        self, wiring: Wiring, program: Program, arrival: Arrival, *, again: bool, redelivery: bool = False
    ) -> None:
        self._wiring, self._arrival, self._again, self._redelivery = wiring, arrival, again, redelivery
        self._superseded = self._begun = False
        self._castings: list[CastNote] = []
        self._unrecorded: dict[int, ActionReport] = {}  # what could not be recorded yet, as it is to be
        self.moment = Moment(
            wiring,
            program,
            arrival.task,
            arrival.workflow,
            arrival.step,
            "enter",
            arrival.entry_id,
            session=arrival.session,
        )

    def all(self, due: tuple[Positioned, ...]) -> tuple[ActionReport, ...]:
        """Run the dispatched actions in their order."""
        done: list[ActionReport] = []
        try:
            for outside, group in groupby(due, key=self.is_outside):
                if outside:
                    for position, action in group:
                        done.append(self._outside(position, action))
                else:
                    done += self._segment(tuple(group))
        except _SupersededError:
            self._superseded = True
            left = due[len(done) :]
            done += [ActionReport(a.kind, n, ActionStatus.SUPERSEDED) for n, a in left]
        return tuple(self._recorded_late(done) if self._unrecorded else done)

    def nothing(self, *, superseded: bool) -> EntryReport:
        """The report of an entry that has no dispatched actions."""
        self._superseded = superseded
        return self.report(())

    def report(
        self, actions: tuple[ActionReport, ...], session_actions: tuple[SessionActionReport, ...] = ()
    ) -> EntryReport:
        """What was done, told to whoever watches if anything was dispatched, or the entry was over."""
        arrival = self._arrival
        report = EntryReport(
            arrival.entry_id, arrival.task, arrival.step, self._redelivery, self._superseded, actions, session_actions
        )
        if actions or self._superseded:
            observing.entry(self._wiring.observer, report, self._castings)
        return report

    def is_outside(self, due: Positioned) -> bool:
        """Whether an action runs with no transaction open."""
        return self.moment.nature(due[1]) is Nature.OUTSIDE

    # ---------------------------------------------------------------- segments

    def _segment(self, due: tuple[Positioned, ...]) -> list[ActionReport]:
        """Run database actions in one transaction; where it does not commit, none of them took effect."""
        answers = self.moment.ask(action for _, action in due)
        try:
            effects = again(lambda: self._committed(due, answers))
        except _SupersededError:
            raise
        except Exception as error:
            if isinstance(error, InsideTransaction) and self._again and not self._begun:
                raise  # the call itself was made inside a transaction, and nothing has come of it
            return self._lost(due, failure(error))
        finally:
            self._begun = True
        self._castings += [effect.casting for effect in effects if effect.casting]
        return _reported(due, effects)

    def _committed(self, due: tuple[Positioned, ...], answers: Answers) -> list[Effect]:
        with self._wiring.ledger.transaction() as tx:
            self._lock(tx)
            effects = self._effects(tx, due, answers)
            tx.record_actions(self._arrival.entry_id, _reported(due, effects))
            return effects

    def _lock(self, tx: Transaction) -> None:
        if self._over(tx, tx.lock_task(self._arrival.task)):
            raise _SupersededError

    def _over(self, view: Reading, task: Task | None) -> bool:
        """Whether the entry is over: left, where that ends it, or removed, even if another task bears the name now."""
        if task is None:
            return True
        left = task.entry_id != self._arrival.entry_id
        return left and (self._again or view.row(self._arrival.entry_id) is None)

    def _effects(self, tx: Transaction, due: tuple[Positioned, ...], answers: Answers) -> list[Effect]:
        applied = self._applied(tx) if any(self._by_record(action) for _, action in due) else ()
        return [self._effect(tx, position, action, answers, position in applied) for position, action in due]

    def _by_record(self, action: Action) -> bool:
        """Whether an action's record decides: so it is for the host's own, never for a standard one."""
        return self._wiring.handlers.find(action.kind) is not None

    def _applied(self, view: Reading) -> frozenset[int]:
        records = view.entry_actions(self._arrival.entry_id)
        return frozenset(r.position for r in records if r.status == ActionStatus.APPLIED)

    def _effect(self, tx: Transaction, position: int, action: Action, answers: Answers, applied: bool) -> Effect:
        if self.moment.nature(action) is Nature.UNWIRED:
            return Effect(ActionStatus.FAILED, NOT_WIRED)
        if applied and self._by_record(action):
            return Effect(ActionStatus.REDELIVERED)
        try:
            with tx.savepoint():
                return self.moment.in_database(tx, position, action, answers)
        except Exception as error:
            if not tx.active:
                raise LedgerUnavailable(f"{action.kind} ended the transaction: {failure(error)}") from error
            return Effect(ActionStatus.FAILED, failure(error))

    def _lost(self, due: tuple[Positioned, ...], reason: str) -> list[ActionReport]:
        reports = [ActionReport(a.kind, n, ActionStatus.FAILED, f"rolled back: {reason}") for n, a in due]
        self._record(reports)
        return reports

    def _recorded_late(self, done: list[ActionReport]) -> list[ActionReport]:
        """Try again to record what could not be recorded: whatever was in the way may be over now."""
        late = dict(self._unrecorded)
        if self._record(tuple(late.values())):
            return done
        return [late.get(report.position, report) for report in done]

    def _record(self, reports: Sequence[ActionReport]) -> str | None:
        """Write records in a transaction of their own; why it could not, if it could not."""

        def recorded() -> str | None:
            with self._wiring.ledger.transaction() as tx:
                task = tx.lock_task(self._arrival.task)
                if task is None or (task.entry_id != self._arrival.entry_id and tx.row(self._arrival.entry_id) is None):
                    return NO_TASK
                tx.record_actions(self._arrival.entry_id, reports)
                return None

        try:
            return again(recorded)
        except Exception as error:
            self._unrecorded.update({report.position: report for report in reports})
            return failure(error)

    # ---------------------------------------------------------------- outside

    def _outside(self, position: int, action: Action) -> ActionReport:
        self._begun = True
        try:
            with self._wiring.ledger.read() as view:
                over = self._over(view, view.task(self._arrival.task))
                applied = self._applied(view)
        except Exception as error:  # not known whether it is done already: not called
            unknown = ActionReport(action.kind, position, ActionStatus.FAILED, failure(error))
            self._unrecorded[position] = unknown
            return unknown
        if over:
            raise _SupersededError
        report = ActionReport(action.kind, position, ActionStatus.REDELIVERED)
        if position not in applied:
            report = self._called(position, action)
        unrecorded = self._record([report])
        if unrecorded and report.status is ActionStatus.APPLIED:
            return ActionReport(action.kind, position, ActionStatus.FAILED, f"it ran, unrecorded: {unrecorded}")
        return report

    def _called(self, position: int, action: Action) -> ActionReport:
        try:
            self.moment.outside(position, action)
        except Exception as error:
            return ActionReport(action.kind, position, ActionStatus.FAILED, failure(error))
        return ActionReport(action.kind, position, ActionStatus.APPLIED)


def _reported(due: tuple[Positioned, ...], effects: Sequence[Effect]) -> list[ActionReport]:
    pairs = zip(due, effects, strict=True)
    return [ActionReport(action.kind, position, e.status, e.reason) for (position, action), e in pairs]


# ---------------------------------------------------------------- the session's half


def _session_half(moment: Moment, arrival: Arrival, due: tuple[Positioned, ...]) -> Iterable[SessionActionReport]:
    """Run the excluded kinds in the arriving task's live session, if there is one and the turn is not its own."""
    if arrival.in_turn:
        return [SessionActionReport(a.kind, n, SessionStatus.IN_TURN) for n, a in due]
    try:
        live = moment.live()
    except Exception as error:
        return [SessionActionReport(a.kind, n, SessionStatus.FAILED, failure(error)) for n, a in due]
    if live is None:
        return [SessionActionReport(a.kind, n, SessionStatus.NO_SESSION) for n, a in due]
    reports: list[SessionActionReport] = []
    for position, action in due:
        try:
            moment.run_in(live, position, action)
        except Exception as error:
            reports.append(SessionActionReport(action.kind, position, SessionStatus.FAILED, failure(error)))
        else:
            reports.append(SessionActionReport(action.kind, position, SessionStatus.RAN))
    return reports
