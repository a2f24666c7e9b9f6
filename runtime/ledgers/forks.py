"""A connection to SQLite to one that a forked child can do nothing with: it stays its parent's.

The two processes share its file, its locks and what it has written so far. So in the child it refuses every statement,
and is never closed: closing rolls back, and takes the parent's transaction with it.
"""

from __future__ import annotations

import os
import sqlite3
import weakref
from typing import Any, NoReturn

from newel.runtime.errors import WrongProcess


class Connection(sqlite3.Connection):
    """A connection as this process has opened it."""


class Foreign(sqlite3.Connection):
    """One that the parent of this process has opened."""

    @property
    def in_transaction(self) -> bool:
        """Never one of this process."""
        return False

    def execute(self, *_: Any) -> NoReturn:
        """Raises `WrongProcess`."""
        raise WrongProcess

    def rollback(self) -> None:
        """Leave it to the parent."""

    def close(self) -> None:
        """Leave it to the parent."""


_opened: weakref.WeakSet[Connection] = weakref.WeakSet()


def connect(path: str) -> Connection:
    """A connection to a database, which a child of this process will leave alone."""
    connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False, factory=Connection)
    _opened.add(connection)
    return connection


def _disown() -> None:
    """In a child process."""
    theirs = list(_opened)
    _opened.clear()
    if not theirs:
        return
    import ctypes  # costs as much as the rest of a ledger, and few processes fork with one open

    for connection in theirs:
        connection.__class__ = Foreign  # type: ignore[assignment]  # the same layout, and no method of use
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))  # so that it is not closed when its last user goes


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown)
