"""The closed set of functions that change a task's step. Each commits one row for each change, then runs its entry.

A move: the outside actions of the exit list with nothing open; then, in one transaction, lock the task, compare its
entry, run the database actions of the exit list, write the row and the step; after the commit, the entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from newel.runtime.arriving import Change, Departures, arrive, depart, writer
from newel.runtime.board import locked
from newel.runtime.entry import Arrival, dispatch
from newel.runtime.errors import NotByHand, NotSupported, UnknownStep, UnknownTask, UnknownWorkflow
from newel.runtime.ledgers.base import Transaction
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.ports import Actor
from newel.runtime.retrying import again
from newel.runtime.rows import Task
from newel.runtime.wiring import Wiring

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
                depart(wiring, tx, found, change)
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
