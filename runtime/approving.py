"""A pending approval to its end: the move it lets through, or the record that it was rejected."""

from __future__ import annotations

from newel.compiler.program import Move, Step
from newel.runtime import observing
from newel.runtime.board import asked, locked, standing
from newel.runtime.causes import actor_of
from newel.runtime.delivery import Delivery
from newel.runtime.departure import Departure
from newel.runtime.engine import REJECTED, step_of
from newel.runtime.entry import dispatch
from newel.runtime.errors import LedgerUnavailable
from newel.runtime.ledgers.base import Transaction
from newel.runtime.outcomes import Outcome, OutcomeKind, entered
from newel.runtime.ports import Actor
from newel.runtime.pulling import pull_into
from newel.runtime.retrying import again, retried
from newel.runtime.rows import Approval, Task
from newel.runtime.running import Moment
from newel.runtime.unit import AbandonedError, ClosedError, Unit
from newel.runtime.wiring import Wiring

NO_SUCH_MOVE = "no_such_move"
"""Why a task stayed: the program of now has another statement where the approved move stood."""


def approve(wiring: Wiring, approval: int, *, actor: Actor | None = None) -> Outcome:
    """Take the move an approval was asked for, if the task still is in that entry and the guard holds.

    Raises `NoSuchApproval`, and `StepGone` where the program no longer has the step.
    """
    with wiring.ledger.read() as view:
        waiting = asked(view, approval)
        at = standing(view, waiting.task)
    if waiting.entry_id != at.entry_id:
        return Outcome(OutcomeKind.ABANDONED, at.step, waiting.to)
    if waiting.status == REJECTED:
        return Outcome(OutcomeKind.STAYED, at.step, reason=REJECTED)
    move = move_asked_for(waiting, step_of(wiring.program, at))
    if move is None:
        return Outcome(OutcomeKind.STAYED, at.step, reason=NO_SUCH_MOVE)
    return again(lambda: _Approved(wiring, waiting, at, move, actor).outcome())


@retried
def reject(wiring: Wiring, approval: int, *, actor: Actor | None = None) -> Outcome:
    """Settle a pending approval: its move is not asked for again under that entry. Raises `NoSuchApproval`."""
    with wiring.ledger.transaction() as tx:
        waiting = asked(tx, approval)
        at = locked(tx, waiting.task)
        if at.entry_id != waiting.entry_id:
            return Outcome(OutcomeKind.ABANDONED, at.step, waiting.to)
        settled = tx.settle_approval(waiting.id, "rejected", actor_of(actor))
    approved = not settled and waiting.status == "approved"
    return Outcome(OutcomeKind.STAYED, at.step, reason="approved" if approved else REJECTED)


def move_asked_for(waiting: Approval, step: Step | None) -> Move | None:
    """The move as the program has it now, whose list may have changed since; None where it is there no more."""
    items = step.on.get(waiting.trigger, ()) if step else ()
    item = items[waiting.position] if waiting.position < len(items) else None
    return item if isinstance(item, Move) and item.approval and item.to == waiting.to else None


class _SettledError(Exception):
    """Somebody has rejected it meanwhile."""


class _Approved:
    """One approval on its way to its move. In the transaction of the move the entry is compared, the guard read and the
    approval settled."""

    __slots__ = ("_actor", "_asked", "_at", "_delivery", "_departure", "_moment", "_move", "_unit")

    def __init__(self, wiring: Wiring, asked: Approval, at: Task, move: Move, actor: Actor | None) -> None:
        self._asked, self._at, self._move, self._actor = asked, at, move, actor
        program, place = wiring.program, (at.id, at.workflow or "", at.step or "")
        self._moment = Moment(wiring, program, *place, asked.trigger, at.entry_id, asked.payload)
        self._unit = Unit(wiring.ledger, at.id, at.entry_id, wiring.limits.places(at.workflow or "", (move.to,)))
        self._delivery = Delivery(self._moment, (), self._unit)
        self._departure = Departure(self._moment, at, self._unit, self._delivery, actor, also=self._settle)

    def outcome(self) -> Outcome:
        """Move, then run the entry."""
        wiring = self._moment.wiring
        try:
            with self._unit:
                if self._holds():
                    wiring.machines.of(self._moment.workflow).move(self._at.step, self._move.to, self._departure.commit)
                self._unit.flush()
        except _SettledError:
            return self._ended(OutcomeKind.STAYED, reason=REJECTED)
        except ClosedError:
            return self._ended(OutcomeKind.STAYED)
        except AbandonedError:
            return self._ended(OutcomeKind.ABANDONED)
        except LedgerUnavailable as error:
            raise self._delivery.failed(error) from error.__cause__
        finally:
            self._tell()
        if self._departure.queued_for is not None:
            return self._ended(OutcomeKind.QUEUED)
        arrival = self._departure.arrival
        if arrival is None:
            return self._ended(OutcomeKind.STAYED)
        report = dispatch(wiring, arrival)
        return entered(self._ended(OutcomeKind.MOVED), report, pull_into(wiring, arrival.left))

    def _holds(self) -> bool:
        guard = self._move.guard
        return guard is None or self._delivery.holds(self._asked.position, self._move.to, guard)

    def _settle(self, tx: Transaction) -> None:
        # One that was approved before, when the step was full, stays so; its task no longer waits there.
        number = self._asked.id
        if not tx.settle_approval(number, "approved", actor_of(self._actor)) and asked(tx, number).status == REJECTED:
            raise _SettledError

    def _tell(self) -> None:
        wiring = self._moment.wiring
        for report in self._delivery.guards:
            observing.count(wiring.observer, "guards_not_fired", reason=report.reason.value)

    def _ended(self, kind: OutcomeKind, reason: str | None = None) -> Outcome:
        to = None if kind is OutcomeKind.STAYED else self._move.to
        guards, exits = tuple(self._delivery.guards), self._departure.exit_actions
        return Outcome(kind, self._at.step, to, guards=guards, reason=reason, exit_actions=exits)
