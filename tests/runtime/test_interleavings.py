"""Two calls on one task, in every order their transactions can have (R6): one chain, no guard outrun, none doubled."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import pytest

from newel.compiler import Program, compile_text
from newel.runtime import EntryReport, Handlers, Ledger, Outcome, OutcomeKind, Service, open_ledger

STEPS = 5
"""How many transactions of each call are put in order; what is left over runs as it comes."""


@cache
def office() -> Program:
    return compile_text("""
        action ring on exit, enter
        dispatch { ring }
        workflow office "Office" {
          step work "Work" { start }
          step review "Review" {
            on enter {
              clear_decisions
              queue_run_for_each_participant(reviewer)
            }
            on exit { ring }
            on turn_complete {
              -> done when all_approve(reviewer)
              -> work when any_reject(reviewer)
            }
          }
          step shelf "Shelf" {
            on enter { queue_run(target=agent(id="sam")) }
          }
          step done "Done" { end }
        }
        """).require()


class Turns:
    """Lets one thread run at a time, from one transaction of its own to the next, in a given order."""

    def __init__(self, order: Sequence[str]) -> None:
        self._order, self._running = list(order), ""
        self._finished: set[str] = set()
        self._changed = threading.Condition()

    def wait(self) -> None:
        """End this thread's step, and wait for its next one."""
        me = threading.current_thread().name
        with self._changed:
            self._end(me)
            assert self._changed.wait_for(lambda: not self._running and self._next() in ("", me), timeout=20)
            self._running = me
            if self._order:
                self._order.pop(0)

    def finish(self) -> None:
        me = threading.current_thread().name
        with self._changed:
            self._finished.add(me)
            self._end(me)

    def _end(self, me: str) -> None:
        if self._running == me:
            self._running = ""
        self._changed.notify_all()

    def _next(self) -> str:
        while self._order and self._order[0] in self._finished:
            self._order.pop(0)
        return self._order[0] if self._order else ""


