"""What stands in the ledger about a task, and the changes of it that are no change of step."""

from __future__ import annotations

import math

from newel.runtime.errors import (
    NewelError,
    NoSuchApproval,
    NoSuchEntry,
    NoSuchRun,
    NoSuchSeat,
    UnknownStep,
    UnknownTask,
)
from newel.runtime.known import known_step
from newel.runtime.ledgers.base import Reading, Transaction
from newel.runtime.limits import Place, place_of
from newel.runtime.quorum import known_role
from newel.runtime.retrying import retried
from newel.runtime.rows import Approval, Decision, EntryRecord, HistoryRow, Run, Seat, Task
from newel.runtime.wiring import Wiring


def standing(view: Reading, task: str) -> Task:
    """Where a task stands. Raises `UnknownTask`."""
    found = view.task(task)
    if found is None:
        raise UnknownTask(f"there is no task {task!r}")
    return found


def locked(tx: Transaction, task: str) -> Task:
    """Where a task stands, locked. Raises `UnknownTask`."""
    found = tx.lock_task(task)
    if found is None:
        raise UnknownTask(f"there is no task {task!r}")
    return found


def asked(view: Reading, approval: int) -> Approval:
    """An approval by its id. Raises `NoSuchApproval`."""
    found = view.approval(approval)
    if found is None:
        raise NoSuchApproval(f"no approval has the id {approval!r}")
    return found


# ---------------------------------------------------------------- reading


def task(wiring: Wiring, task: str) -> Task:
    """Where a task stands."""
    with wiring.ledger.read() as view:
        return standing(view, task)


def tasks(wiring: Wiring) -> tuple[Task, ...]:
    """All tasks, by id."""
    with wiring.ledger.read() as view:
        return tuple(view.tasks())


def history(wiring: Wiring, task: str) -> tuple[HistoryRow, ...]:
    """A task's rows, oldest first."""
    with wiring.ledger.read() as view:
        standing(view, task)
        return tuple(view.history(task))


def entry(wiring: Wiring, entry_id: int) -> EntryRecord:
    """An entry's row and the records of its actions. Raises `NoSuchEntry`."""
    with wiring.ledger.read() as view:
        row = view.row(entry_id)
        if row is None or row.to_step is None:
            raise NoSuchEntry(f"the ledger has no row {entry_id} that names a destination")
        return EntryRecord(row, tuple(view.entry_actions(entry_id)))


def seats(wiring: Wiring, task: str) -> tuple[Seat, ...]:
    """A task's own seats, by id."""
    with wiring.ledger.read() as view:
        standing(view, task)
        return tuple(view.seats(task))


def decisions(wiring: Wiring, task: str) -> tuple[Decision, ...]:
    """All decisions on a task, by id."""
    with wiring.ledger.read() as view:
        standing(view, task)
        return tuple(view.decisions(task))


def runs(wiring: Wiring, task: str | None = None) -> tuple[Run, ...]:
    """The runs for a task, or all, by id."""
    with wiring.ledger.read() as view:
        if task is not None:
            standing(view, task)
        return tuple(view.runs(task))


def approvals(wiring: Wiring, task: str) -> tuple[Approval, ...]:
    """All approvals that a task's moves have asked for, by id."""
    with wiring.ledger.read() as view:
        standing(view, task)
        return tuple(view.approvals(task))


def approval(wiring: Wiring, approval: int) -> Approval:
    """One approval. Raises `NoSuchApproval`."""
    with wiring.ledger.read() as view:
        return asked(view, approval)


# ---------------------------------------------------------------- seats


@retried
def seat(wiring: Wiring, task: str, *, step: str, role: str, agent: str, decision_required: bool, position: int) -> int:
    """Seat an agent at a step of the task's workflow; one that sits there in that role is changed. The seat's id."""
    known_role(wiring.program, role)
    if not agent:
        raise NewelError("who takes a seat has an id; it may not be blank")
    with wiring.ledger.transaction() as tx:
        found = locked(tx, task)
        workflow = wiring.program.workflows.get(found.workflow or "")
        if workflow is None:
            raise UnknownStep(f"task {task!r} stands in no workflow, so there is no step {step!r}")
        known_step(wiring.program, workflow.name, step)
        place = (task, workflow.name, step)
        made = tx.add_seat(*place, role=role, agent=agent, required=decision_required, position=position)
        if made is not None:
            return made
        there = _seat_at(tx, place, role, agent)
        tx.set_seat(there, required=decision_required, position=position)
        return there


def _seat_at(tx: Transaction, place: tuple[str, str, str], role: str, agent: str) -> int:
    wanted = (*place, role, agent)
    return next(
        s.id
        for s in tx.seats(place[0])
        if (s.task, s.workflow, s.step, s.role, s.agent) == wanted and isinstance(s.id, int)
    )


@retried
def unseat(wiring: Wiring, seat: int | str) -> None:
    """Remove a seat. Raises `NoSuchSeat`, also for a template's: that one is the file's to change."""
    with wiring.ledger.transaction() as tx:
        found = tx.seat(seat) if isinstance(seat, int) else None
        if found is None or found.task is None or not isinstance(found.id, int):
            raise NoSuchSeat(f"no seat of a task has the id {seat!r}")
        tx.lock_task(found.task)
        tx.remove_seat(found.id)


# ---------------------------------------------------------------- runs


@retried
def claim_runs(wiring: Wiring, worker: str, limit: int, lease: float) -> tuple[Run, ...]:
    """Give a worker runs to work on, the oldest first."""
    if not (math.isfinite(lease) and lease >= 0):
        raise NewelError(f"a lease is a number of seconds, not {lease!r}: nobody could ever claim those runs again")
    with wiring.ledger.transaction() as tx:
        return tuple(tx.claim_runs(worker, max(limit, 0), lease))


@retried
def finish_run(wiring: Wiring, run: int, worker: str, error: str | None) -> None:
    """End a run. Raises `NoSuchRun` where the worker has not claimed it, or another has since."""
    with wiring.ledger.transaction() as tx:
        if not tx.finish_run(run, worker, error):
            raise NoSuchRun(f"{worker!r} has no claimed run {run}")


# ---------------------------------------------------------------- tasks


@retried
def remove(wiring: Wiring, task: str) -> Place | None:
    """Remove a task and all that hangs on it, in one transaction; the workflow and the step it has left. It is no
    arrival."""
    with wiring.ledger.transaction() as tx:
        found = locked(tx, task)
        tx.remove_task(task)
    return place_of(found)


@retried
def reorder(wiring: Wiring, task: str, position: int) -> None:
    """Give a task another position in its step. It is no arrival."""
    with wiring.ledger.transaction() as tx:
        locked(tx, task)
        tx.reorder(task, position)
