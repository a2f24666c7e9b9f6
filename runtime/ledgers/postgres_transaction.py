"""One transaction of a PostgreSQL ledger.

A statement that fails spoils everything since the last savepoint there. So each statement of the host's own has one
before it: that of the action it belongs to if it is its first, else one of its own. Whoever catches its error goes on.

Savepoints are released with the next one, or by the commit: one way to the server less for each.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from types import TracebackType
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.pq import TransactionStatus

from newel.runtime.errors import Contended, InsideTransaction, LedgerUnavailable, TaskExists
from newel.runtime.ledgers import postgres_sql
from newel.runtime.ledgers.base import Transaction
from newel.runtime.ledgers.hosted import admit_postgres
from newel.runtime.ledgers.postgres_errors import is_contended, refuse
from newel.runtime.ledgers.sql import Parameters, SqlTransaction, now
from newel.runtime.rows import Task

if TYPE_CHECKING:
    from newel.runtime.ledgers.postgres import PostgresLedger

Cursor = psycopg.Cursor[tuple[Any, ...]]

# The level is said, since a database may have another as its default.
_WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_NUMBER = "SELECT pg_current_xact_id()::text"
"""For a transaction that has locked no task: by it a commit whose answer is lost is asked about."""
_UNFIT = (psycopg.Error, OverflowError, UnicodeEncodeError)
"""What the driver raises, for a text or a number too that no database holds."""
_ENDED = "the transaction was ended before its time; nothing of it took effect"

_open: ContextVar[PostgresTransaction | None] = ContextVar("newel_open_postgres_transaction", default=None)


def _in_child() -> None:
    """What is open is the parent's."""
    _open.set(None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def joined(ledger: PostgresLedger) -> PostgresTransaction | None:
    """The transaction of a ledger that is open in this very thread."""
    found = _open.get()
    mine = found is not None and found.is_open and found.ledger is ledger and found.thread == threading.get_ident()
    return found if mine else None


class PostgresTransaction(SqlTransaction):
    """One transaction on one connection, and its own context manager."""

    __slots__ = (
        "_began",
        "_connection",
        "_contended",
        "_cursor",
        "_depth",
        "_fresh",
        "_marks",
        "_outer",
        "_stained",
        "_writes",
        "_xid",
        "is_open",
        "ledger",
        "thread",
    )
    sql = postgres_sql.STATEMENTS

    def __init__(self, ledger: PostgresLedger, *, writes: bool) -> None:
        self.ledger, self._writes, self.is_open = ledger, writes, False
        self.thread = threading.get_ident()
        self._contended: psycopg.Error | None = None
        self._xid: str | None = None
        self._depth = 0  # how many savepoints are open
        self._marks = 0  # how many the database has: one more where the last one ended and is not released
        self._fresh = False  # whether nothing has run since the last one
        self._stained = False  # whether the session may keep something of it

    def __enter__(self) -> PostgresTransaction:
        self._outer = outer = _open.get()
        while outer is not None:
            if outer.is_open and outer.ledger.uuid == self.ledger.uuid:
                raise InsideTransaction
            outer = outer._outer
        self._began = time.monotonic()
        self._connection = self.ledger.check_out(_WRITE if self._writes else _READ)
        self._cursor = self._connection.cursor()
        self.is_open = True
        _open.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.ledger.own_process()
            if self._contended is not None and (kind is None or issubclass(kind, Exception)):
                raise Contended from self._contended
            if kind is None and self._writes:
                self._commit()
        finally:
            self.is_open = False
            _open.set(self._outer)
            self.ledger.check_in(self._connection, stained=self._stained)

    def _commit(self) -> None:
        if self._status is not TransactionStatus.INTRANS:
            raise LedgerUnavailable(_ENDED)
        number: str = self._xid or self._all(_NUMBER)[0][0]
        try:
            self._cursor.execute("COMMIT")
        except psycopg.Error as error:
            if is_contended(error):
                raise Contended from error
            if not self._connection.broken:
                refuse(error)
            self.ledger.settle(number, self._began, error)
        self.ledger.commits += 1

    @property
    def _status(self) -> TransactionStatus:
        if not self.ledger.is_own:
            return TransactionStatus.UNKNOWN
        return TransactionStatus(self._connection.pgconn.transaction_status)

    @property
    def active(self) -> bool:
        """Whether the transaction is still open, and what it does can still take effect."""
        return self.is_open and self._contended is None and self._status is TransactionStatus.INTRANS

    # ---------------------------------------------------------------- savepoints

    def savepoint(self) -> _Savepoint:
        """A part that is taken back alone."""
        return _Savepoint(self)

    def _mark(self) -> None:
        """Put a savepoint at this depth, in the place of one that is over."""
        name = f"newel_{self._depth}"
        self._all(f"RELEASE {name}; SAVEPOINT {name}" if self._marks > self._depth else f"SAVEPOINT {name}")
        self._marks, self._fresh = self._depth + 1, True

    def _back(self) -> None:
        """Back to the last savepoint, which stays."""
        self.ledger.own_process()
        if self._contended is None and self._status is not TransactionStatus.UNKNOWN:
            try:
                self._cursor.execute(f"ROLLBACK TO newel_{self._marks - 1}".encode())
            except psycopg.Error as error:
                refuse(error)
            self._fresh = True

    def begin_part(self) -> None:
        """Open a savepoint."""
        self._mark()
        self._depth += 1

    def end_part(self, *, failed: bool) -> None:
        """End the innermost savepoint."""
        self._depth -= 1
        if failed:
            self._marks = self._depth + 1  # those inside it go with it
            self._back()
        elif not self.active:
            raise LedgerUnavailable(_ENDED)

    # ---------------------------------------------------------------- statements

    def execute(self, sql: str, params: Parameters = ()) -> list[tuple[Any, ...]]:
        """Run one statement of the host's own; one that fails takes back only itself."""
        self._stained |= admit_postgres(sql)
        if not (self._fresh and self._marks):
            self._mark()
        try:
            # Prepared, where no parameter makes it so anyway: a text of two statements is refused then.
            return self._run(sql, params, prepare=None if params else True)
        except psycopg.Error:
            self._back()
            raise

    def _all(self, sql: str, params: Parameters = ()) -> list[tuple[Any, ...]]:
        try:
            return self._run(sql, params)
        except _UNFIT as error:
            refuse(error)

    def _many(self, sql: str, params: Iterable[Sequence[Any]]) -> None:
        rows = list(params)
        try:
            if len(rows) == 1:  # what is made for many is slower for one
                self._run(sql, rows[0])
            else:
                self._guarded(lambda cursor: cursor.executemany(sql, rows))
        except _UNFIT as error:
            refuse(error)

    def _run(self, sql: str, params: Parameters, prepare: bool | None = None) -> list[tuple[Any, ...]]:
        cursor = self._guarded(lambda cursor: cursor.execute(sql, params or None, prepare=prepare))
        return cursor.fetchall() if cursor.description else []

    def _guarded(self, act: Callable[[Any], object]) -> Cursor:
        """Let the cursor act in the open transaction. Where that stood in another's way the whole of it is given up:
        begun anew it may well succeed."""
        self.ledger.own_process()
        if not self.active:
            raise LedgerUnavailable(_ENDED)
        self._fresh = False
        try:
            act(self._cursor)
        except psycopg.Error as error:
            if is_contended(error):
                self._contended = error
            raise
        return self._cursor

    # ---------------------------------------------------------------- what is said differently here

    def lock_task(self, task: str) -> Task | None:
        rows = self._all(self.sql.lock_task, (task,))
        if not rows:
            return None
        *fields, self._xid = rows[0]
        return Task(*fields)

    def add_task(self, task: str, *, priority: int = 0, parent: str | None = None) -> Task:
        rows = self._all(self.sql.add_task, (task, priority, parent, now()))
        if not rows:
            raise TaskExists(f"there is a task {task!r} already")
        self._xid = rows[0][0]
        return Task(task, None, None, None, priority=priority, parent=parent)


class _Savepoint:
    __slots__ = ("_transaction",)

    def __init__(self, transaction: PostgresTransaction) -> None:
        self._transaction = transaction

    def __enter__(self) -> None:
        self._transaction.begin_part()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._transaction.end_part(failed=kind is not None)


class Joined:
    """A reading inside a transaction of the same thread: the transaction itself, left open."""

    __slots__ = ("_transaction",)

    def __init__(self, transaction: PostgresTransaction) -> None:
        self._transaction = transaction

    def __enter__(self) -> Transaction:
        return self._transaction

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        pass
