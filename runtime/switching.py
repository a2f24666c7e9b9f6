"""A task to another workflow: the exit list of the step it leaves, one row, and that row's entry."""

from __future__ import annotations

from newel.compiler.program import Program
from newel.runtime.arriving import Change, Departures, arrive, writer
from newel.runtime.board import locked
from newel.runtime.entry import Arrival
from newel.runtime.known import known_step
from newel.runtime.ledgers.base import Transaction
from newel.runtime.limits import standing_in
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.ports import Actor
from newel.runtime.rows import Task
from newel.runtime.wiring import Wiring
from newel.runtime.writers import arrived

KEY = "switch_exit"


@writer
def switch(
    wiring: Wiring,
    task: str,
    workflow: str,
    step: str | None = None,
    *,
    operation_id: str | None = None,
    actor: Actor | None = None,
    session: str | None = None,
) -> Outcome:
    """Take a task to a step of a workflow, its start step unless another is given; it loses to nobody.

    At a full step it waits for a place, and has not left the old workflow before it gets one.

    `operation_id` is the delivery that the switch is part of. The exit list runs under an id derived from it, also
    where the switch has waited; where that id is applied already the list is passed over, and the switch is made all
    the same.
    """
    to = known_step(wiring.program, workflow, step)
    operation = exit_operation(wiring.program, operation_id)
    departures = Departures(wiring, session or None)
    done = bool(operation) and wiring.store.is_operation_applied(operation)

    def switched() -> tuple[Task, Arrival | OutcomeKind]:
        with wiring.ledger.transaction() as tx:
            if wiring.limits.limited(workflow, to):
                tx.lock_place(workflow, to)
            found = locked(tx, task)
            if (found.workflow, found.step) == (workflow, to):
                if found.queued_for is not None:
                    tx.wait_no_more(found)
                return found, OutcomeKind.ALREADY_THERE
            if wiring.limits.full(tx, workflow, to):
                tx.wait_for(found, workflow, to, operation or None)
                return found, OutcomeKind.QUEUED
            if not done:
                departures.of(found, operation).database(tx)
            return found, _commit(wiring, tx, found, (workflow, to), Change.of(_route(found), actor, session))

    found, made = departures.through(switched)
    if isinstance(made, OutcomeKind):
        return Outcome(made, found.step, to)
    if operation and made.left is not None:  # whoever stood nowhere had no exit list to run
        wiring.store.mark_operation_applied(operation)
    return departures.told(arrived(wiring, found.step, made), task)


@writer
def _commit(wiring: Wiring, tx: Transaction, task: Task, place: tuple[str, str], change: Change) -> Arrival:
    workflow, to = place
    made: list[Arrival] = []
    wiring.machines.of(workflow).move(
        standing_in(task, workflow), to, lambda step: made.append(arrive(wiring, tx, task, workflow, step, change))
    )
    return made[0]


def _route(task: Task) -> str:
    return "attached" if task.workflow is None else "switched"


def exit_operation(program: Program, parent: str | None) -> str:
    """The id of the exit list of a switch; "" for a blank parent, and where the vocabulary declares no such key."""
    parent = None if parent is None else str.__str__(parent)
    if parent is None or not parent.strip() or KEY not in program.vocabulary.keys:
        return ""
    return program.operation_id(KEY, parent=parent)
