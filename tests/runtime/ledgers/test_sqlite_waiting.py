"""A statement while somebody else holds the database: it waits, and tells what else goes wrong."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from newel.runtime.errors import LedgerUnavailable
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.sqlite import SqliteLedger, SqliteTransaction


class _Held:
    """A connection whose database somebody else holds for a while, and that then is broken, or well."""

    in_transaction = True

    def __init__(self, connection: sqlite3.Connection, *codes: int) -> None:
        self._connection, self._codes = connection, list(codes)

    def execute(self, sql: str, params: Any = ()) -> Any:
        """Raises with the next code, as long as there is one."""
        if self._codes:
            error = sqlite3.OperationalError("held")
            error.sqlite_errorcode = self._codes.pop(0)
            raise error
        return self._connection.execute(sql, params)


def test_sl5_a_statement_of_our_own_waits_for_who_holds_the_database(tmp_path: Path) -> None:
    ledger = open_ledger(f"sqlite:///{tmp_path}/a.db")
    assert isinstance(ledger, SqliteLedger)
    with ledger.transaction() as tx:
        tx.add_task("T")
    with ledger.read() as view:
        assert isinstance(view, SqliteTransaction)
        real = view._connection
        view._connection = _Held(real, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY)  # type: ignore[assignment]  # see there
        found = view.task("T")
        view._connection = _Held(real, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR)  # type: ignore[assignment]  # as above
        with pytest.raises(LedgerUnavailable, match="held"):
            view.task("T")
        view._connection = real
    assert found is not None
    assert found.id == "T"
    ledger.close()
