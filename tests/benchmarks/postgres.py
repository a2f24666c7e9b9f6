"""Arrivals in PostgreSQL, durable before the call returns, against the same statements on psycopg alone."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psycopg

from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.postgres_sql import STATEMENTS as SQL
from newel.runtime.ledgers.postgres_transaction import _WRITE as BEGIN
from tests import postgres
from tests.benchmarks.arriving import mover, repeated
from tests.benchmarks.boards import service
from tests.benchmarks.figures import Figure
from tests.benchmarks.raw import AGENT, REASON, ROLE, TASK, WORKFLOW
from tests.benchmarks.texts import ENTERED
from tests.benchmarks.timing import cpu, in_turns, milliseconds, ratio, wall


class RawPostgres:
    """Moves the task `t` to and fro between `s0` and `s1`: what the benchmark's host would write by hand, with one
    connection and one cursor, no pool, no check and no report."""

    def __init__(self, url: str, revision: str) -> None:
        self.connection = postgres.connect(url)
        self._cursor: Any = self.connection.cursor()  # which takes only literal statements, else
        self._revision = revision

    def _run(self, sql: str, params: tuple[Any, ...] | None = None) -> list[tuple[Any, ...]]:
        self._cursor.execute(sql, params)
        return self._cursor.fetchall() if self._cursor.description else []

    def arrive(self) -> None:
        """One arrival at the step where the task is not."""
        self._run(BEGIN)
        _, workflow, step, *_ = self._run(SQL.lock_task, (TASK,))[0]
        to = "s1" if step == "s0" else "s0"
        row = (TASK, None, workflow, step, WORKFLOW, to, "manual_move", "unknown", None, self._revision, 1, _now())
        ((entry,),) = self._run(SQL.add_row, row)
        self._run("COMMIT")
        self._enter(entry, to)

    def _enter(self, entry: int, step: str) -> None:
        run = self._run
        run(BEGIN)
        run(SQL.lock_task, (TASK,))
        run("SAVEPOINT newel_0")
        cleared = run(SQL.clear_decisions_before, (TASK, WORKFLOW, step, entry))
        run("RELEASE newel_0; SAVEPOINT newel_0")
        seated = run(SQL.seats, (TASK,))
        if not any(seat[2:5] == (WORKFLOW, step, ROLE) or seat[8] is not None for seat in seated):
            run(SQL.add_seat, (TASK, WORKFLOW, step, ROLE, "eve", True, 0, entry))
        run("RELEASE newel_0; SAVEPOINT newel_0")
        run(SQL.add_run, (TASK, TASK, step, AGENT, REASON, None, entry, 2, "enter", f"{entry}:2", _now()))
        done = ("applied" if cleared else "unchanged", "unchanged", "applied")
        kinds = ("clear_decisions", "ensure_participant_seat", "queue_run")
        rows = [
            (entry, at, kind, status, None, _now()) for at, (kind, status) in enumerate(zip(kinds, done, strict=True))
        ]
        self._cursor.executemany(SQL.record_action, rows)
        run("COMMIT")


def to_raw() -> Figure:
    """Three database actions on entry, against psycopg doing the same statements."""
    with _server() as (ours_url, raw_url):
        ledger, other = open_ledger(ours_url), open_ledger(raw_url)
        made = service(ENTERED, ledger)
        service(ENTERED, other)
        other.close()
        move, raw = mover(made), RawPostgres(raw_url, made.program.revision)
        repeated(move, 8)()  # until the driver has prepared what it sees again and again
        repeated(raw.arrive, 8)()
        ours, theirs = statements(move), statements(raw.arrive)
        if ours != theirs:
            raise AssertionError(
                f"not the same statements: {[pair for pair in zip_longest(ours, theirs) if len({*pair}) > 1]}"
            )
        times = in_turns(31, ours=wall(repeated(move)), raw=wall(repeated(raw.arrive)))
        cpus = in_turns(11, ours=cpu(repeated(move)), raw=cpu(repeated(raw.arrive)))
        raw.connection.close()
        ledger.close()
    what = "rate of arrivals with three database actions in PostgreSQL, of psycopg's with the same statements"
    beside = {**milliseconds(times, "ours", "raw"), "by processor time %": 100 * ratio(cpus, "raw", "ours")}
    beside |= {"statements": float(len(ours)), "commits": float(ours.count("COMMIT"))}
    return Figure("P4c", what, 100 * ratio(times, "raw", "ours"), 70, "%", least=True, beside=beside)


def statements(work: Callable[[], object]) -> list[str]:
    """The statements that some work runs through the driver."""
    seen: list[str] = []
    execute, many = psycopg.Cursor.execute, psycopg.Cursor.executemany

    def one_seen(self: Any, query: Any, *args: Any, **options: Any) -> Any:
        seen.append(" ".join(str(query).split()))
        return execute(self, query, *args, **options)

    def many_seen(self: Any, query: Any, rows: Any, **options: Any) -> None:
        rows = list(rows)
        seen.extend([" ".join(str(query).split())] * len(rows))
        many(self, query, rows, **options)

    cursor = psycopg.Cursor
    with patch.object(cursor, "execute", one_seen), patch.object(cursor, "executemany", many_seen):
        work()
    return seen


@contextmanager
def _server() -> Iterator[tuple[str, str]]:
    """Where two new ledgers may be, in a PostgreSQL of the benchmark's own."""
    folder = Path(tempfile.mkdtemp(prefix="newel-bench-"))
    with postgres.server(folder, durable=True) as found:
        yield postgres.fresh(found.get_uri(), durable=True), postgres.fresh(found.get_uri(), durable=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
