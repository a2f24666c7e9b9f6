"""The statements of an arrival with three database actions, run on the sqlite3 module with nothing in between."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

from newel.runtime.ledgers.sqlite_sql import STATEMENTS as SQL

TASK, WORKFLOW, ROLE, AGENT, REASON = "t", "board", "reviewer", "ada", "again"


class RawArrivals:
    """Moves the task `t` to and fro between `s0` and `s1` of a ledger's file: what the benchmark's host would write by
    hand, with one connection, no pool, no lock, no check and no report."""

    def __init__(self, path: str, revision: str) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode=WAL").fetchall()
        self.connection.execute("PRAGMA synchronous=FULL")
        self._revision = revision

    def arrive(self) -> None:
        """One arrival at the step where the task is not."""
        run = self.connection.execute
        run("BEGIN IMMEDIATE")
        _, workflow, step, *_ = run(SQL.lock_task, (TASK,)).fetchall()[0]
        to = "s1" if step == "s0" else "s0"
        row = (TASK, None, workflow, step, WORKFLOW, to, "manual_move", "unknown", None, self._revision, 1, _now())
        entry = run(SQL.add_row, row).lastrowid or 0
        assert SQL.place_task is not None
        run(SQL.place_task, (WORKFLOW, to, entry, TASK)).fetchall()
        run("COMMIT")
        self._enter(entry, to)

    def _enter(self, entry: int, step: str) -> None:
        run = self.connection.execute
        run("BEGIN IMMEDIATE")
        run(SQL.lock_task, (TASK,)).fetchall()
        run("SAVEPOINT newel")
        cleared = run(SQL.clear_decisions_before, (TASK, WORKFLOW, step, entry)).fetchall()
        run("RELEASE newel")
        run("SAVEPOINT newel")
        seated = run(SQL.seats, (TASK,)).fetchall()
        if not any(seat[2:5] == (WORKFLOW, step, ROLE) or seat[8] is not None for seat in seated):
            run(SQL.add_seat, (TASK, WORKFLOW, step, ROLE, "eve", 1, 0, entry)).fetchall()
        run("RELEASE newel")
        run("SAVEPOINT newel")
        queued = (TASK, TASK, step, AGENT, REASON, None, entry, 2, "enter", f"{entry}:2", _now())
        run(SQL.add_run, queued).fetchall()
        run("RELEASE newel")
        done = ("applied" if cleared else "unchanged", "unchanged", "applied")
        kinds = ("clear_decisions", "ensure_participant_seat", "queue_run")
        for position, (kind, status) in enumerate(zip(kinds, done, strict=True)):
            run(SQL.record_action, (entry, position, kind, status, None, _now())).fetchall()
        run("COMMIT")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
