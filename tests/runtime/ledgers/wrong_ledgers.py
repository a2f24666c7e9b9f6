"""Ledgers that are wrong in one thing, most of them the plain ledger with that broken, for a suite that must notice.

`wrong:NAME:FOLDER` opens one, in this process or another: NAME is that of a class here, or the number of an edit.
"""

from __future__ import annotations

import os
import sys
import threading
import tomllib
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from newel.runtime import HistoryRow, Run, Task
from newel.runtime.ledgers.sqlite import SqliteLedger, SqliteTransaction
from tests.runtime.ledgers import plain_ledger
from tests.runtime.ledgers.plain_ledger import Database, PlainLedger, PlainTransaction

EDITS = tomllib.loads(Path(__file__).with_name("wrong_lines.toml").read_text("utf-8"))["edits"]
"""Those that are a line of the plain ledger, said otherwise."""
SUBCLASSES: dict[str, tuple[type[Any], str]] = {}
"""Those that are classes, each with the test that must fail on it."""

_databases: dict[str, Database] = {}
_guard = threading.Lock()


def _fails(test: str) -> Callable[[type[Any]], type[Any]]:
    def told(cls: type[Any]) -> type[Any]:
        SUBCLASSES[cls.__name__] = cls, test
        return cls

    return told


# ---------------------------------------------------------------- databases: what is kept, and for whom


@_fails("test_another_process_has_what_was_committed")
class RegistryOfAProcess(Database):
    """Writes nothing: whoever opens it again in this process finds it in a dictionary."""

    def keep(self) -> None:
        pass


@_fails("test_processes_that_write_at_once_lose_nothing")
class ReadsOnce(Database):
    """Reads the file when it is opened, and writes over what others have written since."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._lock:
            if not self.tables.rows:
                self.load()
            yield


@_fails("test_what_a_killed_process_had_open_is_taken_back")
class LocksOutNoProcess(Database):
    """Reads the file anew each time, and lets other processes do the same meanwhile."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._lock:
            self.load()
            yield


@_fails("test_a_transaction_that_waits_begins_when_the_other_has_ended")
class LocksOutNoThread(Database):
    """Two threads write at once."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        if not self.tables.rows:
            self.load()
        yield


@_fails("test_nothing_of_a_block_that_raises_is_there")
class CommitsWhatFailed(PlainLedger):
    """Takes back nothing."""

    @contextmanager
    def transaction(self) -> Iterator[PlainTransaction]:
        with self._alone() as tx:
            try:
                yield tx
            finally:
                self.database.keep()


@_fails("test_nothing_of_a_block_that_raises_is_there")
class CommitsWhatWasInterrupted(PlainLedger):
    """Takes back what an `Exception` ended, and nothing else."""

    @contextmanager
    def transaction(self) -> Iterator[PlainTransaction]:
        with self._alone() as tx:
            try:
                yield tx
            except Exception:
                tx.undo(0)
                raise
            finally:
                self.database.keep()


class _KeptLater(Database):
    def keep(self) -> None:
        pass

    def load(self) -> None:
        if not self.tables.rows:
            super().load()


@_fails("test_what_was_committed_outlives_a_process_that_vanishes")
class WritesWhenClosed(PlainLedger):
    """Keeps in memory what was committed, and writes it to disk at the end."""

    databases = _KeptLater

    def close(self) -> None:
        if not self._closed and self.database.path is not None:
            with self.database.alone():
                Database.keep(self.database)
        super().close()


@_fails("test_an_identity_is_the_ledgers_own")
class OneOfMany(PlainLedger):
    """Each opening says that it is another ledger."""

    @property
    def uuid(self) -> str:
        return f"{id(self):032}"


@_fails("test_what_was_committed_is_there_after_reopening")
class NewIdentity(Database):
    """Reopened, it is another ledger."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        with super().alone():
            yield
        if not self.tables.rows:
            self.tables.uuid = str(uuid.uuid4())


# ---------------------------------------------------------------- ledgers: transactions, views, the end


@_fails("test_a_transaction_in_a_transaction_is_refused_at_once")
class WaitsForItself(PlainLedger):
    """Does not look whether this thread has a transaction open; and hangs."""

    @contextmanager
    def _alone(self) -> Iterator[PlainTransaction]:
        with self.database.alone():
            tx = self.transactions(self)
            try:
                yield tx
            finally:
                tx.is_open = False


@_fails("test_two_openings_see_one_ledger")
class OnlyOneOpening(PlainLedger):
    """A second opening waits until the first is closed; and hangs."""

    _only = threading.Lock()

    def __init__(self, database: Database) -> None:
        self._only.acquire()
        super().__init__(database)

    def close(self) -> None:
        if not self._closed:
            self._only.release()
        super().close()


@_fails("test_a_closed_ledger_refuses")
class NeverCloses(PlainLedger):
    """Closed, it goes on."""

    def close(self) -> None:
        pass


@_fails("test_two_openings_see_one_ledger")
class ClosesForAll(PlainLedger):
    """Closing one opening closes them all."""

    def close(self) -> None:
        super().close()
        for each in list(_opened):
            each._closed |= each.database is self.database


_opened: list[PlainLedger] = []


@_fails("test_a_view_stays_as_it_was_opened")
class ViewThatMoves(SqliteLedger):
    """A view shows what is committed while it is open."""

    def read(self) -> Any:
        found = super().read()
        if isinstance(found, SqliteTransaction):
            found._bare = True
        return found


