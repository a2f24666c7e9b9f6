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
    """The move of one call; `also` runs in its transaction. `arrival` is None until its row is committed."""

    __slots__ = ("_also", "_change", "_delivery", "_moment", "_task", "_unit", "arrival", "leaving")

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

    @writer
    def commit(self, to: str) -> None:
        """Leave the step and arrive. Raises `AbandonedError` where the task has left, or the guard holds no more."""
        check_depth()
        if self.leaving.waits:
            self._delivery.leave()
            self.leaving.outside()
        tx = self._unit.begin()
        self._delivery.recheck(tx)
        if self._also is not None:
            self._also(tx)
        self.leaving.database(tx)
        moment, task = self._moment, self._unit.locked
        arrival = arrive(moment.wiring, tx, task or self._task, moment.workflow, to, self._change)
        self._unit.flush()
        self.arrival = arrival
