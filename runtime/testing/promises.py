"""A ledger's URL to tests of every promise that a ledger makes."""

from __future__ import annotations

from newel.runtime.testing.arrivals import ArrivalPromises
from newel.runtime.testing.records import RecordPromises
from newel.runtime.testing.services import ServicePromises
from newel.runtime.testing.sharing import SharingPromises
from newel.runtime.testing.transactions import TransactionPromises
from newel.runtime.testing.waiting import WaitingPromises


class LedgerPromises(
    TransactionPromises, ArrivalPromises, RecordPromises, WaitingPromises, SharingPromises, ServicePromises
):
    """The whole contract of a ledger, for pytest. Subclass it in your own tests and say where a ledger is:

        from pathlib import Path

        from newel.runtime.testing import LedgerPromises

        class TestMine(LedgerPromises):
            def url(self, folder: Path) -> str:
                return f"mine:{folder}/ledger"

    `url` is asked once for each test, with an empty folder of its own, and names a ledger that has never been opened;
    the tests open it as everybody does, with `newel.runtime.open_ledger`. Opened twice in one process it is the same
    ledger; where closing it loses everything, as with `memory:`, say `durable = False`, and where two openings are two
    ledgers, `shared = False`.

    Each test is one promise, told by its docstring. They use `Ledger` and `Transaction` alone, never `execute`: a
    ledger need not have statements. What a test says of threads it tries with real ones, so a run takes some seconds.
    """
