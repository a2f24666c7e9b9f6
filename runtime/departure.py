"""A move that a list or a decision has decided on, to a committed arrival: exit list, guard read again, row, commit."""

from __future__ import annotations

from collections.abc import Callable

from newel.runtime.arriving import Change, arrive, writer
from newel.runtime.delivery import Delivery
from newel.runtime.entry import Arrival
from newel.runtime.leaving import Leaving
from newel.runtime.ledgers.base import Transaction
from newel.runtime.nesting import check_depth
from newel.runtime.ports import Actor
from newel.runtime.rows import Task
from newel.runtime.running import Moment
from newel.runtime.unit import Unit

ROUTE = "engine_transition"


class Departure:
    """The move of one call; `also` runs in its transaction. `arrival` is None until its row is committed.

    `queued_for` is the full step where the task waits instead.
    """

    __slots__ = ("_also", "_change", "_delivery", "_moment", "_task", "_unit", "arrival", "leaving", "queued_for")

    def __init__(
        self,
        moment: Moment,
        task: Task,
        unit: Unit,
        delivery: Delivery,
        actor: Actor | None,
        in_turn: bool = False,
        also: Callable[[Transaction], None] | None = None,
    ) -> None:
        self._moment, self._task, self._unit, self._delivery, self._also = moment, task, unit, delivery, also
        self._change = Change.of(ROUTE, actor, moment.session, in_turn=in_turn)
        # The exit list gets no operation id: its positions would repeat the keys of the list that decided the move.
        self.leaving = Leaving(moment.wiring, task, moment.session)
        self.arrival: Arrival | None = None
        self.queued_for: str | None = None

    @property
    def left(self) -> bool:
        """Whether outside code has run for the move, so that it is not done anew."""
        return self._delivery.left

    @writer
    def commit(self, to: str) -> None:
        """Leave the step and arrive. Raises `AbandonedError` where the task has left, or the guard holds no more."""
        check_depth()
        if self.leaving.waits and not self._full(to):
            self._delivery.leave()
            self.leaving.outside()
        tx = self._unit.begin()
        self._delivery.recheck(tx)
        if self._also is not None:
            self._also(tx)
        moment, task = self._moment, self._unit.locked or self._task
        if self._full(to):
            tx.wait_for(task, moment.workflow, to)
            self._unit.flush()
            self.queued_for = to
            return
        self.leaving.database(tx)
        arrival = arrive(moment.wiring, tx, task, moment.workflow, to, self._change)
        self._unit.flush()
        self.arrival = arrival

    def _full(self, to: str) -> bool:
        limits, workflow = self._moment.wiring.limits, self._moment.workflow
        return limits.limited(workflow, to) and limits.full(self._unit.begin(), workflow, to)
