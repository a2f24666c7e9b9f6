"""A ledger's URL to tests of every promise that a ledger makes."""

from __future__ import annotations

from newel.runtime.testing.arrivals import ArrivalPromises
from newel.runtime.testing.processes import ProcessPromises
from newel.runtime.testing.records import RecordPromises
from newel.runtime.testing.runs import RunPromises
from newel.runtime.testing.services import ServicePromises
from newel.runtime.testing.sharing import SharingPromises
from newel.runtime.testing.transactions import TransactionPromises
from newel.runtime.testing.waiting import WaitingPromises


class LedgerPromises(
    TransactionPromises,
    ArrivalPromises,
    RecordPromises,
    RunPromises,
    WaitingPromises,
    SharingPromises,
    ProcessPromises,
    ServicePromises,
):
    """What a ledger promises, for pytest. Subclass it in your own tests and say where a ledger is:

        from pathlib import Path

        from newel.runtime.testing import LedgerPromises

        class TestMine(LedgerPromises):
            def url(self, folder: Path) -> str:
                return f"mine:{folder}/ledger"

    `url` is asked once for each test, with an empty folder of its own, and names a ledger that has never been opened;
    the tests open it as everybody does, with `newel.runtime.open_ledger`, and so do the processes that they begin. What
    a ledger need not promise is said by `durable`, `shared` and `doubles`.

    Each test is one promise, told by its docstring, and ends, kept or not, within `patience`. They use `Ledger` and
    `Transaction` alone, and no statement that a ledger would have to understand. What a test says of threads and
    processes it tries with real ones, so a run takes some seconds.

    Not shown, since it takes the database's own means to bring it about: what happens where the database is gone, or
    ends a transaction of itself, and which statements `execute` runs.
    """
