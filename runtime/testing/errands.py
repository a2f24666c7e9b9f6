"""What another process does with a ledger when the promises ask it to."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from newel.runtime.ledgers.base import Ledger
from newel.runtime.testing.bounds import PATIENCE
from newel.runtime.testing.contents import everything
from newel.runtime.testing.kit import arrive, locked


class Errands:
    """Each method is one errand, and ends by telling what came of it."""

    def __init__(self, ledger: Ledger, tell: Callable[[object], None]) -> None:
        self._ledger, self._tell = ledger, tell

    def _arrive(self, name: str, step: str) -> int:
        with self._ledger.transaction() as tx:
            return arrive(tx, tx.lock_task(name) or tx.add_task(name), step)

    def state(self) -> None:
        """All that it reads, and the ledger's identity."""
        with self._ledger.read() as view:
            self._tell([self._ledger.uuid, everything(view)])

    def arrive(self, name: str, step: str) -> None:
        """One arrival; its id."""
        self._tell(self._arrive(name, step))

    def write(self, own: str, common: str, often: int) -> None:
        """So many arrivals of a task of its own, and of one that others move, too; the ids of all rows."""
        ids = []
        for number in range(often):
            ids += [self._arrive(own, f"s{number}"), self._arrive(common, f"{own} {number}")]
        self._tell(ids)

    def claim(self, worker: str) -> None:
        """Runs, two by two, until there is none; their ids."""
        claimed = list[int]()
        while True:
            with self._ledger.transaction() as tx:
                found = [run.id for run in tx.claim_runs(worker, 2, 600)]
            claimed += found
            if not found or len(claimed) > 10_000:
                break
        self._tell(claimed)

    def vanish(self, name: str, step: str) -> None:
        """One arrival, and then nothing more: no close, no goodbye."""
        self._tell(self._arrive(name, step))
        os._exit(0)

    def hold(self, name: str, step: str) -> None:
        """An arrival in a transaction that stays open until somebody ends this process."""
        with self._ledger.transaction() as tx:
            tx.lock_place("w", "limited")
            entry = arrive(tx, locked(tx, name), step)
            self._tell(entry)
            time.sleep(2 * PATIENCE)
