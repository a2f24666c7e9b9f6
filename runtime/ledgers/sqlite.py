"""A `memory:` or `sqlite:///PATH` URL to a ledger in one SQLite file, or in none.

A file is written under `synchronous=FULL`: an arrival is on the disk before the call returns. `?synchronous=NORMAL` is
faster and may lose the last arrivals when the power fails. `?timeout=SECONDS` (60) is how long a writer waits.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from types import TracebackType
from typing import Any

from newel.runtime.errors import InsideTransaction, LedgerUnavailable, WrongProcess
from newel.runtime.ledgers import sqlite_sql
from newel.runtime.ledgers.base import Transaction
from newel.runtime.ledgers.forks import MEMORY, Connection, Foreign, connect, file_of, reclaim
from newel.runtime.ledgers.hosted import admit_sqlite
from newel.runtime.ledgers.queue import FairLock, writer_of
from newel.runtime.ledgers.sql import Parameters, SqlTransaction
from newel.runtime.ledgers.sqlite_schema import prepare
from newel.runtime.ledgers.sqlite_url import options_of, path_of
from newel.runtime.ledgers.sqlite_waiting import WAITED, is_busy, patiently, refuse, refuse_commit
from newel.runtime.ledgers.turns import Turns

_IDLE = 8
"""How many unused connections are kept."""
_POLITE = 0.001
"""How long, in seconds, a writer holds back where others wait: about as long as they sleep between two tries."""
_UNFIT = (OverflowError, UnicodeEncodeError)
"""What the driver raises for a number or a text that no database holds."""

# Weakly: one whose block was left without its end, by an exception in the very moment, is to be gone.
_open: ContextVar[weakref.ref[SqliteTransaction] | None] = ContextVar("newel_open_transaction", default=None)


def _in_child() -> None:
    """What is open is the parent's."""
    _open.set(None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


class SqliteLedger:
    """A ledger in an SQLite database. Connections are its own; each transaction has one to itself."""

    def __init__(self, path: str | None, *, migrate: bool, synchronous: str = "FULL", timeout: float = 60.0) -> None:
        self._path, self._synchronous, self._timeout = path, synchronous, timeout
        self._process = os.getpid()
        self._idle: list[Connection] = []
        self._closed = False
        self._writer = FairLock(reclaim) if path is None else writer_of(path)
        self.commits = 0
        """How many write transactions this object has committed."""
        self._memory: Connection | None = None
        """Without a file, the connection: the database is gone with it."""
        connection = self._connect()
        try:
            self._uuid = prepare(connection, migrate, timeout)
        except BaseException:
            connection.close()
            raise
        self._file = None if path is None else file_of(path)
        self._turns = None if path is None else Turns(path)
        if path is None:
            self._memory = connection
        self._idle.append(connection)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._uuid}>"

    @property
    def uuid(self) -> str:
        """The ledger's identity."""
        return self._uuid

    def transaction(self) -> SqliteTransaction:
        """A write transaction."""
        return SqliteTransaction(self, writes=True)

    def read(self) -> SqliteTransaction | _Joined:
        """A consistent view; the open transaction itself where this thread has one."""
        of = _open.get()
        outer = None if of is None else of()
        if outer is not None and outer.is_open and outer.ledger is self and outer.thread == threading.get_ident():
            return _Joined(outer)
        return SqliteTransaction(self, writes=False)

    def close(self) -> None:
        """Close every connection that is not in use; one in use is closed when its transaction ends."""
        self._closed = True
        if self._process != os.getpid():
            return
        self._empty()
        if self._turns is not None:
            self._turns.close()

    def _empty(self) -> None:
        with suppress(IndexError):  # there is none left, be it that another thread closes as well
            while True:
                self._idle.pop().close()

    # ---------------------------------------------------------------- what a transaction takes and gives back

    def _check_out(self, to: SqliteTransaction) -> Connection:
        """Lend a connection, to a writer in its turn; whatever comes of it, what was lent is to be given back."""
        if self._process != os.getpid():
            raise WrongProcess
        if self._closed:
            raise LedgerUnavailable("the ledger is closed")
        if (to._writes or self._path is None) and not self._writer.acquire(self._timeout, to.owner):
            raise LedgerUnavailable(WAITED.format(self._timeout))
        if self._path is not None:
            self._check_file(self._path)
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connect()
        to.lent, connection.owner = connection, to.owner
        return connection

    def _check_file(self, path: str) -> None:
        """The database goes on in a file that has been deleted, and whatever is committed there is gone with it."""
        if file_of(path) != self._file:
            raise LedgerUnavailable(f"the ledger's file {path!r} has been removed or replaced; open it again")

    def _begin(self, connection: sqlite3.Connection) -> None:
        """Begin to write, after those of other processes who came before, more or less."""
        turns = self._turns
        if turns is None:
            connection.execute("BEGIN IMMEDIATE")
            return
        if turns.others_wait():
            turns.wait()
            time.sleep(_POLITE)
        try:
            patiently(connection, "BEGIN IMMEDIATE", (), self._timeout, turns.wait)
        finally:
            turns.take()

    def _check_in(self, connection: Connection, usable: bool) -> None:
        if self._path is None or (usable and len(self._idle) < _IDLE):
            self._idle.append(connection)
            if self._closed:
                self._empty()
        else:
            connection.close()

    def _connect(self) -> Connection:
        if self._closed:  # without a file, while this call waited; another connection would be another database
            raise LedgerUnavailable("the ledger is closed")
        if self._memory is not None:  # whoever had it is no more
            return self._memory
        try:
            connection = connect(MEMORY if self._path is None else self._path)
        except sqlite3.Error as error:
            raise LedgerUnavailable(f"the ledger's file {self._path!r} cannot be opened: {error}") from error
        try:
            if self._path is not None:
                patiently(connection, "PRAGMA journal_mode=WAL", (), self._timeout)
            connection.execute(f"PRAGMA synchronous={self._synchronous}")
        except sqlite3.Error as error:
            connection.close()
            raise LedgerUnavailable(f"the ledger's file {self._path!r} cannot be used: {error}") from error
        except BaseException:
            connection.close()
            raise
        return connection