class Stepped:
    """A ledger each of whose transactions waits for its turn."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.turns = ledger, Turns(())
        self._inside = threading.local()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ledger, name)

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        self.turns.wait()
        with self.ledger.transaction() as tx:
            self._inside.now = True
            try:
                yield tx
            finally:
                self._inside.now = False

    @contextmanager
    def read(self) -> Iterator[Any]:
        if not getattr(self._inside, "now", False):
            self.turns.wait()
        with self.ledger.read() as view:
            yield view


class Race:
    def __init__(self) -> None:
        handlers = Handlers()
        handlers.action("ring")(lambda action, context: None)
        ledger: Any = Stepped(open_ledger("memory:"))
        self.ledger: Stepped = ledger
        self.service = Service(office(), ledger, handlers)
        self.service.create("T", "office", "work")
        for agent in ("ada", "ben"):
            self.service.seat("T", step="review", role="reviewer", agent=agent)
        self.service.move("T", "review")
        self.entry = self.service.task("T").entry_id or 0

    def run(self, order: Sequence[str], first: Callable[[], Any], second: Callable[[], Any]) -> tuple[Any, Any]:
        turns = self.ledger.turns = Turns(order)
        found: dict[str, Any] = {}

        def call(name: str, function: Callable[[], Any]) -> None:
            try:
                turns.wait()
                found[name] = function()
            finally:
                turns.finish()

        threads = [
            threading.Thread(target=call, name=name, args=(name, function))
            for name, function in (("first", first), ("second", second))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.ledger.turns = Turns(())
        return found["first"], found["second"]

    def move(self, to: str) -> Outcome:
        return self.service.move("T", to)

    def decide(self, agent: str, verdict: str) -> Outcome:
        return self.service.decide("T", role="reviewer", decider=agent, verdict=verdict)

    def turn(self) -> Outcome:
        return self.service.handle("T", "turn_complete")

    def steps(self) -> list[str | None]:
        return [row.to_step for row in self.service.history("T")]

    def check(self, *outcomes: Any) -> None:
        """The chain holds, every arrival that was reported is there, and no run is queued twice."""
        assert self.service.audit().clean
        moved = [outcome for outcome in outcomes if isinstance(outcome, Outcome) and outcome.moved]
        assert len(self.steps()) == 2 + len(moved)
        keys = [run.key for run in self.service.runs()]
        assert len(keys) == len(set(keys))
        due = sum({"review": 2, "shelf": 1}.get(str(to), 0) for to in self.steps())
        assert len(keys) == due


ORDERS = [
    tuple("first" if n in chosen else "second" for n in range(2 * STEPS))
    for chosen in itertools.combinations(range(2 * STEPS), STEPS)
]


@pytest.fixture
def every_order() -> Iterator[tuple[Sequence[str], Race]]:
    def races() -> Iterator[tuple[Sequence[str], Race]]:
        for order in ORDERS:
            race = Race()
            yield order, race
            race.service.close()

    return races()


Orders = Iterator[tuple[Sequence[str], Race]]


def test_r6_two_movers(every_order: Orders) -> None:
    for order, race in every_order:
        first, second = race.run(order, partial(race.move, "work"), partial(race.move, "shelf"))
        assert first.moved, order
        assert second.moved, order
        assert sorted(map(str, race.steps()[2:])) == ["shelf", "work"]
        race.check(first, second)


def test_r6_a_mover_and_a_decider(every_order: Orders) -> None:
    seen = set()
    for order, race in every_order:
        race.decide("ada", "approved")
        moved, decided = race.run(order, partial(race.move, "shelf"), partial(race.decide, "ben", "approved"))
        assert moved.moved
        assert decided.decision_id is not None
        expected = ["done", "shelf"] if decided.kind is OutcomeKind.MOVED else ["shelf"]
        assert race.steps()[2:] == expected, order
        race.check(moved, decided)
        seen.add(decided.kind)
    assert seen == {OutcomeKind.MOVED, OutcomeKind.ABANDONED, OutcomeKind.STAYED}


def test_r6_a_turn_and_a_rejection(every_order: Orders) -> None:
    """With both approved, the turn may go on to Done only if the rejection comes after it."""
    seen = set()
    for order, race in every_order:
        with race.ledger.transaction() as tx:
            for agent in ("ada", "ben"):
                who = {"role": "reviewer", "decider": agent, "decider_kind": "agent"}
                tx.add_decision("T", "review", race.entry, verdict="approved", note=None, **who)
        turned, rejected = race.run(order, race.turn, partial(race.decide, "ada", "rejected"))
        given = race.service.decisions("T")[-1]
        assert (given.decider, given.verdict) == ("ada", "rejected")
        assert (race.steps()[-1] == "done") is (given.step == "done"), order
        assert race.steps()[-1] in ("done", "work")
        race.check(turned, rejected)
        seen.add((turned.kind, rejected.kind))
    assert (OutcomeKind.MOVED, OutcomeKind.STAYED) in seen
    assert (OutcomeKind.ABANDONED, OutcomeKind.MOVED) in seen


def test_r6_two_deciders(every_order: Orders) -> None:
    for order, race in every_order:
        found = race.run(order, partial(race.decide, "ada", "approved"), partial(race.decide, "ben", "approved"))
        kinds = sorted(outcome.kind.value for outcome in found)
        assert kinds.count("moved") == 1, order
        assert race.steps()[2:] == ["done"]
        race.check(*found)


def test_r6_two_turns(every_order: Orders) -> None:
    for order, race in every_order:
        race.decide("ada", "looked")
        with race.ledger.transaction() as tx:
            for agent in ("ada", "ben"):
                who = {"role": "reviewer", "decider": agent, "decider_kind": "agent"}
                tx.add_decision("T", "review", race.entry, verdict="approved", note=None, **who)
        found = race.run(order, race.turn, race.turn)
        kinds = [outcome.kind for outcome in found]
        assert kinds.count(OutcomeKind.MOVED) == 1, order
        assert set(kinds) <= {OutcomeKind.MOVED, OutcomeKind.ABANDONED, OutcomeKind.STAYED}
        race.check(*found)


def test_r6_a_mover_and_a_redispatch(every_order: Orders) -> None:
    seen = set()
    for order, race in every_order:
        moved, again = race.run(order, partial(race.move, "shelf"), partial(race.service.redispatch, race.entry))
        assert isinstance(again, EntryReport)
        statuses = {action.status.value for action in again.actions}
        assert statuses <= {"unchanged", "redelivered", "superseded"}, order
        race.check(moved)
        seen.add(again.superseded)
    assert seen == {True, False}
