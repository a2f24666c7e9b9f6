"""The closed set of functions that change a task's step. Each commits one row for each change, then runs its entry.

A move: the outside actions of the exit list with nothing open; then, in one transaction, lock the task, compare its
entry, run the database actions of the exit list, write the row and the step; after the commit, the entry; after that,
the place that was left is filled. A step whose places are limited is locked before the task; where it is full, the task
waits instead.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

from newel.runtime.arriving import Change, Departures, arrive, depart, writer
from newel.runtime.board import locked
from newel.runtime.entry import Arrival, dispatch
from newel.runtime.errors import BadArgument, Contended, NotByHand, NotSupported, UnknownTask, UnknownWorkflow
from newel.runtime.known import known_step
from newel.runtime.ledgers.base import Transaction
from newel.runtime.limits import Place, place_of, workflow_of
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.ports import Actor
from newel.runtime.pulling import pull_into
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
    if not task:
        raise BadArgument("create: `task` takes a text that is not blank, not ''")
    to = known_step(wiring.program, workflow, step)
    change = Change.of("created", actor, None)

    def created() -> Arrival | None:
        with wiring.ledger.transaction() as tx:
            if wiring.limits.limited(workflow, to):
                tx.lock_place(workflow, to)
            if parent is not None and tx.task(parent) is None:
                raise UnknownTask(f"there is no task {parent!r} to be the parent")
            new = tx.add_task(task, priority=priority or 0, parent=parent)
            if wiring.limits.full(tx, workflow, to):
                tx.wait_for(new, workflow, to)
                return None
            return arrive(wiring, tx, new, workflow, to, change)

    arrival = again(created)
    return Outcome(OutcomeKind.QUEUED, None, to) if arrival is None else arrived(wiring, None, arrival)


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
    over_limit: bool = False,
) -> Outcome:
    """Move a task. With `if_entry` it loses to whoever moved it since; without, it loses to nobody.

    At a full step it waits for a place, unless it may go `over_limit`.
    """
    change = Change.of(route, actor, session)
    departures = Departures(wiring, change.session)

    def moved() -> tuple[Task, Arrival | OutcomeKind]:
        with wiring.ledger.transaction() as tx:
            places = wiring.limits.lock(tx, [(task, to)])
            found = locked(tx, task)
            lost = if_entry is not None and found.entry_id != if_entry
            if lost:
                return found, OutcomeKind.ABANDONED
            return found, _move_in(wiring, tx, found, to, change, departures, None if over_limit else places)

    found, made = departures.through(moved)
    return departures.told(_pulled(wiring, _entered(wiring, found, to, made), made), task)


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

    def moved() -> list[tuple[Task, Arrival | OutcomeKind]]:
        with wiring.ledger.transaction() as tx:
            places = wiring.limits.lock(tx, pairs)
            # In one order whatever the caller's, so that two calls cannot wait for each other.
            found = {task: locked(tx, task) for task in sorted(task for task, _ in pairs)}
            for task, to in pairs:  # before the exit list of any of them runs outside of this transaction
                _may(wiring, found[task], to, change)
            return [
                (found[task], _move_in(wiring, tx, found[task], to, change, departures, places)) for task, to in pairs
            ]

    made = departures.through(moved)
    outcomes = [_entered(wiring, found, to, done) for (_, to), (found, done) in zip(pairs, made, strict=True)]
    return [
        departures.told(_pulled(wiring, outcome, done), found.id)
        for outcome, (found, done) in zip(outcomes, made, strict=True)
    ]


@writer
def _move_in(
    wiring: Wiring,
    tx: Transaction,
    task: Task,
    to: str,
    change: Change,
    departures: Departures,
    places: Container[Place] | None,
) -> Arrival | OutcomeKind:
    """Move a locked task in an open transaction, or let it wait; `places` are locked, None where no limit counts."""
    workflow = _may(wiring, task, to, change)
    if task.step == to:
        if task.queued_for is not None:
            tx.wait_no_more(task)
        return OutcomeKind.ALREADY_THERE
    if places is not None and wiring.limits.limited(workflow, to):
        if (workflow, to) not in places:  # the task has been switched while its workflow was not locked yet
            raise Contended
        if wiring.limits.full(tx, workflow, to):
            tx.wait_for(task, workflow, to)
            return OutcomeKind.QUEUED
    leaving = departures.of(task)
    made: list[Arrival] = []

    def commit(step: str) -> None:
        leaving.database(tx)
        made.append(arrive(wiring, tx, task, workflow, step, change))

    wiring.machines.of(workflow).move(task.step, to, commit)
    return made[0]


def _may(wiring: Wiring, task: Task, to: str, change: Change) -> str:
    """The workflow in which a task moves. Raises what is wrong with such a move."""
    workflow = workflow_of(task)
    if workflow is None:
        raise UnknownWorkflow(f"task {task.id!r} stands in no workflow")
    known_step(wiring.program, workflow, str(to))  # a move names its step: None is not the start step here
    if change.route == "manual_move" and not (task.step == to or wiring.program.flag(workflow, to, "manual_entry")):
        raise NotByHand(f"step {to!r} does not take tasks by hand; another route leads there")
    return workflow


def _entered(wiring: Wiring, task: Task, to: str, made: Arrival | OutcomeKind) -> Outcome:
    if isinstance(made, OutcomeKind):
        return Outcome(made, task.step, to)
    return Outcome(OutcomeKind.MOVED, task.step, made.step, dispatch(wiring, made))


def _pulled(wiring: Wiring, outcome: Outcome, made: Arrival | OutcomeKind) -> Outcome:
    pulled = () if isinstance(made, OutcomeKind) else pull_into(wiring, made.left)
    return replace(outcome, pulled=pulled) if pulled else outcome


def arrived(wiring: Wiring, from_step: str | None, arrival: Arrival) -> Outcome:
    """The outcome of a committed arrival, whose entry is run for it, and then the place filled that it has left."""
    report = dispatch(wiring, arrival)
    return Outcome(OutcomeKind.MOVED, from_step, arrival.step, report, pulled=pull_into(wiring, arrival.left))


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
            elif found.queued_for is not None:
                tx.wait_no_more(found)
            return found

    left = departures.through(detached)
    if left.step is None:
        return Outcome(OutcomeKind.ALREADY_THERE)
    outcome = Outcome(OutcomeKind.MOVED, left.step, None, pulled=pull_into(wiring, place_of(left)))
    return departures.told(outcome, task)
