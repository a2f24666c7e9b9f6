"""A PostgreSQL schema to one with the tables of this version, step by step."""

from __future__ import annotations

import uuid
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from newel.runtime.errors import LedgerUnavailable, SchemaTooNew, SchemaTooOld
from newel.runtime.ledgers.postgres_errors import refuse

# "C": ids are compared as SQLite compares them, byte by byte. CACHE 1: a session that took ids in stock would give a
# task's next row a smaller id than its last one.
_FIRST = (
    "CREATE TABLE newel_meta(uuid TEXT NOT NULL)",
    "INSERT INTO newel_meta VALUES (%(uuid)s)",
    """
    CREATE TABLE newel_tasks(
        id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
        workflow TEXT, step TEXT, entry_id BIGINT, queued_for TEXT,
        priority BIGINT NOT NULL, parent TEXT COLLATE "C" CHECK (parent <> ''), position BIGINT NOT NULL,
        created_at TEXT COLLATE "C" NOT NULL,
        CHECK ((workflow IS NULL) = (step IS NULL) AND (step IS NULL) = (entry_id IS NULL))
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX newel_tasks_parent ON newel_tasks(parent, created_at, id) WHERE parent IS NOT NULL",
    """
    CREATE TABLE newel_rows(
        id BIGINT GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
        task TEXT COLLATE "C" NOT NULL, session TEXT CHECK (session <> ''),
        from_workflow TEXT, from_step TEXT, to_workflow TEXT, to_step TEXT,
        route TEXT NOT NULL, actor_kind TEXT NOT NULL, actor_id TEXT CHECK (actor_id <> ''),
        revision TEXT NOT NULL, contract_version INTEGER NOT NULL, occurred_at TEXT COLLATE "C" NOT NULL,
        CHECK (from_workflow IS DISTINCT FROM to_workflow OR from_step IS DISTINCT FROM to_step),
        CHECK ((to_workflow IS NULL) = (to_step IS NULL) AND (from_workflow IS NULL) = (from_step IS NULL))
    )
    """,
    "CREATE INDEX newel_rows_task ON newel_rows(task, id)",
    "CREATE TABLE newel_programs(revision TEXT PRIMARY KEY, program TEXT NOT NULL)",
    """
    CREATE TABLE newel_entry_actions(
        entry_id BIGINT NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, reason TEXT,
        deliveries INTEGER NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (entry_id, position)
    )
    """,
    """
    CREATE TABLE newel_decisions(
        id BIGINT GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
        task TEXT COLLATE "C" NOT NULL, step TEXT NOT NULL, entry_id BIGINT NOT NULL,
        role TEXT NOT NULL, decider TEXT NOT NULL, decider_kind TEXT NOT NULL, verdict TEXT NOT NULL, note TEXT,
        superseded BOOLEAN NOT NULL DEFAULT FALSE, given_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX newel_decisions_task ON newel_decisions(task, step, entry_id)",
    """
    CREATE UNIQUE INDEX newel_decisions_active ON newel_decisions(task, step, role, decider) WHERE NOT superseded
    """,
    """
    CREATE TABLE newel_seats(
        id BIGINT GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
        task TEXT COLLATE "C" NOT NULL, workflow TEXT NOT NULL, step TEXT NOT NULL, role TEXT NOT NULL,
        agent TEXT NOT NULL, required BOOLEAN NOT NULL, position BIGINT NOT NULL, ensured_by BIGINT
    )
    """,
    "CREATE UNIQUE INDEX newel_seats_natural ON newel_seats(task, workflow, step, role, agent)",
    """
    CREATE UNIQUE INDEX newel_seats_ensured ON newel_seats(task, workflow, role) WHERE ensured_by IS NOT NULL
    """,
    # The reference keeps a run from being queued for a task that is just being removed.
    """
    CREATE TABLE newel_runs(
        id BIGINT GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
        task TEXT COLLATE "C" NOT NULL REFERENCES newel_tasks(id), source TEXT COLLATE "C" NOT NULL,
        step TEXT NOT NULL, agent TEXT NOT NULL, reason TEXT, payload TEXT,
        entry_id BIGINT, position INTEGER NOT NULL, status TEXT NOT NULL DEFAULT 'queued', key TEXT,
        worker TEXT, error TEXT, cause TEXT NOT NULL, leased_until DOUBLE PRECISION, queued_at TEXT NOT NULL
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
        id BIGINT GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
        task TEXT COLLATE "C" NOT NULL, entry_id BIGINT NOT NULL, cause TEXT NOT NULL, position INTEGER NOT NULL,
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
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, workflow TEXT NOT NULL, step TEXT NOT NULL,
        UNIQUE (workflow, step)
    )
    """,
    """
    ALTER TABLE newel_tasks
        ADD COLUMN queued_workflow TEXT CHECK ((queued_workflow IS NULL) = (queued_for IS NULL)),
        ADD COLUMN queued_at TEXT COLLATE "C" CHECK ((queued_at IS NULL) = (queued_for IS NULL)),
        ADD COLUMN place BIGINT
    """,
    "CREATE INDEX newel_tasks_place ON newel_tasks(place) WHERE place IS NOT NULL",
    """
    CREATE INDEX newel_tasks_queued ON newel_tasks(queued_workflow, queued_for) WHERE queued_for IS NOT NULL
    """,
)

# A step of another workflow is another step, whatever its name. A queued switch keeps what it is part of. A run's key,
# in which operation ids are, may be of any length: an index that holds the key itself has room for 2.7 kB.
_DECIDED_WHERE = (
    "ALTER TABLE newel_decisions ADD COLUMN workflow TEXT NOT NULL DEFAULT ''",
    """
    UPDATE newel_decisions AS d SET workflow = r.to_workflow FROM newel_rows AS r
    WHERE r.id = d.entry_id AND r.to_workflow IS NOT NULL
    """,
    "ALTER TABLE newel_decisions ALTER COLUMN workflow DROP DEFAULT",
    "DROP INDEX newel_decisions_task",
    "CREATE INDEX newel_decisions_task ON newel_decisions(task, workflow, step, entry_id)",
    "DROP INDEX newel_decisions_active",
    """
    CREATE UNIQUE INDEX newel_decisions_active ON newel_decisions(task, workflow, step, role, decider)
        WHERE NOT superseded
    """,
    """
    ALTER TABLE newel_tasks
        ADD COLUMN queued_operation TEXT CHECK (queued_operation IS NULL OR queued_for IS NOT NULL)
    """,
    "DROP INDEX newel_runs_key",
    """
    ALTER TABLE newel_runs ADD CONSTRAINT newel_runs_key
        EXCLUDE USING hash ((ARRAY[key, cause]) COLLATE "C" WITH =) WHERE (key IS NOT NULL)
    """,
)

MIGRATIONS: tuple[tuple[LiteralString, ...], ...] = (_FIRST, _APPROVALS, _PLACES, _DECIDED_WHERE)
"""One element per version of the schema, only ever added to. A released one is never edited."""

_VERSION = "SELECT version FROM newel_schema"
_IS_NEWEL = """
    SELECT count(*) FROM pg_catalog.pg_tables
    WHERE schemaname = coalesce(%s, current_schema()) AND tablename = 'newel_schema'
"""
_IS_SCHEMA = "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = %s"
_BEGIN_VERSIONS = (
    "CREATE TABLE IF NOT EXISTS newel_schema(version INTEGER NOT NULL)",
    "INSERT INTO newel_schema SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM newel_schema)",
)
_SET_VERSION = "UPDATE newel_schema SET version = %s"
_UUID = "SELECT uuid FROM newel_meta"
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('newel ' || coalesce(%s, current_schema()), 0))"

