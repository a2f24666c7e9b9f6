"""A statement and a deadline to its rows, however often another process's writer is in the way."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, NoReturn

from newel.runtime.errors import LedgerUnavailable

WAITED = (
    "another thread of this process has been writing for {:g} seconds; if it runs a database action or guard that waits"
    " for this one, make that an outside action, which holds nothing meanwhile"
)
_PAUSES = (0.0003, 0.0007, 0.001)
"""Waits, in seconds, for another process's writer; the last one is repeated. SQLite's own go up to 0.1 s, the longer
the longer one has waited already."""


def patiently(
    connection: sqlite3.Connection,
    sql: str,
    params: Sequence[Any] | Mapping[str, Any],
    timeout: float,
    waiting: Callable[[], None] = lambda: None,
) -> list[tuple[Any, ...]]:
    """Run a statement, again and again while another process holds the database, for at most so many seconds.

    `waiting` is called before each pause.
    """
    deadline: float | None = None
    pauses = chain(_PAUSES, repeat(_PAUSES[-1]))
    while True:
        try:
            return connection.execute(sql, params).fetchall()
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            deadline = deadline or time.monotonic() + timeout
            if time.monotonic() > deadline:
                raise
        waiting()
        time.sleep(next(pauses))


def is_busy(error: sqlite3.Error) -> bool:
    """Whether waiting may help."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)  # the module's own errors have none
    # A snapshot that is too old to write from stays too old, however long one waits.
    return code & 0xFF == sqlite3.SQLITE_BUSY and code != sqlite3.SQLITE_BUSY_SNAPSHOT


def refuse(error: sqlite3.Error | OverflowError | UnicodeEncodeError) -> NoReturn:
    """Raise what the driver says as what the ledger says."""
    said = f"the ledger's database refused: {error}; nothing of this transaction was committed"
    raise LedgerUnavailable(said) from error


def refuse_commit(error: sqlite3.Error) -> NoReturn:
    """The same for a commit: one whose log was written and could not be synced is there again if the log is read anew,
    after a crash or once nobody has the database open."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_IOERR_FSYNC:
        raise LedgerUnavailable(
            f"the disk failed in the moment of the commit ({error}); whether it took effect is not known"
        ) from error
    refuse(error)