class SqliteTransaction(SqlTransaction):
    """One transaction on one connection; its own context manager, since arrivals are made of little else."""

    __slots__ = (
        *("__weakref__", "_bare", "_connection", "_outer", "_pending", "_writes"),
        *("is_open", "ledger", "lent", "owner", "thread"),
    )
    sql = sqlite_sql.STATEMENTS

    def __init__(self, ledger: SqliteLedger, *, writes: bool) -> None:
        self.ledger, self._writes, self.is_open = ledger, writes, False
        # Without a file nobody else has the connection meanwhile: a view needs no transaction to stay as it is.
        self._bare = not writes and ledger._path is None
        self._pending: tuple[_Savepoint, ...] = ()
        self.thread = threading.get_ident()
        self.owner: weakref.ref[SqliteTransaction] = weakref.ref(self)
        self.lent: Connection | None = None

    def __enter__(self) -> SqliteTransaction:
        self._outer = of = _open.get()
        while of is not None and (outer := of()) is not None:
            if outer.is_open and outer.ledger._writer is self.ledger._writer:
                raise InsideTransaction
            of = outer._outer
        try:
            try:
                connection = self._connection = self.ledger._check_out(self)
                if self._writes:
                    self.ledger._begin(connection)
                elif not self._bare:
                    patiently(connection, "BEGIN", (), self.ledger._timeout)
                self.is_open = True
                _open.set(self.owner)
            except BaseException:
                self._end(usable=False)
                raise
        except BaseException as error:
            self._end(usable=False)  # again, should Ctrl-C have kept it from its end
            if isinstance(error, sqlite3.Error):
                refuse(error)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        usable = False
        try:
            try:
                if kind is None:
                    self._commit()
                elif self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                usable = True
            except sqlite3.Error as failure:
                # Kept where it can be: with the last one gone, the log would be read anew, and with it this commit.
                with suppress(sqlite3.Error):
                    self._connection.rollback()
                    usable = True
                if kind is None:
                    refuse_commit(failure)
            finally:
                self._end(usable)
        except BaseException:
            self._end(usable=False)
            raise

    def _commit(self) -> None:
        if isinstance(self._connection, Foreign):
            raise WrongProcess
        if not self._writes:
            if self._connection.in_transaction:  # a view leaves nothing, whatever the host's statements have done
                self._connection.execute("ROLLBACK")
            return
        if not self._connection.in_transaction:
            raise LedgerUnavailable(_ENDED)
        self._connection.execute("COMMIT")
        self.ledger.commits += 1

    def _end(self, usable: bool) -> None:
        """Give back what was lent. Called again, it does what is not done yet."""
        self.is_open = False
        _open.set(self._outer)
        connection = self.lent
        if isinstance(connection, Foreign):
            return
        if connection is not None:
            if not usable:
                with suppress(sqlite3.Error):  # whatever is left open ends with the connection
                    connection.rollback()
            self.lent = connection.owner = None  # before others may have it
            self.ledger._check_in(connection, usable)
        if self._writes or self._bare:
            self.ledger._writer.release(self.owner)

    @property
    def active(self) -> bool:
        """Whether the transaction is still open."""
        return self.is_open and (self._connection.in_transaction or self._bare)

    def savepoint(self) -> _Savepoint:
        """A part that is taken back alone."""
        return _Savepoint(self)

    def execute(self, sql: str, params: Parameters = ()) -> list[tuple[Any, ...]]:
        """Run one statement of the host's own."""
        admit_sqlite(sql)
        if self._bare and not self._connection.in_transaction:
            self._connection.execute("BEGIN")
        if self._pending or not self.active:
            self._prepare()
        return patiently(self._connection, sql, params, self.ledger._timeout)

    def _all(self, sql: str, params: Parameters = ()) -> list[tuple[Any, ...]]:
        connection = self._connection
        if self._pending or not (self.is_open and (connection.in_transaction or self._bare)):
            self._prepare()
        try:
            return connection.execute(sql, params).fetchall()
        except _UNFIT as error:
            refuse(error)
        except sqlite3.Error as error:
            if not is_busy(error):
                refuse(error)
        try:
            return patiently(self._connection, sql, params, self.ledger._timeout)
        except sqlite3.Error as error:
            refuse(error)

    def _insert(self, sql: str, params: Parameters) -> int:
        """The connection knows the id it has just allotted; RETURNING would take as long as the insert itself."""
        if self._pending or not (self.is_open and self._connection.in_transaction):
            self._prepare()
        try:
            return self._connection.execute(sql, params).lastrowid or 0
        except (sqlite3.Error, *_UNFIT) as error:
            refuse(error)

    def _many(self, sql: str, params: Iterable[Sequence[Any]]) -> None:
        for each in params:
            self._all(sql, each)

    def _prepare(self) -> None:
        """Set the savepoints that were asked for: one in which no statement runs is never set."""
        if isinstance(self._connection, Foreign):
            raise WrongProcess
        if not self.active:
            raise LedgerUnavailable(_ENDED)
        pending, self._pending = self._pending, ()
        for _ in pending:
            self._all("SAVEPOINT newel")