@_fails("test_after_a_fork_it_is_the_wrong_process")
class GoesOnInAChild(Database):
    """A forked child uses what its parent has opened."""

    def own_process(self) -> None:
        pass


# ---------------------------------------------------------------- transactions: what they read and write


@_fails("test_a_key_that_is_there_twice_is_found")
class NothingDoubled(PlainTransaction):
    """Finds no key that is there twice."""

    def doubled(self) -> list[Run]:
        return []


@_fails("test_turns_are_given_by_time_and_not_by_name")
class NoTurns(PlainTransaction):
    """Lets in by name whoever has waited, however long."""

    def waiting(self, workflow: str, step: str, feeder: str | None, limit: int) -> list[Task]:
        found = super().waiting(workflow, step, feeder, limit)
        return sorted(found, key=lambda t: (t.queued_for is None, t.position, -t.priority, t.id))


@_fails("test_rows_are_read_page_by_page")
class PageAfterPage(PlainTransaction):
    """Gives the last row of a page again as the first of the next: whoever reads them all never ends."""

    def rows(self, after: int = 0, limit: int = 1000) -> list[HistoryRow]:
        return super().rows(after - 1, limit)


@_fails("test_decisions_let_a_task_through")
class PageAfterPageOfAnAudit(PageAfterPage):
    """The same, where an audit reads them."""


@_fails("test_one_seat_of_a_role_is_ensured")
class SeatOfAllWorkflows(PlainTransaction):
    """Ensures one seat of a role in all workflows together."""

    def add_seat(self, task: str, workflow: str, step: str, *, role: str, agent: str, **more: Any) -> int | None:
        ensured = [s for s in self.seats(task) if s.origin == "ensured" and s.role == role]
        if ensured and more.get("ensured_by") is not None:
            return None
        return super().add_seat(task, workflow, step, role=role, agent=agent, **more)


@_fails("test_a_run_that_has_ended_is_claimed_by_nobody")
class FailedIsQueued(PlainTransaction):
    """Hands out a run that has failed once more."""

    def claim_runs(self, worker: str, limit: int, lease: float) -> list[Run]:
        for run in self.runs():
            if run.status == "failed":
                self._put(self._db.leases, run.id, 0.0)
                self._put(self._db.runs, run.id, Run(**{**_fields(run), "status": "queued"}))
        return super().claim_runs(worker, limit, lease)


def _fields(run: Run) -> dict[str, Any]:
    return {name: getattr(run, name) for name in run.__match_args__}


@_fails("test_a_statement_does_not_end_the_transaction")
class RunsNothing(PlainTransaction):
    """Has no statements, and says so to nobody."""

    def execute(self, sql: str, params: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        return []


@_fails("test_a_statement_does_not_end_the_transaction")
class RunsAnything(SqliteTransaction):
    """Lets a host's statement end the transaction."""

    def execute(self, sql: str, params: Any = ()) -> list[tuple[Any, ...]]:
        return self._all(sql, params)


@_fails("test_a_savepoint_of_a_transaction_that_is_over_is_refused")
class PartOfNothing(PlainTransaction):
    """Ends a savepoint after its transaction as if nothing were wrong."""

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        yield


# ---------------------------------------------------------------- opening


class _Wrong(PlainLedger):
    wrong: type[PlainTransaction]

    @property
    def transactions(self) -> type[PlainTransaction]:
        return self.wrong


class _WrongSqlite(SqliteLedger):
    wrong: type[SqliteTransaction]

    def transaction(self) -> SqliteTransaction:
        return self.wrong(self, writes=True)


def open_wrong(url: str, migrate: bool) -> Any:
    """What the entry point names."""
    _, name, folder = url.split(":", 2)
    if name.isdigit():
        return edited(int(name)).open_plain(f"plain:{folder}", migrate)
    cls = SUBCLASSES[name][0]
    if issubclass(cls, SqliteLedger | SqliteTransaction):
        sqlite = cls if issubclass(cls, SqliteLedger) else type(name, (_WrongSqlite,), {"wrong": cls})
        return sqlite(f"{folder}/ledger.db", migrate=migrate)
    plain: type[PlainLedger] = cls if issubclass(cls, PlainLedger) else PlainLedger
    if issubclass(cls, PlainTransaction):
        plain = type(name, (_Wrong,), {"wrong": cls})
    found = plain(database_of(url, cls if issubclass(cls, Database) else plain.databases))
    _opened.append(found)
    return found


def database_of(url: str, cls: type[Database] = Database) -> Database:
    """The one of this process."""
    with _guard:
        found = _databases.get(url)
        if found is None or found.process != os.getpid():
            found = _databases[url] = cls(Path(url.split(":", 2)[2]) / "plain.db")
        return found


def edited(number: int) -> ModuleType:
    """The plain ledger with that edit."""
    name = f"tests.runtime.ledgers.wrong_{number}"
    if name not in sys.modules:
        old, new = EDITS[number]["old"], EDITS[number]["new"]
        source = Path(plain_ledger.__file__ or "").read_text("utf-8")
        if source.count(old) != 1:
            raise ValueError(f"an edit does not apply to the plain ledger: {old!r}")
        module = sys.modules[name] = ModuleType(name)
        exec(compile(source.replace(old, new), name, "exec"), module.__dict__)  # noqa: S102 - it is our own
    return sys.modules[name]
