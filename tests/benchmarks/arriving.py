"""Arrivals on an SQLite file, durable before the call returns: against the same statements without Newel, in one
transaction against many, and counted by their commits."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from itertools import cycle, zip_longest

from newel.runtime.ledgers.sqlite import SqliteLedger
from newel.runtime.service import Service
from tests.benchmarks.boards import service, sqlite_ledger
from tests.benchmarks.figures import Figure
from tests.benchmarks.raw import RawArrivals
from tests.benchmarks.texts import ENTERED, ring
from tests.benchmarks.timing import cpu, in_turns, milliseconds, ratio, wall

ARRIVALS = 100
VALUE = re.compile(r"'(?:[^']|'')*'|\b\d+\b|\bNULL\b")


def mover(made: Service, task: str = "t") -> Callable[[], None]:
    """Moves a task to and fro between the two steps, one arrival a call."""
    steps = cycle(("s1", "s0"))
    return lambda: _moved(made, task, next(steps))


def _moved(made: Service, task: str, to: str) -> None:
    made.move(task, to)


def repeated(work: Callable[[], object], times: int = ARRIVALS) -> Callable[[], None]:
    """The same work so many times over."""

    def run() -> None:
        for _ in range(times):
            work()

    return run


def statements(connection: sqlite3.Connection, work: Callable[[], object]) -> list[str]:
    """The statements that some work runs on a connection, with every value blotted out."""
    seen: list[str] = []
    connection.set_trace_callback(lambda said: seen.append(VALUE.sub("?", " ".join(said.split()))))
    work()
    connection.set_trace_callback(None)
    return seen


def to_raw() -> Figure:
    """Three database actions on entry, against the sqlite3 module doing the same statements."""
    with sqlite_ledger() as ledger, sqlite_ledger() as other:
        made = service(ENTERED, ledger)
        service(ENTERED, other)
        move, raw = mover(made), RawArrivals(path_of(other), made.program.revision)
        repeated(move, 2)()
        repeated(raw.arrive, 2)()
        ours, theirs = statements(connection_of(ledger), move), statements(raw.connection, raw.arrive)
        if ours != theirs:
            raise AssertionError(
                f"not the same statements: {[pair for pair in zip_longest(ours, theirs) if len({*pair}) > 1]}"
            )
        times = in_turns(31, ours=wall(repeated(move)), raw=wall(repeated(raw.arrive)))
        cpus = in_turns(11, ours=cpu(repeated(move)), raw=cpu(repeated(raw.arrive)))
    what = "rate of arrivals with three database actions (FULL), of the sqlite3 module's with the same statements"
    beside = {**milliseconds(times, "ours", "raw"), "by processor time %": 100 * ratio(cpus, "raw", "ours")}
    beside |= {"statements": float(len(ours)), "commits": float(ours.count("COMMIT"))}
    return Figure("P4a", what, 100 * ratio(times, "raw", "ours"), 70, "%", least=True, beside=beside)


def commits() -> Figure:
    """How many commits an arrival takes."""
    with sqlite_ledger() as ledger:
        move, before = mover(service(ENTERED, ledger)), ledger.commits
        repeated(move)()
        counted = (ledger.commits - before) / ARRIVALS
    return Figure("P4d", "commits of an arrival with three standard actions", counted, 2, "")


def in_one() -> Figure:
    """A hundred tasks by one `move_many`, against a hundred by `move`."""
    with sqlite_ledger() as ledger, sqlite_ledger() as other:
        one, many = service(ring(2), ledger), service(ring(2), other)
        names = [f"t{at}" for at in range(100)]
        for name in names:
            one.create(name, "board")
            many.create(name, "board")
        steps, others = cycle(("s1", "s0")), cycle(("s1", "s0"))

        def together() -> None:
            to = next(steps)
            one.move_many([(name, to) for name in names])

        def singly() -> None:
            to = next(others)
            for name in names:
                many.move(name, to)

        times = in_turns(15, together=wall(together), singly=wall(singly))
    what = "100 move, to one move_many of 100 (FULL)"
    beside = milliseconds(times, "together", "singly")
    return Figure("P5", what, ratio(times, "singly", "together"), 5, least=True, beside=beside)


def connection_of(ledger: SqliteLedger) -> sqlite3.Connection:
    """The connection that the next transaction of a ledger will use."""
    return ledger._idle[-1]


def path_of(ledger: SqliteLedger) -> str:
    """The file of a ledger."""
    found: str = connection_of(ledger).execute("PRAGMA database_list").fetchall()[0][2]
    return found
