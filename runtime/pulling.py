"""A place that has become free to the arrivals that fill it: in a loop, since each may free a place itself."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator

from newel.runtime.arriving import Change, Departures, arrive, writer
from newel.runtime.entry import Arrival, dispatch
from newel.runtime.errors import Contended, LedgerUnavailable
from newel.runtime.known import known_step
from newel.runtime.ledgers.base import Transaction
from newel.runtime.limits import Place, standing_in
from newel.runtime.logs import Log
from newel.runtime.nesting import check_depth
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.ports import Actor
from newel.runtime.retrying import besides
from newel.runtime.rows import Task
from newel.runtime.standard import failure
from newel.runtime.wiring import Wiring

_log = Log("newel.pulls")
_LEFT = "the free places of step %r in workflow %r could not be filled"

FAILED = "pull_failed"
"""Why a task that waits stayed where it was: its exit list could not be run."""

EARLIER = "whom this call has let in before is committed and has entered"


def pull(wiring: Wiring, workflow: str, step: str) -> tuple[Outcome, ...]:
    """Fill the free places of a step, and those that become free by it.

    Where no limit is set any more, all who still wait are let in. Raises `UnknownWorkflow` and `UnknownStep`.
    """
    known_step(wiring.program, workflow, step)
    check_depth()
    done: list[Outcome] = []
    try:
        for outcome in _pulls(wiring, (workflow, step)):
            done.append(outcome)
    except LedgerUnavailable as error:
        if any(outcome.moved for outcome in done):
            besides(error, EARLIER)
        raise
    return tuple(done)


def pull_into(wiring: Wiring, left: Place | None) -> tuple[Outcome, ...]:
    """Fill the place that a departure has freed, if the places of that step are limited.

    The departure is committed: what hinders the pull is logged, and left to the next departure.
    """
    if left is None or not wiring.limits.limited(*left):
        return ()
    done: list[Outcome] = []
    try:
        for outcome in _pulls(wiring, left):
            done.append(outcome)
    except Exception as error:
        _log.write(logging.ERROR, _LEFT, left[1], left[0], error=error)
    return tuple(done)


def _pulls(wiring: Wiring, first: Place) -> Iterator[Outcome]:
    """The arrivals of one pull, each with its entry run before the next is made."""
    todo, passed = deque([first]), set[tuple[Place, str]]()
    while todo:
        admission = _Admission(wiring, todo[0], {task for place, task in passed if place == todo[0]})
        try:
            arrival = admission.made()
        except Exception as error:
            if admission.task is None:  # nobody's in particular: where the ledger is gone, the next look at it says so
                raise
            passed.add((todo[0], admission.task.id))
            yield _stuck(admission.task, todo[0], error)
            continue
        if arrival is None or admission.task is None:
            todo.popleft()
            continue
        if arrival.left is not None and wiring.limits.limited(*arrival.left) and arrival.left not in todo:
            todo.append(arrival.left)
        yield admission.told(Outcome(OutcomeKind.MOVED, admission.task.step, arrival.step, dispatch(wiring, arrival)))


def _stuck(task: Task, place: Place, error: Exception) -> Outcome:
    _log.write(logging.ERROR, "task %r could not be pulled to step %r", task.id, place[1], error=error)
    return Outcome(OutcomeKind.STAYED, task.step, place[1], reason=f"{FAILED}: {task.id}: {failure(error)}")


class _Admission:
    """One place given to the first who waits for it. `task` is who that is."""

    __slots__ = ("_change", "_departures", "_passed", "_place", "_wiring", "task")

    def __init__(self, wiring: Wiring, place: Place, passed: set[str]) -> None:
        self._wiring, self._place, self._passed = wiring, place, passed
        self._change = Change.of("pull", Actor.system(), None)
        self._departures = Departures(wiring, None)
        self.task: Task | None = None

    def made(self) -> Arrival | None:
        """The arrival as it was committed; None where the step is full, or nobody waits."""
        arrival = self._departures.through(self.commit)
        operation = self.task and self.task.queued_operation
        if operation and arrival is not None and arrival.left is not None:  # who stood nowhere had no list to run
            self._wiring.store.mark_operation_applied(operation)
        return arrival

    def told(self, outcome: Outcome) -> Outcome:
        """The outcome with what the session made of the exit list."""
        return outcome if self.task is None else self._departures.told(outcome, self.task.id)

    @writer
    def commit(self) -> Arrival | None:
        """Choose under the lock of the place, and let the chosen arrive, in one transaction."""
        wiring, (workflow, step) = self._wiring, self._place
        self.task = None
        with wiring.ledger.transaction() as tx:
            tx.lock_place(workflow, step)
            first = None if wiring.limits.full(tx, workflow, step) else self._first(tx)
            if first is None:
                return None
            task = self.task = tx.lock_task(first.id)
            if task is None or task != first:  # it has moved while it was not locked yet
                raise Contended
            operation = task.queued_operation or ""
            done = bool(operation) and wiring.store.is_operation_applied(operation)
            leaving = None if done else self._departures.of(task, operation)
            made: list[Arrival] = []

            def commit(to: str) -> None:
                if leaving is not None:
                    leaving.database(tx)
                made.append(arrive(wiring, tx, task, workflow, to, self._change))

            wiring.machines.of(workflow).move(standing_in(task, workflow), step, commit)
            return made[0]

    def _first(self, tx: Transaction) -> Task | None:
        feeder = self._wiring.limits.feeder(*self._place)
        due = tx.waiting(*self._place, feeder, len(self._passed) + 1)
        return next((task for task in due if task.id not in self._passed), None)