_ENDED = "the transaction was ended before its time; nothing of it took effect"


class _Savepoint:
    __slots__ = ("_transaction",)

    def __init__(self, transaction: SqliteTransaction) -> None:
        self._transaction = transaction

    def __enter__(self) -> None:
        self._transaction._pending += (self,)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        transaction = self._transaction
        pending = transaction._pending
        if pending and pending[-1] is self:  # those inside it have ended
            transaction._pending = pending[:-1]
        elif kind is None:
            transaction._all("RELEASE newel")
        elif transaction.active:
            transaction._all("ROLLBACK TO newel")
            transaction._all("RELEASE newel")


class _Joined:
    """A reading inside a transaction of the same thread: the transaction itself, left open."""

    __slots__ = ("_transaction",)

    def __init__(self, transaction: SqliteTransaction) -> None:
        self._transaction = transaction

    def __enter__(self) -> Transaction:
        return self._transaction

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        pass


def open_sqlite(url: str, migrate: bool) -> SqliteLedger:
    """The ledger behind a `memory:` or `sqlite:///PATH` URL. Raises `LedgerUnavailable` for a malformed one."""
    target, _, query = url.partition("?")
    if target == "memory:":
        if query:
            raise LedgerUnavailable("memory: takes no options")
        return SqliteLedger(None, migrate=migrate)
    return SqliteLedger(str(path_of(url).absolute()), migrate=migrate, **options_of(url))
