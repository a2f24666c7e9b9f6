"""A trigger on a task to an outcome: its step's list run in order, and at most one move made, last of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from newel.compiler.program import Action, Move, Program, Statement, Step, TriggerDef
from newel.dsl.slotted import settled
from newel.runtime import observing
from newel.runtime.delivery import Delivery
from newel.runtime.departure import Departure
from newel.runtime.entry import Arrival, dispatch
from newel.runtime.errors import (
    ActionNotYetWired,
    Contended,
    EntryTrigger,
    LedgerUnavailable,
    StepGone,
    UnknownTask,
)
from newel.runtime.known import known_trigger
from newel.runtime.machine import Cursor
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.payloads import fitted
from newel.runtime.ports import Actor
from newel.runtime.pulling import pull_into
from newel.runtime.retrying import again
from newel.runtime.rows import Task
from newel.runtime.running import Moment, Nature
from newel.runtime.unit import AbandonedError, Unit
from newel.runtime.wiring import Wiring

REJECTED = "rejected"
"""Why a task stayed: the approval that its move requires was rejected under this entry."""

NOWHERE = "stands_nowhere"
"""Why a task stayed: it is at no step, so there is no list. Nothing is marked: the delivery can be made again."""


@dataclass(slots=True)
class Delivered:
    """What `Service.handle` was called with, beside the wiring, the task and the trigger."""

    session: str | None = None
    payload: Mapping[str, Any] | None = None
    operation_id: str | None = None
    actor: Actor | None = None
    signalled: bool = False
    evaluate_only: bool = False
    defer_operation_mark: bool = False


def handle(wiring: Wiring, task_id: str, trigger: str, call: Delivered) -> Outcome:
    """Handle one delivery of a trigger, once for each operation id.

    Raises what an action raises, and before anything has run: `UnknownTrigger`, `EntryTrigger`, `UnknownTask`,
    `PayloadError`, `BlankOperation`, `StepGone`, and with an operation id `ActionNotYetWired`.
    """
    delivered = deliver(wiring, task_id, trigger, call)
    if delivered.operation and not call.defer_operation_mark:
        wiring.store.mark_operation_applied(delivered.operation)
    return delivered.entered(wiring)


@settled
class Committed:
    """One delivery after its commit: its outcome, or the run whose move is committed and whose entry is still to run.

    `operation` is what is to be marked as applied; "" where the delivery took no effect, or carries no id.
    """

    outcome: Outcome | None
    operation: str = ""
    moved: _Run | None = None

    def entered(self, wiring: Wiring) -> Outcome:
        """Run the entry, if there is one; the outcome of the whole."""
        if self.moved is not None:
            return self.moved.entered(wiring)
        assert self.outcome is not None  # noqa: S101 - one of the two is given
        return self.outcome


def deliver(wiring: Wiring, task_id: str, trigger: str, call: Delivered) -> Committed:
    """Handle one delivery as far as its commit. Whoever calls this marks the operation, then lets the entry run."""
    definition = _declared(wiring.program, trigger)
    if call.evaluate_only or call.operation_id or not wiring.immediate.decides(definition):
        with wiring.ledger.read() as view:
            task = view.task(task_id)
        return _delivered(wiring, _known(task, task_id), definition, call)

    try:
        return _at_once(wiring, task_id, definition, call)
    except Contended:
        return again(lambda: _at_once(wiring, task_id, definition, call))


def _at_once(wiring: Wiring, task_id: str, definition: TriggerDef, call: Delivered) -> Committed:
    unit = Unit(wiring.ledger, task_id)
    try:
        done = _delivered(wiring, _known(unit.first(), task_id), definition, call, unit)
    except BaseException as error:
        unit.__exit__(type(error), error, error.__traceback__)
        raise
    unit.flush()  # still open where there was nothing to do
    return done


def _delivered(
    wiring: Wiring, task: Task, definition: TriggerDef, call: Delivered, unit: Unit | None = None
) -> Committed:
    """`unit`: the one in which the task was read under its lock, if it was."""
    trigger = definition.name
    payload = fitted(wiring.program, task.workflow, definition, call.payload)
    operation = _operation(wiring.program, task, definition, payload, call.operation_id)
    if operation and wiring.store.is_operation_applied(operation):
        return Committed(Outcome(OutcomeKind.IDEMPOTENT, task.step, evaluated=call.evaluate_only))
    workflow, step = task.workflow or "", task.step or ""
    lists = wiring.lists_at(workflow, step)
    if lists is None:
        step_of(wiring.program, task)  # raises, unless the task stands nowhere
    stayed = wiring.signals.held_back(workflow, step, trigger, call.signalled) if task.step else NOWHERE
    if stayed:
        return Committed(Outcome(OutcomeKind.STAYED, task.step, reason=stayed, evaluated=call.evaluate_only))
    moment = Moment(
        wiring,
        wiring.program,
        task.id,
        workflow,
        step,
        trigger,
        task.entry_id,
        payload,
        operation,
        call.session,
    )
    items = lists.get(trigger, ()) if lists else ()
    if operation:
        _preflight(moment, items)
    if call.evaluate_only:
        return Committed(_Run(moment, task, items, definition, call).evaluated())
    if unit is not None:
        return _Run(moment, task, items, definition, call, unit).committed()
    return again(lambda: _Run(moment, task, items, definition, call).committed())


# ---------------------------------------------------------------- before anything runs


def _declared(program: Program, trigger: str) -> TriggerDef:
    if trigger in ("enter", "exit"):
        raise EntryTrigger
    return known_trigger(program, trigger)


def _known(task: Task | None, task_id: str) -> Task:
    if task is None:
        raise UnknownTask(f"there is no task {task_id!r}")
    return task


def _operation(
    program: Program, task: Task, definition: TriggerDef, payload: Mapping[str, Any], given: str | None
) -> str:
    if given is not None:
        return str.__str__(given)  # the text it holds, where its class says something else
    if not definition.operations:
        return ""
    fields = {"task": task.id, "step": task.step, "workflow": task.workflow, **payload}
    return program.operation_id(definition.name, **{k: v for k, v in fields.items() if v is not None})


def step_of(program: Program, task: Task) -> Step | None:
    """The step a task stands at, None where it stands nowhere. Raises `StepGone` where the program has it no more."""
    if task.step is None:
        return None
    workflow = program.workflows.get(task.workflow or "")
    step = workflow and workflow.steps.get(task.step)
    if not step:
        way = f"`newel task move {task.id!r} STEP`" if workflow else "`switch` takes it to another workflow"
        gone = f"the program has no step {task.step!r} in a workflow {task.workflow!r}"
        raise StepGone(f"{gone}; move the task away: {way}")
    return step


def _preflight(moment: Moment, items: Sequence[Statement]) -> None:
    for position, item in enumerate(items):
        if isinstance(item, Action) and moment.nature(item) is Nature.UNWIRED:
            raise ActionNotYetWired(f"{item.kind}, at position {position} on {moment.trigger}, has no handler yet")


# ---------------------------------------------------------------- the run


class _Run:
    """One list on its way to an outcome."""

    __slots__ = ("_arrival", "_call", "_definition", "_delivery", "_departure", "_items", "_moment", "_task", "_unit")

    def __init__(
        self,
        moment: Moment,
        task: Task,
        items: Sequence[Statement],
        definition: TriggerDef,
        call: Delivered,
        unit: Unit | None = None,
    ) -> None:
        self._moment, self._task, self._items, self._definition, self._call = moment, task, items, definition, call
        if unit is None:
            moves = (item.to for item in items if isinstance(item, Move) and not item.approval)
            places = moment.wiring.limits.places(moment.workflow, moves)
            unit = Unit(moment.wiring.ledger, task.id, task.entry_id, places)
        self._unit = unit
        self._delivery = Delivery(moment, items, self._unit)
        self._departure: Departure | None = None
        self._arrival: Arrival | None = None

    def committed(self) -> Committed:
        """Run the list and commit the move, if there is one."""
        departure = self._departure = Departure(
            self._moment, self._task, self._unit, self._delivery, self._call.actor, self._definition.in_turn
        )
        try:
            with self._unit:
                done = self._delivery
                self._fire(Cursor(self._task.step, departure.commit, done.run, done.holds, done.wait))
                done.flush()
        except AbandonedError:
            self._delivery.taken_back()
            return Committed(self._ended(OutcomeKind.ABANDONED))
        except LedgerUnavailable as error:
            raise self._delivery.failed(error) from error.__cause__
        finally:
            self._tell()
        arrival, operation = departure.arrival, self._moment.operation_id
        if departure.queued_for is not None:
            return Committed(self._ended(OutcomeKind.QUEUED, departure.queued_for), operation)
        if arrival is None:
            return Committed(self._not_moved(), operation)
        self._arrival = arrival
        return Committed(None, operation, self)

    def entered(self, wiring: Wiring) -> Outcome:
        """Run the entry that the move causes, and fill the place it has left; the outcome of the whole."""
        arrival = self._arrival
        assert arrival is not None  # noqa: S101 - who calls this has been told of a move
        report = dispatch(wiring, arrival)
        pulled = pull_into(wiring, arrival.left)
        return self._ended(OutcomeKind.MOVED, arrival.step, entry=report, pulled=pulled)

    def evaluated(self) -> Outcome:
        """What would happen, by what is stored now."""
        chosen: list[str] = []
        with self._moment.wiring.ledger.read() as view:
            holds, wait = partial(self._delivery.holds_in, view), partial(self._delivery.wait_in, view)
            self._fire(Cursor(self._task.step, chosen.append, _pass_over, holds, wait))
            full = chosen and self._moment.wiring.limits.full(view, self._moment.workflow, *chosen)
        if chosen:
            return self._ended(OutcomeKind.QUEUED if full else OutcomeKind.MOVED, *chosen, evaluated=True)
        return self._not_moved(evaluated=True)

    def _not_moved(self, **more: Any) -> Outcome:
        if self._delivery.waits:
            return self._ended(OutcomeKind.PENDING_APPROVAL, **more)
        settled = self._delivery.approvals
        return self._ended(OutcomeKind.STAYED, reason=settled[-1].status if settled else None, **more)

    def _fire(self, cursor: Cursor) -> None:
        if self._items:
            self._moment.wiring.machines.of(self._moment.workflow).fire(self._moment.trigger, cursor)

    def _tell(self) -> None:
        done = self._delivery
        for report in done.guards:
            observing.count(self._moment.wiring.observer, "guards_not_fired", reason=report.reason.value)
        if done.session_actions:
            observing.passed_over(self._task.id, self._moment.trigger, done.session_actions)
        if done.notes:
            self._moment.tell(done.notes)

    def _ended(self, kind: OutcomeKind, to: str | None = None, **more: Any) -> Outcome:
        done = self._delivery
        return Outcome(
            kind,
            self._task.step,
            to,
            guards=tuple(done.guards),
            pending=tuple(a.id for a in done.approvals if a.status == "pending") if done.approvals else (),
            session_actions=tuple(done.session_actions),
            exit_actions=self._departure.exit_actions if self._departure else (),
            actions=tuple(note.report for note in done.notes) if done.notes else (),
            **more,
        )


def _pass_over(position: int, action: Action) -> None:
    """What running an action comes to where nothing is to be touched."""
