"""A move that a list or a decision has decided on, to a committed arrival: exit list, guard read again, row, commit."""

from __future__ import annotations

from collections.abc import Callable

from newel.runtime.arriving import Change, arrive, writer
from newel.runtime.delivery import Delivery
from newel.runtime.entry import Arrival
from newel.runtime.leaving import Leaving
from newel.runtime.ledgers.base import Transaction
from newel.runtime.nesting import check_depth
from newel.runtime.observing import passed_over
from newel.runtime.outcomes import ActionReport, SessionActionReport
from newel.runtime.ports import Actor
from newel.runtime.rows import Task
from newel.runtime.running import Moment
from newel.runtime.unit import Unit

ROUTE = "engine_transition"


class Departure:
    """The move of one call; `also` runs in its transaction. `arrival` is None until its row is committed.

    `queued_for` is the full step where the task waits instead.
    """

    __slots__ = (
        "_also",
        "_change",
        "_delivery",
        "_leaving",
        "_moment",
        "_task",
        "_unit",
        "arrival",
        "exit_actions",
        "queued_for",
    )

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
        self._leaving = Leaving(moment.wiring, task, moment.session)
        self.exit_actions: tuple[SessionActionReport | ActionReport, ...] = ()
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
        if self._leaving.waits and not self._full(to):
            self._delivery.leave()
            self._leave_outside()
        tx = self._unit.begin()
        self._delivery.recheck(tx)
        if self._also is not None:
            self._also(tx)
        moment, task = self._moment, self._unit.locked or self._task
        if self._full(to):
            tx.wait_for(task, moment.workflow, to)
            self._delivery.flush()
            self.queued_for = to
            return
        self._leaving.database(tx)
        arrival = arrive(moment.wiring, tx, task, moment.workflow, to, self._change)
        self._delivery.flush()
        self.arrival = arrival
        self.exit_actions = self._leaving.told()

    def _leave_outside(self) -> None:
        try:
            self._leaving.outside()
        finally:
            self.exit_actions = ran = self._leaving.session_actions
            if ran:
                passed_over(self._task.id, "exit", ran)

    def _full(self, to: str) -> bool:
        limits, workflow = self._moment.wiring.limits, self._moment.workflow
        return limits.limited(workflow, to) and limits.full(self._unit.begin(), workflow, to)
