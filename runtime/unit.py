"""Database work of one call to as few transactions as its order allows: opened when first needed, closed before outside
code runs, and each time opened again only if the task is still in the entry the call began with."""

from __future__ import annotations

from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from newel.runtime.errors import LedgerUnavailable
from newel.runtime.ledgers.base import Ledger, Transaction
from newel.runtime.limits import Place
from newel.runtime.rows import Task


class AbandonedError(Exception):
    """The task has left the entry that the call was decided on, or the guard no longer holds. Ends in an outcome."""


class ClosedError(AbandonedError):
    """The guard holds no more."""


class Unit:
    """A `with` block rolls back what is open when it is left by an error; else whoever uses it has flushed."""

    __slots__ = ("_entry", "_ledger", "_manager", "_places", "_task", "begun", "locked", "tx")

    def __init__(self, ledger: Ledger, task: str, entry: int | None = None, places: tuple[Place, ...] = ()) -> None:
        self._ledger, self._task, self._entry, self._places = ledger, task, entry, places
        self._manager: AbstractContextManager[Transaction] | None = None
        self.tx: Transaction | None = None
        self.begun = False
        self.locked: Task | None = None

    def begin(self) -> Transaction:
        """The open transaction, with the task locked in it, and before it the places where the call may move it to.

        Raises `AbandonedError` where the task has left.
        """
        if self.tx is not None:
            return self.tx
        tx = self._open()
        if self.locked is None or self.locked.entry_id != self._entry:
            raise AbandonedError
        return tx

    def first(self) -> Task | None:
        """The task, locked in the transaction that this opens; the entry it is in there is the call's."""
        self._open()
        if self.locked is not None:
            self._entry = self.locked.entry_id
        return self.locked

    def _open(self) -> Transaction:
        manager = self._ledger.transaction()
        tx = manager.__enter__()
        self._manager, self.tx, self.begun = manager, tx, True
        for place in self._places:
            tx.lock_place(*place)
        self.locked = tx.lock_task(self._task)
        return tx

    def check(self) -> None:
        """Raises `LedgerUnavailable` where the database, or a handler, has ended the transaction: it took no effect."""
        if self.tx is not None and not self.tx.active:
            raise LedgerUnavailable("the transaction was ended before its time; nothing of it took effect")

    def flush(self) -> None:
        """Commit what is open. Raises `LedgerUnavailable` where that fails; then nothing of it took effect."""
        manager, self._manager, self.tx, self.locked = self._manager, None, None, None
        if manager is not None:
            manager.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        manager, self._manager, self.tx, self.locked = self._manager, None, None, None
        if manager is not None:
            manager.__exit__(kind, error, traceback)
