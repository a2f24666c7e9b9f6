"""An SQLite file to one with the schema of this version, step by step."""

from __future__ import annotations

import sqlite3
import uuid

from newel.runtime.errors import LedgerUnavailable, SchemaTooNew, SchemaTooOld
from newel.runtime.ledgers.sqlite_waiting import patiently, refuse

_FIRST = (
    "CREATE TABLE newel_meta(uuid TEXT NOT NULL)",
    "INSERT INTO newel_meta VALUES (:uuid)",
    """
    CREATE TABLE newel_tasks(
        id TEXT PRIMARY KEY CHECK (id <> ''),
        workflow TEXT, step TEXT, entry_id INTEGER, queued_for TEXT,
        priority INTEGER NOT NULL, parent TEXT CHECK (parent <> ''), position INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        CHECK ((workflow IS NULL) = (step IS NULL) AND (step IS NULL) = (entry_id IS NULL))
    ) WITHOUT ROWID
    """,
    "CREATE INDEX newel_tasks_parent ON newel_tasks(parent, created_at, id) WHERE parent IS NOT NULL",
    # AUTOINCREMENT: without it the id of a removed last row would be given out again.
    """
    CREATE TABLE newel_rows(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task TEXT NOT NULL, session TEXT CHECK (session <> ''),
        from_workflow TEXT, from_step TEXT, to_workflow TEXT, to_step TEXT,
        route TEXT NOT NULL, actor_kind TEXT NOT NULL, actor_id TEXT CHECK (actor_id <> ''),
        revision TEXT NOT NULL, contract_version INTEGER NOT NULL, occurred_at TEXT NOT NULL,
        CHECK (NOT (from_workflow IS to_workflow AND from_step IS to_step)),
        CHECK ((to_workflow IS NULL) = (to_step IS NULL) AND (from_workflow IS NULL) = (from_step IS NULL))
    )
    """,
    "CREATE INDEX newel_rows_task ON newel_rows(task, id)",
    """
    CREATE TABLE newel_programs(revision TEXT PRIMARY KEY, program TEXT NOT NULL) WITHOUT ROWID
    """,
    """
    CREATE TABLE newel_entry_actions(
        entry_id INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, reason TEXT,
        deliveries INTEGER NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (entry_id, position)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE newel_decisions(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task TEXT NOT NULL, step TEXT NOT NULL, entry_id INTEGER NOT NULL,
        role TEXT NOT NULL, decider TEXT NOT NULL, decider_kind TEXT NOT NULL, verdict TEXT NOT NULL, note TEXT,
        superseded INTEGER NOT NULL DEFAULT 0, given_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX newel_decisions_task ON newel_decisions(task, step, entry_id)",
    """
    CREATE UNIQUE INDEX newel_decisions_active ON newel_decisions(task, step, role, decider) WHERE superseded = 0
    """,
    """
    CREATE TABLE newel_seats(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task TEXT NOT NULL, workflow TEXT NOT NULL, step TEXT NOT NULL, role TEXT NOT NULL, agent TEXT NOT NULL,
        required INTEGER NOT NULL, position INTEGER NOT NULL, ensured_by INTEGER
    )
    """,
    "CREATE UNIQUE INDEX newel_seats_natural ON newel_seats(task, workflow, step, role, agent)",
    """
    CREATE UNIQUE INDEX newel_seats_ensured ON newel_seats(task, workflow, role) WHERE ensured_by IS NOT NULL
    """,
    """
    CREATE TABLE newel_runs(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task TEXT NOT NULL, source TEXT NOT NULL, step TEXT NOT NULL, agent TEXT NOT NULL,
        reason TEXT, payload TEXT,
        entry_id INTEGER, position INTEGER NOT NULL, status TEXT NOT NULL DEFAULT 'queued', key TEXT,
        worker TEXT, error TEXT, cause TEXT NOT NULL, leased_until REAL, queued_at TEXT NOT NULL
    )
    """,
    # With the trigger in it, since a caller's own operation id may spell the key of an entry's run.
    "CREATE UNIQUE INDEX newel_runs_key ON newel_runs(key, cause) WHERE key IS NOT NULL",
    "CREATE INDEX newel_runs_entry ON newel_runs(entry_id, position)",
    "CREATE INDEX newel_runs_task ON newel_runs(task, id)",
    "CREATE INDEX newel_runs_source ON newel_runs(source)",
    "CREATE INDEX newel_runs_open ON newel_runs(id) WHERE status IN ('queued', 'claimed')",
)

_APPROVALS = (
    """
    CREATE TABLE newel_approvals(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task TEXT NOT NULL, entry_id INTEGER NOT NULL, cause TEXT NOT NULL, position INTEGER NOT NULL,
        to_step TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'pending', payload TEXT NOT NULL,
        actor_kind TEXT, actor_id TEXT CHECK (actor_id <> ''), asked_at TEXT NOT NULL, settled_at TEXT,
        CHECK ((status = 'pending') = (settled_at IS NULL) AND (status = 'pending') = (actor_kind IS NULL))
    )
    """,
    "CREATE UNIQUE INDEX newel_approvals_move ON newel_approvals(entry_id, cause, position)",
    "CREATE INDEX newel_approvals_task ON newel_approvals(task, id)",
)

# Steps whose places are limited, now or once. Tasks bear the number of the one they stand at: only where there is one
# has an arrival an index to keep.
_PLACES = (
    """
    CREATE TABLE newel_places(
        id INTEGER PRIMARY KEY AUTOINCREMENT, workflow TEXT NOT NULL, step TEXT NOT NULL, UNIQUE (workflow, step)
    )
    """,
    """
    ALTER TABLE newel_tasks ADD COLUMN queued_workflow TEXT CHECK ((queued_workflow IS NULL) = (queued_for IS NULL))
    """,
    "ALTER TABLE newel_tasks ADD COLUMN queued_at TEXT CHECK ((queued_at IS NULL) = (queued_for IS NULL))",
    "ALTER TABLE newel_tasks ADD COLUMN place INTEGER",
    "CREATE INDEX newel_tasks_place ON newel_tasks(place) WHERE place IS NOT NULL",
    """
    CREATE INDEX newel_tasks_queued ON newel_tasks(queued_workflow, queued_for) WHERE queued_for IS NOT NULL
    """,
)

# A step of another workflow is another step, whatever its name. A queued switch keeps what it is part of.
_DECIDED_WHERE = (
    "ALTER TABLE newel_decisions ADD COLUMN workflow TEXT NOT NULL DEFAULT ''",
    """
    UPDATE newel_decisions SET workflow =
        coalesce((SELECT to_workflow FROM newel_rows WHERE newel_rows.id = newel_decisions.entry_id), '')
    """,
    "DROP INDEX newel_decisions_task",
    "CREATE INDEX newel_decisions_task ON newel_decisions(task, workflow, step, entry_id)",
    "DROP INDEX newel_decisions_active",
    """
    CREATE UNIQUE INDEX newel_decisions_active ON newel_decisions(task, workflow, step, role, decider)
        WHERE superseded = 0
    """,
    """
    ALTER TABLE newel_tasks
        ADD COLUMN queued_operation TEXT CHECK (queued_operation IS NULL OR queued_for IS NOT NULL)
    """,
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST, _APPROVALS, _PLACES, _DECIDED_WHERE)
"""One element per version of the schema, only ever added to. A released one is never edited."""

_VERSION = "SELECT version FROM newel_schema"
_IS_NEWEL = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'newel_schema'"
_BEGIN_VERSIONS = (
    "CREATE TABLE IF NOT EXISTS newel_schema(version INTEGER NOT NULL)",
    "INSERT INTO newel_schema SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM newel_schema)",
)
_SET_VERSION = "UPDATE newel_schema SET version = ?"
_UUID = "SELECT uuid FROM newel_meta"


def prepare(connection: sqlite3.Connection, migrate: bool, timeout: float) -> str:
    """Bring the schema up to date and give the ledger's identity."""
    try:
        new = not patiently(connection, _IS_NEWEL, (), timeout)[0][0]
        if new or _behind(connection, migrate):
            _migrate(connection, timeout, migrate or new)
        found: str = patiently(connection, _UUID, (), timeout)[0][0]
    except sqlite3.Error as error:
        refuse(error)
    except (IndexError, TypeError) as error:  # its tables are there, and what they must hold is not
        raise LedgerUnavailable("the ledger's file is damaged: it says neither its version nor its identity") from error
    return found


def _behind(connection: sqlite3.Connection, migrate: bool) -> bool:
    version, latest = connection.execute(_VERSION).fetchone()[0], len(MIGRATIONS)
    if version > latest:
        raise SchemaTooNew(f"the ledger's schema is version {version}; this version of Newel knows {latest}")
    if version < latest and not migrate:
        raise SchemaTooOld(
            f"the ledger's schema is version {version}, of {latest}; "
            "run `newel ledger migrate`, or open it with migrate=True"
        )
    return bool(version < latest)


def _migrate(connection: sqlite3.Connection, timeout: float, migrate: bool) -> None:
    """Run the missing migrations in one transaction: of two processes the second finds nothing left to do."""
    patiently(connection, "BEGIN IMMEDIATE", (), timeout)
    try:
        for statement in _BEGIN_VERSIONS:
            connection.execute(statement)
        _behind(connection, migrate)
        version = connection.execute(_VERSION).fetchone()[0]
        for migration in MIGRATIONS[version:]:
            for statement in migration:
                connection.execute(statement, {"uuid": str(uuid.uuid4())} if ":uuid" in statement else {})
        connection.execute(_SET_VERSION, (len(MIGRATIONS),))
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
