"""A connection to SQLite to one that a forked child can do nothing with: it stays its parent's.

The two processes share its file, its locks and what it has written so far. So in the child it refuses every statement,
and is never closed: closing rolls back, and takes the parent's transaction with it.

The child cannot open the file anew either. SQLite keeps, in the memory of a process, which locks it holds on a file; a
copy of that takes the parent's locks for the child's own, and what it writes is lost, or the file is.
"""

from __future__ import annotations

import os
import sqlite3
import weakref
from typing import Any, NoReturn

from newel.runtime.errors import WrongProcess

File = tuple[int, int]
MEMORY = ":memory:"


def file_of(path: str) -> File | None:
    """What makes a file that very file, by whatever path it is reached; None where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - asked for each transaction, and a Path takes as long again
    except OSError:
        return None
    return found.st_dev, found.st_ino


class Connection(sqlite3.Connection):
    """A connection as this process has opened it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.file: File | None = None
        self.owner: object = None
        """To whom it is lent."""
        _opened[id(self)] = self  # first: another thread may fork meanwhile
        super().__init__(path, timeout=0, isolation_level=None, check_same_thread=False)
        self.file = _named(path)

    def close(self) -> None:
        """From then on a fork may pass over it."""
        super().close()
        _opened.pop(id(self), None)


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


_opened: weakref.WeakValueDictionary[int, Connection] = weakref.WeakValueDictionary()
_process = os.getpid()
_inherited: set[File] = set()
"""The files that a process this one descends from had open when it forked."""


def connect(path: str) -> Connection:
    """A connection to a database, which a child of this process will leave alone. Raises `WrongProcess` for a file that
    a parent had open when it forked."""
    if _process != os.getpid():  # forked by what runs no hooks of Python's, as uWSGI
        _disown()
    if _inherited and _named(path) in _inherited:
        raise WrongProcess
    return Connection(path)


def reclaim(owner: object) -> None:
    """End what one that is no more had begun on the connection that was lent to it.

    Losing the connection does not: it is part of a cycle, and stays for a while.
    """
    for reference in _opened.valuerefs():
        connection = reference()
        if connection is not None and connection.owner is owner:
            connection.rollback()
            if connection.path != MEMORY:
                connection.close()


def _named(path: str) -> File | None:
    return None if path == MEMORY else file_of(path)


def _disown() -> None:
    """In a child process."""
    global _process  # noqa: PLW0603 - a fact about the process
    _process = os.getpid()
    theirs = list(_opened.values())
    _opened.clear()
    if not theirs:
        return
    import ctypes  # costs as much as the rest of a ledger, and few processes fork with one open

    for connection in theirs:
        file = connection.file or _named(connection.path)
        if file is not None:
            _inherited.add(file)
        connection.__class__ = Foreign  # type: ignore[assignment]  # the same layout, and no method of use
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))  # so that it is not closed when its last user goes


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown)
