"""What the promises are told with: a ledger for each test, and complaints that say what was promised."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from newel.runtime.ledgers.base import Ledger, Transaction
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ports import Actor
from newel.runtime.rows import Task

PATIENCE = 30.0
"""Seconds after which something that has not happened is taken to hang."""

BRIEFLY = 0.1
"""Seconds that something gets to happen which must not."""


class Kit:
    """A fresh ledger for each test. `url` is the subclass's to say."""

    durable = True
    """Whether what was committed is there when the ledger is closed and opened again."""
    shared = True
    """Whether two openings of one URL in one process are one ledger."""

    ledger: Ledger

    def url(self, folder: Path) -> str:
        """The URL of a ledger that has never been opened; `folder` is empty, and removed after the test."""
        raise TypeError(f"{type(self).__name__} does not say where in {folder} its ledger is: define url(self, folder)")

    def setup_method(self) -> None:
        """Open the ledger of one test."""
        self._folder = TemporaryDirectory(prefix="newel-promises-", ignore_cleanup_errors=True)
        self._url = self.url(Path(self._folder.name))
        self._opened: list[Ledger] = []
        self.ledger = self.open()

    def teardown_method(self) -> None:
        """Close what a test has opened."""
        for ledger in self._opened:
            ledger.close()
        self._folder.cleanup()

    def open(self) -> Ledger:
        """The ledger opened once more; closed after the test."""
        ledger = open_ledger(self._url)
        self._opened.append(ledger)
        return ledger

    # ---------------------------------------------------------------- short forms

    def arrive(self, name: str, step: str | None, workflow: str = "w") -> int:
        """Commit one change of step of a task, new or not; the row's id."""
        with self.ledger.transaction() as tx:
            return arrive(tx, tx.lock_task(name) or tx.add_task(name), step, workflow)

    def task(self, name: str) -> Task | None:
        """Where a task stands."""
        with self.ledger.read() as view:
            return view.task(name)

    def steps(self, name: str) -> list[str | None]:
        """Where a task's rows led."""
        with self.ledger.read() as view:
            return [row.to_step for row in view.history(name)]


def arrive(tx: Transaction, task: Task, step: str | None, workflow: str = "w", **row: Any) -> int:
    """Write one change of step in an open transaction; the row's id."""
    what: dict[str, Any] = {"route": "unknown", "actor": Actor(), "session": None, "revision": "r", **row}
    return tx.arrive(task, None if step is None else workflow, step, **what)


def same(found: Any, promised: Any, what: str) -> None:
    """Complain where something is not as promised."""
    if found != promised:
        raise AssertionError(f"{what}\n  promised: {promised!r}\n  found:    {found!r}")


def holds(true: bool, what: str) -> None:
    """Complain where something does not hold."""
    if not true:
        raise AssertionError(f"promised: {what}")


@contextmanager
def raises(error: type[BaseException], what: str) -> Iterator[None]:
    """Complain where the block does not raise that error."""
    try:
        yield
    except error:
        return
    raise AssertionError(f"promised: {what} raises {error.__name__}; nothing was raised")


def together(*work: Callable[[], object]) -> None:
    """Do all of this at once, each on a thread of its own; what one of them raises is raised here."""
    gate, failed = threading.Barrier(len(work)), list[BaseException]()

    def go(one: Callable[[], object]) -> None:
        try:
            gate.wait(PATIENCE)
            one()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=go, args=(one,), daemon=True) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    holds(not any(thread.is_alive() for thread in threads), f"threads end within {PATIENCE:g} seconds")
    if failed:
        raise failed[0]


class Aside:
    """Work on a thread of its own, begun at once; `result` waits for it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work, self._found, self._failed = work, None, list[BaseException]()
        self._thread = threading.Thread(target=self._go, daemon=True)
        self._thread.start()

    def _go(self) -> None:
        try:
            self._found = self._work()
        except BaseException as error:
            self._failed.append(error)

    def done_within(self, seconds: float) -> bool:
        """Whether it ends so soon."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def result(self) -> Any:
        """What it found; what it raised is raised here."""
        holds(self.done_within(PATIENCE), f"it ends within {PATIENCE:g} seconds")
        if self._failed:
            raise self._failed[0]
        return self._found
