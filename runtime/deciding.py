"""A decision on a task to its row, and to the move it lets through: the guarded moves of finished work, asked again."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from newel.compiler.program import Guard, Move, Program, Step
from newel.runtime import observing
from newel.runtime.advising import advice
from newel.runtime.causes import known_actor
from newel.runtime.delivery import Delivery
from newel.runtime.departure import Departure
from newel.runtime.engine import step_of
from newel.runtime.entry import dispatch
from newel.runtime.errors import Contended, NewelError, UnknownStep, UnknownTask
from newel.runtime.logs import Log
from newel.runtime.outcomes import GuardReport, Outcome, OutcomeKind, entered
from newel.runtime.ports import Actor
from newel.runtime.pulling import pull_into
from newel.runtime.quorum import known_role
from newel.runtime.retrying import again, retried
from newel.runtime.rows import ActorKind, Task
from newel.runtime.running import Moment
from newel.runtime.standard import failure
from newel.runtime.unit import AbandonedError, Unit
from newel.runtime.wiring import Wiring

_log = Log("newel.decisions")
_STANDS = "decision %d on task %r stands, but its moves could not be asked"

NOT_ASKED_AGAIN = "reevaluation_failed"


def decide(
    wiring: Wiring,
    task: str,
    *,
    role: str,
    decider: str,
    verdict: str,
    note: str | None = None,
    actor: Actor | None = None,
    if_entry: int | None = None,
) -> Outcome:
    """Record a decision at the task's step, then take the first guarded move that finished work may take.

    The decision stands whatever becomes of the move; what hinders it is the outcome's `reason`. With `if_entry` nothing
    is recorded once the task has left that entry. Raises `UnknownTask`, `UnknownRole`, `StepGone`, and `UnknownStep`
    for a task that stands nowhere.
    """
    known_role(wiring.program, role)
    actor = known_actor(actor) or Actor.agent(decider)
    given = _Given(role, decider, actor.kind, verdict, note)
    recorded = _record(wiring, task, given, if_entry)
    if isinstance(recorded, Outcome):
        return recorded
    at, step, number = recorded
    if _log.wants(logging.INFO):
        _advise(wiring, at, number, given)
    try:
        return again(lambda: _Reevaluation(wiring, at, step, number, actor).outcome())
    except Contended as error:
        return _not_asked_again(at, number, error)


class _Given(NamedTuple):
    role: str
    decider: str
    decider_kind: ActorKind
    verdict: str
    note: str | None


@retried
def _record(wiring: Wiring, task: str, given: _Given, if_entry: int | None) -> tuple[Task, Step, int] | Outcome:
    with wiring.ledger.transaction() as tx:
        at = tx.lock_task(task)
        if at is None:
            raise UnknownTask(f"there is no task {task!r}")
        if if_entry is not None and at.entry_id != if_entry:
            return Outcome(OutcomeKind.ABANDONED, at.step)
        step = step_of(wiring.program, at)
        if step is None or at.workflow is None or at.entry_id is None:
            raise UnknownStep(f"task {task!r} stands at no step, so there is nothing to decide")
        return at, step, tx.add_decision(task, at.workflow, step.name, at.entry_id, **given._asdict())


def _advise(wiring: Wiring, at: Task, number: int, given: _Given) -> None:
    with suppress(NewelError):  # the decision stands, also where nothing can be said of it
        with wiring.ledger.read() as view:
            seats = view.seats(at.id)
        role, decider, kind, verdict, _ = given
        for line in advice(wiring.program, at, seats, role=role, decider=decider, kind=kind, verdict=verdict):
            _log.write(logging.INFO, "decision %d on task %r: %s", number, at.id, line)


def _not_asked_again(at: Task, number: int, error: Exception) -> Outcome:
    _log.write(logging.ERROR, _STANDS, number, at.id, error=error)
    reason = f"{NOT_ASKED_AGAIN}: {failure(error)}"
    return Outcome(OutcomeKind.STAYED, at.step, decision_id=number, reason=reason)


class _Reevaluation:
    """The guarded moves of one step, asked again after one decision."""

    __slots__ = ("_actor", "_at", "_departure", "_guards", "_number", "_operation", "_step", "_unit", "_wiring")

    def __init__(self, wiring: Wiring, at: Task, step: Step, number: int, actor: Actor) -> None:
        self._wiring, self._at, self._step, self._number, self._actor = wiring, at, step, number, actor
        self._operation = _operation(wiring.program, at, number)
        places = wiring.limits.places(at.workflow or "", (to for _, _, to, _ in guarded(wiring.program, step)))
        self._unit = Unit(wiring.ledger, at.id, at.entry_id, places)
        self._guards: list[GuardReport] = []
        self._departure: Departure | None = None

    def outcome(self) -> Outcome:
        """Take the first move whose guard holds, mark the operation, and only then run the entry it causes."""
        try:
            with self._unit:
                self._move()
                self._unit.flush()
        except AbandonedError:
            return self._ended(OutcomeKind.ABANDONED)
        except Contended as error:
            if self._departure is None or not self._departure.left:
                self._guards.clear()
                raise
            return replace(_not_asked_again(self._at, self._number, error), guards=tuple(self._guards))
        except Exception as error:
            return replace(_not_asked_again(self._at, self._number, error), guards=tuple(self._guards))
        finally:
            self._tell()
        self._wiring.store.mark_operation_applied(self._operation)
        departure = self._departure
        if departure is not None and departure.queued_for is not None:
            return self._ended(OutcomeKind.QUEUED, departure.queued_for)
        arrival = departure.arrival if departure else None
        if arrival is None:
            return self._ended(OutcomeKind.STAYED)
        report = dispatch(self._wiring, arrival)
        return entered(self._ended(OutcomeKind.MOVED, arrival.step), report, pull_into(self._wiring, arrival.left))

    def _move(self) -> None:
        for trigger, position, to, guard in guarded(self._wiring.program, self._step):
            moment = self._moment(trigger)
            delivery = Delivery(moment, (), self._unit)
            holds = delivery.holds(position, to, guard)
            self._guards += delivery.guards
            if holds:
                self._departure = Departure(moment, self._at, self._unit, delivery, self._actor)
                self._wiring.machines.of(moment.workflow).move(self._step.name, to, self._departure.commit)
                return

    def _moment(self, trigger: str) -> Moment:
        return Moment(
            self._wiring,
            self._wiring.program,
            self._at.id,
            self._at.workflow or "",
            self._step.name,
            trigger,
            self._at.entry_id,
            operation_id=self._operation,
        )

    def _tell(self) -> None:
        for report in self._guards:
            observing.count(self._wiring.observer, "guards_not_fired", reason=report.reason.value)

    def _ended(self, kind: OutcomeKind, to: str | None = None) -> Outcome:
        guards = tuple(self._guards)
        exits = self._departure.exit_actions if self._departure else ()
        return Outcome(kind, self._step.name, to, guards=guards, decision_id=self._number, exit_actions=exits)


def guarded(program: Program, step: Step) -> Iterator[tuple[str, int, str, Guard]]:
    """The moves a decision may let through: with a guard, without approval, under triggers of finished work."""
    for trigger, items in step.on.items():
        definition = program.vocabulary.triggers.get(trigger)
        if definition is not None and definition.mark("work_done"):
            for position, item in enumerate(items):
                if isinstance(item, Move) and item.guard is not None and not item.approval:
                    yield trigger, position, item.to, item.guard


def _operation(program: Program, at: Task, number: int) -> str:
    """The key of a decision, "" where the vocabulary declares none."""
    if "decision" not in program.vocabulary.keys:
        return ""
    return program.operation_id("decision", task=at.id, step=at.step, decision=str(number))
