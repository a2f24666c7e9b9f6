"""What the promises are told with: a ledger for each test, and complaints that say what was promised."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from newel.runtime.ledgers.base import Ledger, Transaction
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ports import Actor
from newel.runtime.rows import Task
from newel.runtime.testing.bounds import bounded
from newel.runtime.testing.elsewhere import Elsewhere

_MANY = 9
"""How many things are compared in a complaint that tells them all."""


class Kit:
    """A fresh ledger for each test. `url` and `double` are the subclass's to say."""

    durable: bool = True
    """Whether what was committed outlives the process: another one that opens the URL has it, also where the first was
    killed. If so, the tests open it in other processes."""
    shared: bool = True
    """Whether two openings of one URL are one ledger, in one process and, if it is durable, in several at once."""
    doubles: bool = True
    """Whether the storage could come to hold two runs of one key and trigger. If so, `double` says how."""
    patience: float = 60.0
    """How many seconds a test may take; what takes longer is taken to hang, and fails."""

    ledger: Ledger

    def __init_subclass__(cls) -> None:
        """The promises end, be they kept or not; what a host's own class adds is left as it is."""
        if cls.__module__.startswith("newel.runtime.testing."):
            for name, method in list(vars(cls).items()):
                if name.startswith("test_"):
                    setattr(cls, name, bounded(method))

    def url(self, folder: Path) -> str:
        """The URL of a ledger that has never been opened; `folder` is empty, and removed after the test."""
        raise TypeError(f"{type(self).__name__} does not say where in {folder} its ledger is: define url(self, folder)")

    def double(self, first: int, second: int) -> None:
        """Give the run `second` the key and the trigger of the run `first`, past whatever keeps the ledger itself from
        it, as a broken index or a table put together from two copies might have left it: `doubled` is to find it."""
        raise TypeError(
            f"{type(self).__name__} does not say how run {second} comes by the key of run {first}: define "
            "double(self, first, second), or say doubles = False where the storage can hold no two runs of one key"
        )

    @bounded
    def setup_method(self) -> None:
        """Open the ledger of one test."""
        self._folder = TemporaryDirectory(prefix="newel-promises-", ignore_cleanup_errors=True)
        self._url = self.url(Path(self._folder.name))
        self._opened: list[Ledger] = []
        self._begun: list[Elsewhere] = []
        self.ledger = self.open()

    @bounded
    def teardown_method(self) -> None:
        """Close what a test has opened, and end what it has begun."""
        for process in self._begun:
            process.end()
        for ledger in self._opened:
            ledger.close()
        self._folder.cleanup()

    def open(self) -> Ledger:
        """The ledger opened once more; closed after the test."""
        ledger = open_ledger(self._url)
        self._opened.append(ledger)
        return ledger

    def elsewhere(self) -> Elsewhere:
        """Another process, which opens the same URL when it is first asked something; it is ended after the test."""
        process = Elsewhere(self._url)
        self._begun.append(process)
        return process

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


def locked(tx: Transaction, name: str) -> Task:
    """A committed task, locked."""
    task = tx.lock_task(name)
    if task is None:
        raise AssertionError(f"promised: the task {name!r}, once committed, is found")
    return task


def same(found: Any, promised: Any, what: str) -> None:
    """Complain where something is not as promised."""
    if found != promised:
        if isinstance(found, list) and isinstance(promised, list) and len(promised) > _MANY:
            found, promised = ([e for e in a if e not in b] or a for a, b in ((found, promised), (promised, found)))
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