Connection = psycopg.Connection[tuple[Any, ...]]


def prepare(connection: Connection, schema: str | None, migrate: bool) -> str:
    """Bring the tables of a schema - None: of the first on the search path - up to date; the ledger's identity."""
    try:
        new = not _value(connection, _IS_NEWEL, schema)
        if new or _behind(connection, migrate):
            _migrate(connection, schema, migrate or new)
        found: str = _value(connection, _UUID)
    except psycopg.Error as error:
        refuse(error)
    except (IndexError, TypeError) as error:  # its tables are there, and what they must hold is not
        raise LedgerUnavailable(
            "the ledger's schema is damaged: it says neither its version nor its identity"
        ) from error
    return found


def _behind(connection: Connection, migrate: bool) -> bool:
    version, latest = _value(connection, _VERSION), len(MIGRATIONS)
    if version > latest:
        raise SchemaTooNew(f"the ledger's schema is version {version}; this version of Newel knows {latest}")
    if version < latest and not migrate:
        raise SchemaTooOld(
            f"the ledger's schema is version {version}, of {latest}; "
            "run `newel ledger migrate`, or open it with migrate=True"
        )
    return bool(version < latest)


def _migrate(connection: Connection, schema: str | None, migrate: bool) -> None:
    """Run the missing migrations in one transaction: of two processes the second finds nothing left to do."""
    connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED  # to see what the process before has left
    connection.read_only = False  # whatever is the database's default
    with connection.transaction():
        connection.execute(_ONE_AT_A_TIME, (schema,))
        # Asked first, since IF NOT EXISTS wants the right to create one also where it exists.
        if schema is not None and not _value(connection, _IS_SCHEMA, schema):
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
        for statement in _BEGIN_VERSIONS:
            connection.execute(statement)
        _behind(connection, migrate)
        for migration in MIGRATIONS[_value(connection, _VERSION) :]:
            for statement in migration:
                connection.execute(statement, {"uuid": str(uuid.uuid4())} if "%(uuid)s" in statement else None)
        connection.execute(_SET_VERSION, (len(MIGRATIONS),))


def _value(connection: Connection, statement: LiteralString, *params: str | None) -> Any:
    (value,) = connection.execute(statement, params or None).fetchall()[0]
    return value
