"""The closed set of functions that change a task's step. Each commits one row for each change, then runs its entry.

A move: the outside actions of the exit list with nothing open; then, in one transaction, lock the task, compare its
entry, run the database actions of the exit list, write the row and the step; after the commit, the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

from newel.dsl.slotted import frozen
from newel.runtime import observing
from newel.runtime.board import locked
from newel.runtime.causes import actor_of, route_of
from newel.runtime.entry import Arrival, dispatch
from newel.runtime.errors import NotByHand, NotSupported, UnknownStep, UnknownTask, UnknownWorkflow
from newel.runtime.leaving import Leaving
from newel.runtime.ledgers.base import Transaction
from newel.runtime.nesting import check_depth
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.ports import Actor
from newel.runtime.retrying import again
from newel.runtime.rows import Task
from newel.runtime.wiring import Wiring

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

WRITERS: dict[str, Callable[..., Any]] = {}
"""By name. Code outside them does not change a step; a test reads the source for it."""


def writer(function: F) -> F:
    """Register a function as one that changes steps."""
    WRITERS[function.__qualname__] = function
    return function


@frozen
class Change:
    """Why steps change in one call: what their rows record beside the steps."""

    route: str
    actor: Actor
    session: str | None = None
    in_turn: bool = False

    @classmethod
    def of(cls, route: str, actor: Actor | None, session: str | None, *, in_turn: bool = False) -> Change:
        """With the cause in force here applied; blank ids are absent ones."""
        found = actor_of(actor)
        if found.id == "":
            found = Actor(found.kind)
        return cls(route_of(route), found, session or None, in_turn)


@writer
def arrive(wiring: Wiring, tx: Transaction, task: Task, workflow: str, step: str, change: Change) -> Arrival:
    """Write one arrival in an open transaction. Whoever commits it dispatches it. Raises `TooDeep`."""
    check_depth()
    return Arrival(
        _write_row(wiring, tx, task, workflow, step, change), task.id, workflow, step, change.session, change.in_turn
    )


@writer
def _write_row(
    wiring: Wiring, tx: Transaction, task: Task, workflow: str | None, step: str | None, change: Change
) -> int:
    program = wiring.program
    if program.revision not in wiring.kept:
        tx.keep_program(program.revision, program.to_json())
    return tx.arrive(
        task,
        workflow,
        step,
        route=change.route,
        actor=change.actor,
        session=change.session,
        revision=program.revision,
    )


class OutsideFirst(Exception):
    """The exit list has something to do with nothing open; the transaction is rolled back for it and begun again."""

    def __init__(self, leaving: Leaving) -> None:
        super().__init__()
        self.leaving = leaving


class Departures:
    """The exit lists of the tasks that one call moves, each run outside at most once for an entry."""

    __slots__ = ("_operation", "_ran", "_session", "_wiring")

    def __init__(self, wiring: Wiring, session: str | None, operation_id: str = "") -> None:
        self._wiring, self._session, self._operation = wiring, session, operation_id
        self._ran: dict[str, Leaving] = {}

    def of(self, task: Task) -> Leaving:
        """The exit list of where a task stands now. Raises `OutsideFirst` where its outside part has yet to run."""
        ran = self._ran.get(task.id)
        if ran is not None and ran.entry_id == task.entry_id:
            return ran
        leaving = Leaving(self._wiring, task, self._session, self._operation)
        if leaving.waits:
            raise OutsideFirst(leaving)
        return leaving

    def through(self, work: Callable[[], T]) -> T:
        """Do work that is one transaction; anew after the outside part of an exit list that it needs has run."""
        while True:
            try:
                return again(work)
            except OutsideFirst as first:
                self.run(first.leaving)

    def run(self, leaving: Leaving) -> None:
        """Run the outside part of an exit list, with nothing open."""
        leaving.outside()
        observing.passed_over(leaving.task, "exit", leaving.session_actions)
        self._ran[leaving.task] = leaving


# ---------------------------------------------------------------- create


@writer
def create(
    wiring: Wiring,
    task: str,
    workflow: str,
    step: str | None = None,
    *,
    actor: Actor | None = None,
    priority: int | None = None,
    parent: str | None = None,
) -> Outcome:
    """A new task at a step, the start step unless another is given. Raises `TaskExists`."""
    to = known_step(wiring, workflow, step)
    if not task:
        raise UnknownTask("a task's id is not blank")
    change = Change.of("created", actor, None)

    def created() -> Arrival:
        with wiring.ledger.transaction() as tx:
            if parent is not None and tx.task(parent) is None:
                raise UnknownTask(f"there is no task {parent!r} to be the parent")
            new = tx.add_task(task, priority=priority or 0, parent=parent)
            return arrive(wiring, tx, new, workflow, to, change)

    return arrived(wiring, None, again(created))


# ---------------------------------------------------------------- move


@writer
def move(
    wiring: Wiring,
    task: str,
    to: str,
    *,
    actor: Actor | None = None,
    session: str | None = None,
    route: str = "manual_move",
    if_entry: int | None = None,
) -> Outcome:
    """Move a task. With `if_entry` it loses to whoever moved it since; without, it loses to nobody."""
    change = Change.of(route, actor, session)
    departures = Departures(wiring, change.session)

    def moved() -> tuple[Task, Arrival | None, bool]:
        with wiring.ledger.transaction() as tx:
            found = locked(tx, task)
            lost = if_entry is not None and found.entry_id != if_entry
            return found, None if lost else _move_in(wiring, tx, found, to, change, departures), lost

    found, arrival, lost = departures.through(moved)
    return Outcome(OutcomeKind.ABANDONED, found.step, to) if lost else _outcome(wiring, found, to, arrival)


@writer
def move_many(
    wiring: Wiring,
    moves: Iterable[tuple[str, str]],
    *,
    actor: Actor | None = None,
    session: str | None = None,
    route: str = "bulk_move",
) -> list[Outcome]:
    """Move tasks in one transaction, then run their entries in that order; what stops one move stops all."""
    pairs = tuple(moves)
    if len({task for task, _ in pairs}) < len(pairs):
        raise NotSupported("a task stands at most once among the moves of one call")
    change = Change.of(route, actor, session)
    departures = Departures(wiring, change.session)

    def moved() -> list[tuple[Task, Arrival | None]]:
        with wiring.ledger.transaction() as tx:
            # In one order whatever the caller's, so that two calls cannot wait for each other.
            found = {task: locked(tx, task) for task in sorted(task for task, _ in pairs)}
            return [(found[task], _move_in(wiring, tx, found[task], to, change, departures)) for task, to in pairs]

    made = departures.through(moved)
    return [_outcome(wiring, found, to, arrival) for (_, to), (found, arrival) in zip(pairs, made, strict=True)]


@writer
def _move_in(
    wiring: Wiring, tx: Transaction, task: Task, to: str, change: Change, departures: Departures
) -> Arrival | None:
    """Move a locked task in an open transaction; None where it stands there already."""
    if task.workflow is None:
        raise UnknownWorkflow(f"task {task.id!r} stands in no workflow")
    workflow = task.workflow
    known_step(wiring, workflow, to)
    if task.step == to:
        return None
    if change.route == "manual_move" and not wiring.program.flag(workflow, to, "manual_entry"):
        raise NotByHand(f"step {to!r} does not take tasks by hand; another route leads there")
    leaving = departures.of(task)
    made: list[Arrival] = []

    def commit(step: str) -> None:
        leaving.database(tx)
        made.append(arrive(wiring, tx, task, workflow, step, change))

    wiring.machines.of(workflow).move(task.step, to, commit)
    return made[0]


def _outcome(wiring: Wiring, task: Task, to: str, arrival: Arrival | None) -> Outcome:
    if arrival is None:
        return Outcome(OutcomeKind.ALREADY_THERE, task.step, to)
    return arrived(wiring, task.step, arrival)


def arrived(wiring: Wiring, from_step: str | None, arrival: Arrival) -> Outcome:
    """The outcome of a committed arrival, whose entry is run for it."""
    return Outcome(OutcomeKind.MOVED, from_step, arrival.step, dispatch(wiring, arrival))


# ---------------------------------------------------------------- detach


@writer
def detach(
    wiring: Wiring, task: str, *, actor: Actor | None = None, session: str | None = None, route: str = "detached"
) -> Outcome:
    """Take a task out of its workflow: a row without a destination, which is no arrival and enters nothing."""
    change = Change.of(route, actor, session)
    departures = Departures(wiring, change.session)

    def detached() -> Task:
        with wiring.ledger.transaction() as tx:
            found = locked(tx, task)
            if found.step is not None:
                departures.of(found).database(tx)
                _write_row(wiring, tx, found, None, None, change)
            return found

    left = departures.through(detached).step
    return Outcome(OutcomeKind.ALREADY_THERE) if left is None else Outcome(OutcomeKind.MOVED, left, None)


# ---------------------------------------------------------------- what is known


def known_step(wiring: Wiring, workflow: str, step: str | None = None) -> str:
    """That step of the workflow, its start step for None. Raises `UnknownWorkflow` and `UnknownStep`."""
    found = wiring.program.workflows.get(workflow)
    if found is None:
        raise UnknownWorkflow(
            f"the program has no workflow {workflow!r}{_suggested(workflow, wiring.program.workflows)}"
        )
    if step is not None and step not in found.steps:
        raise UnknownStep(f"workflow {workflow!r} has no step {step!r}{_suggested(step, found.steps)}")
    return step or found.start


def _suggested(name: str, known: Iterable[str]) -> str:
    close: Sequence[str] = get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
