"""Two calls in every order: all are tried, those that wait too, and a race that is there is found (R6)."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.runtime.schedules import Call, Explored, Run, step

STATEMENTS = 3


def nobody_waits(call: Call) -> bool:
    return False


def free(name: str) -> Callable[[], None]:
    """A call of statements that touch nothing."""

    def work() -> None:
        for number in range(STATEMENTS):
            step(f"{name} {number}", lambda: None)

    return work


def test_r6_all_orders_of_statements_that_wait_for_nothing_are_counted() -> None:
    """As many as there are ways to mix two rows; each call makes one step more, that begins it."""
    found = Explored(lambda: Run((free("a"), free("b")), nobody_waits), lambda found: None)
    steps = STATEMENTS + 1
    assert found.schedules == math.comb(2 * steps, steps)
    assert len(found.nodes) == (steps + 1) ** 2
    assert found.runs == steps**2 + 1  # each run makes a choice for the first time
    assert found.waits == 0


def test_r6_no_run_is_spared_where_every_order_leads_elsewhere() -> None:
    """Each call sees how many statements came before: no two schedules come to the same, so all are run."""

    def run() -> Run:
        counted = itertools.count()

        def work() -> None:
            for _ in range(STATEMENTS):
                step("count", lambda: next(counted))

        return Run((work, work), nobody_waits)

    found = Explored(run, lambda found: None)
    assert math.comb(2 * STATEMENTS, STATEMENTS) <= found.runs <= found.schedules


class Locked:
    """Calls each of whose statements but the first lie between a lock and its release."""

    def __init__(self) -> None:
        self.lock, self.holder = threading.Lock(), ""

    def work(self) -> None:
        step("before", lambda: None)
        step("lock", self._take)
        for number in range(STATEMENTS):
            step(f"inside {number}", lambda: None)
        step("release", self._give)

    def _take(self) -> None:
        self.lock.acquire()
        self.holder = threading.current_thread().name

    def _give(self) -> None:
        self.holder = ""
        self.lock.release()

    def waits(self, call: Call) -> bool:
        return call.doing == "lock" and self.holder not in ("", call.name)


def counted(at: tuple[int, int] = (0, 0), holder: int | None = None, waiting: int | None = None) -> int:
    """How many schedules two such calls have, by a model in numbers: start, before, lock, inside, release."""
    last, ways = 4 + STATEMENTS, 0
    for me in (0, 1):
        if at[me] == last or waiting == me:
            continue
        there, held, waits = list(at), holder, waiting
        if at[me] == 2 and holder is not None:
            waits = me
        else:
            there[me] += 1
            held = me if at[me] == 2 else holder
        if at[me] == last - 1:
            held = waiting
            if waiting is not None:
                there[waiting] += 1
            waits = None
        ways += counted((there[0], there[1]), held, waits)
    return ways or 1


def test_r6_a_call_that_waits_for_a_lock_is_a_schedule_too() -> None:
    made: list[Locked] = []

    def run() -> Run:
        made.append(Locked())
        return Run((made[-1].work, made[-1].work), made[-1].waits)

    found = Explored(run, lambda found: None)
    assert found.waits > 0
    assert found.schedules == counted()


def test_r6_an_update_that_is_lost_in_some_orders_is_found() -> None:
    """With the schedule in which it is."""
    made: list[dict[str, int]] = []

    def run() -> Run:
        made.append({"number": 0})
        numbers = made[-1]

        def work() -> None:
            read = step("read", lambda: numbers["number"])
            step("write", lambda: numbers.update(number=read + 1))

        return Run((work, work), nobody_waits)

    def check(found: Any) -> None:
        assert made[-1] == {"number": 2}

    with pytest.raises(AssertionError) as told:
        Explored(run, check)
    assert told.value.__notes__[0].startswith("schedule: ")


def test_r6_calls_that_differ_from_run_to_run_are_refused() -> None:
    """What is reached again would not be the same: no graph of it is complete."""
    numbers = itertools.count()

    def run() -> Run:
        number = next(numbers)
        return Run((lambda: step("read", lambda: number), free("b")), nobody_waits)

    with pytest.raises(AssertionError, match="has led elsewhere"):
        Explored(run, lambda found: None)
