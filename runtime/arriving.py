"""A change of a task's step to its row: what every writer is made of, and the register of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from newel.dsl.slotted import settled
from newel.runtime import observing
from newel.runtime.causes import NO_CAUSE, NOBODY, actor_of, current, known_route, route_of
from newel.runtime.entry import Arrival
from newel.runtime.leaving import Leaving
from newel.runtime.ledgers.base import Transaction
from newel.runtime.limits import place_of
from newel.runtime.nesting import check_depth
from newel.runtime.outcomes import Outcome
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


@settled
class Change:
    """Why steps change in one call: what their rows record beside the steps."""

    route: str
    actor: Actor
    session: str | None = None
    in_turn: bool = False

    @classmethod
    def of(cls, route: str, actor: Actor | None, session: str | None, *, in_turn: bool = False) -> Change:
        """With the cause in force here applied; blank ids are absent ones."""
        if actor is None and not session and current() is NO_CAUSE:
            return _unattended(route, in_turn)
        found = actor_of(actor)
        if found.id == "":
            found = Actor(found.kind)
        return cls(route_of(route), found, session or None, in_turn)


@cache
def _unattended(route: str, in_turn: bool) -> Change:
    """What is recorded where nobody and nothing is named: most turns of most agents."""
    return Change(known_route(route), NOBODY, None, in_turn)


@writer
def arrive(wiring: Wiring, tx: Transaction, task: Task, workflow: str, step: str, change: Change) -> Arrival:
    """Write one arrival in an open transaction. Whoever commits it dispatches it. Raises `TooDeep`."""
    check_depth()
    entry_id = _write_row(wiring, tx, task, workflow, step, change)
    return Arrival(entry_id, task.id, workflow, step, change.session, change.in_turn, place_of(task))


@writer
def depart(wiring: Wiring, tx: Transaction, task: Task, change: Change) -> None:
    """Write one row without a destination in an open transaction."""
    _write_row(wiring, tx, task, None, None, change)


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

    __slots__ = ("_ran", "_session", "_wiring")

    def __init__(self, wiring: Wiring, session: str | None) -> None:
        self._wiring, self._session = wiring, session
        self._ran: dict[str, Leaving] = {}

    def of(self, task: Task, operation_id: str = "") -> Leaving:
        """The exit list of where a task stands now. Raises `OutsideFirst` where its outside part has yet to run."""
        ran = self._ran.get(task.id)
        if ran is not None and ran.entry_id == task.entry_id:
            return ran
        leaving = Leaving(self._wiring, task, self._session, operation_id)
        if leaving.waits:
            raise OutsideFirst(leaving)
        self._ran[task.id] = leaving
        return leaving

    def through(self, work: Callable[[], T]) -> T:
        """Do work that is one transaction; anew after the outside part of an exit list that it needs has run."""
        while True:
            try:
                return again(work)
            except OutsideFirst as first:
                self.run(first.leaving)

    def told(self, outcome: Outcome, task: str) -> Outcome:
        """The outcome of a task's move with what there is to say of its exit list."""
        ran = self._ran.get(task)
        if ran is None:
            return outcome
        told = ran.told() if outcome.moved else ran.session_actions
        return replace(outcome, exit_actions=told) if told else outcome

    def run(self, leaving: Leaving) -> None:
        """Run the outside part of an exit list, with nothing open."""
        leaving.outside()
        observing.passed_over(leaving.task, "exit", leaving.session_actions)
        self._ran[leaving.task] = leaving
