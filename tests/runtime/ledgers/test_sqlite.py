"""The SQLite ledger (SL1, SL3, SL5, SL6): transactions, identity, schema, several threads and processes, a bad disk."""

from __future__ import annotations

import contextvars
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from newel.runtime.errors import (
    InsideTransaction,
    LedgerUnavailable,
    NewelError,
    SchemaTooNew,
    SchemaTooOld,
    TaskExists,
    WrongProcess,
)
from newel.runtime.ledgers import sqlite_schema
from newel.runtime.ledgers.forks import Connection
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.sqlite import SqliteLedger, SqliteTransaction
from newel.runtime.outcomes import ActionReport, ActionStatus
from newel.runtime.ports import Actor
from newel.runtime.rows import Task
from newel.runtime.testing.bounds import in_child
from tests.runtime.boards import Rig, board, entering, statuses

ROW: dict[str, Any] = {"route": "unknown", "actor": Actor(), "session": None, "revision": "r"}


def opened(url: str, **options: Any) -> SqliteLedger:
    ledger = open_ledger(url, **options)
    assert isinstance(ledger, SqliteLedger)
    return ledger


@pytest.fixture(params=["memory", "file"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteLedger]:
    """A ledger without a file, and one with."""
    found = opened("memory:" if request.param == "memory" else f"sqlite:///{tmp_path}/t.db?synchronous=NORMAL")
    yield found
    found.close()


def arrive(ledger: SqliteLedger, name: str, step: str | None) -> int:
    with ledger.transaction() as tx:
        task = tx.lock_task(name) or tx.add_task(name)
        return tx.arrive(task, None if step is None else "w", step, **ROW)


# ---------------------------------------------------------------- SL1


def test_sl1_row_and_step_are_committed_together(ledger: SqliteLedger) -> None:
    entry = arrive(ledger, "T", "a")
    with ledger.read() as view:
        task, row = view.task("T"), view.row(entry)
    assert task == Task("T", "w", "a", entry)
    assert row is not None
    assert (row.to_workflow, row.to_step) == ("w", "a")


def test_sl1_neither_is_there_after_a_rollback(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "a")

    def fail() -> None:
        with ledger.transaction() as tx:
            task = tx.lock_task("T")
            assert task is not None
            tx.arrive(task, "w", "b", **ROW)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with ledger.read() as view:
        assert [row.to_step for row in view.history("T")] == ["a"]
        assert view.tasks() == [Task("T", "w", "a", 1)]


def test_sl1_a_failed_insert_rolls_the_move_back(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "a")
    with ledger.transaction() as tx:
        tx.execute("CREATE TRIGGER no BEFORE INSERT ON newel_rows BEGIN SELECT RAISE(ABORT, 'full'); END")
    with pytest.raises(LedgerUnavailable, match="full"):
        arrive(ledger, "T", "b")
    with ledger.read() as view:
        assert view.task("T") == Task("T", "w", "a", 1)


def test_sl1_a_failed_step_change_rolls_the_row_back(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "a")
    with ledger.transaction() as tx:
        tx.execute("CREATE TRIGGER no BEFORE UPDATE ON newel_tasks BEGIN SELECT RAISE(ABORT, 'full'); END")
    with pytest.raises(LedgerUnavailable, match="full"):
        arrive(ledger, "T", "b")
    with ledger.read() as view:
        assert len(view.history("T")) == 1


def test_sl1_ids_are_never_given_twice_and_grow(ledger: SqliteLedger) -> None:
    ids = [arrive(ledger, "T", step) for step in ("a", "b")]
    with ledger.transaction() as tx:
        tx.remove_task("T")
    ids += [arrive(ledger, "T", "a"), arrive(ledger, "U", "a")]
    assert ids == sorted(set(ids))


def test_sl1_ids_of_threads_are_unique_and_in_the_order_of_each_tasks_arrivals(ledger: SqliteLedger) -> None:
    for name in "TU":
        arrive(ledger, name, "start")

    def mover(name: str, offset: int) -> None:
        for number in range(40):
            arrive(ledger, name, f"{offset}-{number}")

    threads = [threading.Thread(target=mover, args=(name, n)) for n, name in enumerate("TTTUU")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ledger.read() as view:
        for name, count in (("T", 121), ("U", 81)):
            rows = view.history(name)
            assert len(rows) == count
            assert [r.from_step for r in rows[1:]] == [r.to_step for r in rows[:-1]]
            task = view.task(name)
            assert task is not None
            assert task.entry_id == rows[-1].id
        ids = [row.id for row in view.rows(limit=1000)]
        assert ids == list(range(1, len(ids) + 1))


MOVER = """
import sys
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ports import Actor
ledger = open_ledger(sys.argv[1])
for number in range(60):
    with ledger.transaction() as tx:
        task = tx.lock_task("T")
        tx.arrive(task, "w", f"{sys.argv[2]}-{number}", route="unknown", actor=Actor(), session=None, revision="r")
ledger.close()
"""


def test_sl1_two_processes_leave_one_chain(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/t.db?synchronous=NORMAL"
    ledger = opened(url)
    arrive(ledger, "T", "start")
    children = [subprocess.Popen([sys.executable, "-c", MOVER, url, str(n)]) for n in range(3)]
    assert [child.wait(60) for child in children] == [0, 0, 0]
    with ledger.read() as view:
        rows = view.history("T")
    ledger.close()
    assert len(rows) == 181
    assert [r.from_step for r in rows[1:]] == [r.to_step for r in rows[:-1]]


# ---------------------------------------------------------------- SL3


def test_sl3_a_row_says_everything_and_absent_is_null(ledger: SqliteLedger) -> None:
    with ledger.transaction() as tx:
        task = tx.add_task("T")
        tx.arrive(task, "w", "a", route="created", actor=Actor.human("ada"), session="s", revision="rev")
    arrive(ledger, "T", None)
    with ledger.read() as view:
        first, second = view.history("T")
        assert view.task("T") == Task("T", None, None, None)
    assert (first.route, first.actor_kind, first.actor_id, first.session) == ("created", "human", "ada", "s")
    assert (first.from_workflow, first.from_step, first.revision, first.contract_version) == (None, None, "rev", 1)
    assert first.occurred_at.endswith("+00:00")
    assert (second.to_workflow, second.to_step, second.session, second.actor_id) == (None, None, None, None)


@pytest.mark.parametrize("blank", ["session", "actor"])
def test_sl3_the_table_itself_refuses_blanks(ledger: SqliteLedger, blank: str) -> None:
    row = ROW | {
        "session": "" if blank == "session" else None,
        "actor": Actor("human", "" if blank == "actor" else None),
    }
    with pytest.raises(LedgerUnavailable, match="CHECK"), ledger.transaction() as tx:
        tx.arrive(tx.add_task("T"), "w", "a", **row)


def test_sl2_the_table_itself_refuses_a_row_where_nothing_changes(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "a")
    with pytest.raises(LedgerUnavailable, match="CHECK"):
        arrive(ledger, "T", "a")


def test_sl3_history_outlives_steps_there_are_no_foreign_keys(ledger: SqliteLedger) -> None:
    with ledger.read() as view:
        tables = [name for (name,) in view.execute("SELECT name FROM sqlite_master WHERE name LIKE 'newel%'")]
        assert "newel_rows" in tables
        assert not [t for t in tables if view.execute("SELECT 1 FROM pragma_foreign_key_list(?)", (t,))]


def test_sl3_a_ledger_has_an_identity_of_its_own(tmp_path: Path) -> None:
    ledgers = [opened("memory:"), opened("memory:"), *(opened(f"sqlite:///{tmp_path}/{n}.db") for n in (1, 2, 1))]
    ids = [ledger.uuid for ledger in ledgers]
    assert len(set(ids)) == 4
    assert ids[2] == ids[4]
    for ledger in ledgers:
        ledger.close()


def test_sl3_programs_are_kept_by_revision_and_never_changed(ledger: SqliteLedger) -> None:
    for text in ("first", "second"):
        with ledger.transaction() as tx:
            tx.keep_program("r", text)
    with ledger.read() as view:
        assert view.program("r") == "first"
        assert view.program("s") is None


# ---------------------------------------------------------------- transactions


def test_sl5_nesting_is_refused_at_once_also_by_another_ledger_on_the_same_file(tmp_path: Path) -> None:
    one, two = opened(f"sqlite:///{tmp_path}/t.db"), opened(f"sqlite:///{tmp_path}/../{tmp_path.name}/t.db")
    other = opened("memory:")
    with one.transaction():
        for ledger in (one, two):
            with pytest.raises(InsideTransaction), ledger.transaction():
                pass
        with other.transaction() as tx:  # not the same database: nothing would wait
            tx.add_task("T")
            with pytest.raises(InsideTransaction), one.transaction():
                pass
    with one.transaction() as tx:
        tx.add_task("T")
    for ledger in (one, two, other):
        ledger.close()


def test_sl5_nesting_is_refused_in_a_thread_that_runs_in_the_same_context(ledger: SqliteLedger) -> None:
    refused: list[bool] = []

    def inner() -> None:
        try:
            with ledger.transaction():
                pass
        except InsideTransaction:
            refused.append(True)

    with ledger.transaction():
        thread = threading.Thread(target=contextvars.copy_context().run, args=(inner,))
        thread.start()
        thread.join(10)
    assert refused == [True]
    late = contextvars.copy_context()
    late.run(inner)  # the transaction it remembers is over
    assert refused == [True]


def test_sl5_reading_inside_a_transaction_reads_the_transaction(ledger: SqliteLedger) -> None:
    with ledger.transaction() as tx:
        tx.add_task("T")
        with ledger.read() as view:
            assert view.task("T") is not None
        assert tx.active
    assert not tx.active


def test_sl5_a_view_stays_as_it_was_opened(tmp_path: Path) -> None:
    ledger = opened(f"sqlite:///{tmp_path}/t.db")
    arrive(ledger, "T", "a")
    go, done = threading.Event(), threading.Event()

    def move() -> None:
        go.wait(10)
        arrive(ledger, "T", "b")
        done.set()

    thread = threading.Thread(target=move)
    thread.start()
    with ledger.read() as view:
        before = view.task("T")
        go.set()
        assert done.wait(10)
        assert view.task("T") == before
    thread.join()
    ledger.close()


def test_sl5_a_savepoint_takes_back_its_own_part_alone(ledger: SqliteLedger) -> None:
    def part(tx: SqliteTransaction) -> None:
        with tx.savepoint():
            tx.add_task("U")
            with tx.savepoint():
                tx.add_task("V")
            raise ZeroDivisionError

    with ledger.transaction() as tx:
        task = tx.add_task("T")
        with pytest.raises(ZeroDivisionError):
            part(tx)
        with tx.savepoint():
            tx.add_task("W")
        with suppress(ZeroDivisionError), tx.savepoint():
            tx.arrive(task, "w", "a", **ROW)
            raise ZeroDivisionError
    with ledger.read() as view:
        assert [(task.id, task.step) for task in view.tasks()] == [("T", None), ("W", None)]
        assert not view.rows()


def test_sl5_nothing_is_written_after_the_transaction_was_ended_under_it(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "a")

    def ended() -> None:
        with ledger.transaction() as tx:
            tx.add_task("U")
            with pytest.raises(sqlite3.IntegrityError):
                tx.execute("INSERT OR ROLLBACK INTO newel_tasks SELECT * FROM newel_tasks")
            assert not tx.active
            with pytest.raises(LedgerUnavailable):
                tx.execute("DELETE FROM newel_tasks")
            with pytest.raises(LedgerUnavailable):
                tx.add_task("V")

    with pytest.raises(LedgerUnavailable):
        ended()
    with ledger.read() as view:
        assert [task.id for task in view.tasks()] == ["T"]


def test_sl5_a_task_is_added_once(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "a")
    with pytest.raises(TaskExists), ledger.transaction() as tx:
        tx.add_task("T")


def test_sl5_what_a_users_statement_raises_passes_as_it_is(ledger: SqliteLedger) -> None:
    with pytest.raises(sqlite3.OperationalError), ledger.transaction() as tx:
        tx.execute("SELECT * FROM nowhere")


@pytest.mark.parametrize("then", list(ActionStatus))
def test_sl5_a_record_that_says_applied_stays(ledger: SqliteLedger, then: ActionStatus) -> None:
    entry = arrive(ledger, "T", "a")
    for status in (ActionStatus.APPLIED, then):
        with ledger.transaction() as tx:
            tx.record_actions(entry, [ActionReport("k", 0, status, None if status is ActionStatus.APPLIED else "x")])
    with ledger.read() as view:
        (record,) = view.entry_actions(entry)
    assert (record.status, record.deliveries, record.reason) == ("applied", 2, None)


def test_sl5_the_writers_of_one_process_are_served_in_the_order_they_came(tmp_path: Path) -> None:
    ledger = opened(f"sqlite:///{tmp_path}/t.db")
    order: list[int] = []

    def write(number: int) -> None:
        with ledger.transaction():
            order.append(number)

    with ledger.transaction():
        threads = []
        for number in range(12):
            threads.append(threading.Thread(target=write, args=(number,)))
            threads[-1].start()
            while len(ledger._writer._waiting) <= number:
                time.sleep(0.001)
    for thread in threads:
        thread.join()
    ledger.close()
    assert order == list(range(12))


def test_sl5_a_writer_that_waits_too_long_is_told(tmp_path: Path) -> None:
    ledger = opened(f"sqlite:///{tmp_path}/t.db?timeout=0.05")
    told: list[str] = []

    def write() -> None:
        try:
            with ledger.transaction():
                pass
        except LedgerUnavailable as error:
            told.append(str(error))

    with ledger.transaction():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    with ledger.transaction():  # and the queue goes on without it
        pass
    ledger.close()
    assert "another thread of this process has been writing for 0.05 seconds" in told[0]
    assert "make that an outside action" in told[0]


def test_sl5_another_processs_writer_is_waited_for_and_named_when_it_stays(tmp_path: Path) -> None:
    ledger = opened(f"sqlite:///{tmp_path}/t.db?timeout=0.1")
    other = sqlite3.connect(tmp_path / "t.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable, match="locked"):
        arrive(ledger, "T", "a")
    threading.Timer(0.03, lambda: other.execute("COMMIT")).start()
    arrive(ledger, "T", "a")
    other.close()
    ledger.close()


def test_sl5_many_threads_share_a_ledger_without_a_file(tmp_path: Path) -> None:
    ledger = opened("memory:")
    failed: list[BaseException] = []

    def go(name: str) -> None:
        try:
            for number in range(50):
                arrive(ledger, name, f"s{number}")
                with ledger.read() as view:
                    assert len(view.history(name)) == number + 1
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=go, args=(f"T{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ledger.close()
    assert failed == []


def test_sl5_a_connection_that_cannot_be_made_leaves_the_queue_to_others(tmp_path: Path) -> None:
    ledger = opened(f"sqlite:///{tmp_path}/t.db?timeout=0.2")
    ledger._idle.pop().close()
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))  # the file is there, but no descriptor for it
    try:
        for _ in range(2):  # the second would wait for the lock, had the first kept it
            with pytest.raises(LedgerUnavailable, match="cannot be opened"):
                arrive(ledger, "T", "a")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert arrive(ledger, "T", "a") == 1
    ledger.close()


def test_sl5_a_file_that_is_away_leaves_the_queue_to_others(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    ledger = opened(f"sqlite:///{folder}/t.db?timeout=0.2")
    ledger._idle.pop().close()
    folder.rename(tmp_path / "away")
    for _ in range(2):  # the second would wait for the lock, had the first kept it
        with pytest.raises(LedgerUnavailable, match="removed or replaced"):
            arrive(ledger, "T", "a")
    (tmp_path / "away").rename(folder)
    assert arrive(ledger, "T", "a") == 1
    ledger.close()


@pytest.mark.parametrize("place", ["newel.runtime.ledgers.sqlite.patiently", "newel.runtime.ledgers.sqlite.Turns.wait"])
def test_sl5_an_interruption_while_beginning_leaves_the_ledger_usable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    ledger = opened(f"sqlite:///{tmp_path}/t.db")
    other = sqlite3.connect(tmp_path / "t.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    def interrupt(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupt)
    with pytest.raises(KeyboardInterrupt):
        arrive(ledger, "T", "a")
    ledger._idle.clear()  # so that a new connection is made, and interrupted too
    with pytest.raises(KeyboardInterrupt):
        arrive(ledger, "T", "a")
    monkeypatch.undo()
    other.close()
    assert arrive(ledger, "T", "a") == 1
    ledger.close()


def test_sl5_a_connection_that_is_lost_is_not_used_again(tmp_path: Path) -> None:
    ledger = opened(f"sqlite:///{tmp_path}/t.db")

    def lose(error: type[Exception] | None) -> None:
        with ledger.transaction() as tx:
            tx.add_task("T")
            tx._connection.close()
            if error is not None:
                raise error

    with pytest.raises(LedgerUnavailable):
        lose(None)
    with pytest.raises(ZeroDivisionError):
        lose(ZeroDivisionError)
    assert arrive(ledger, "T", "a") == 1
    ledger.close()


def test_sl5_who_waited_for_a_ledger_without_a_file_that_was_closed_is_told() -> None:
    ledger = opened("memory:")
    told: list[str] = []

    def write() -> None:
        try:
            arrive(ledger, "T", "a")
        except LedgerUnavailable as error:
            told.append(str(error))

    with ledger.transaction():
        thread = threading.Thread(target=write)
        thread.start()
        while not ledger._writer._waiting:
            time.sleep(0.001)
        ledger.close()
    thread.join()
    assert told == ["the ledger is closed"]


def test_sl5_a_statement_waits_for_another_process_too(tmp_path: Path) -> None:
    ledger = opened(f"sqlite:///{tmp_path}/t.db?timeout=5")
    with ledger.transaction() as tx:
        tx.execute("CREATE TABLE mine(x)")
    other = sqlite3.connect(tmp_path / "t.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.05, lambda: other.execute("ROLLBACK"))
    timer.start()
    with ledger.read() as view:
        view.execute("INSERT INTO mine VALUES (1)")  # it is not refused: it waits, and is taken back
        assert view.execute("SELECT x FROM mine") == [(1,)]
    timer.join()
    began = time.monotonic()
    with ledger.read() as view, pytest.raises(sqlite3.OperationalError, match="locked"):
        assert view.execute("SELECT x FROM mine") == []
        other.execute("INSERT INTO mine VALUES (2)")
        view.execute("INSERT INTO mine VALUES (3)")  # waiting would not help: the view is too old
    assert time.monotonic() - began < 4
    other.close()
    ledger.close()


# ---------------------------------------------------------------- opening, schema, processes


def test_sl5_urls_choose_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for url, name in (
        ("sqlite:///here.db", "here.db"),
        (f"sqlite:///{tmp_path}/a%20b.db?synchronous=normal", "a b.db"),
    ):
        opened(url).close()
        assert (tmp_path / name).is_file()


@pytest.mark.parametrize(
    ("url", "is_path"), [("desk.db", True), ("s3cret/desk", True), ("s3cret", False), ("a:b/c", False)]
)
def test_whoever_gives_a_path_is_told_how_a_file_is_written(url: str, is_path: bool) -> None:
    """What was given is not repeated: it may be a password."""
    with pytest.raises(LedgerUnavailable) as caught:
        open_ledger(url)
    assert str(caught.value).endswith("; write sqlite:///PATH for a file") is is_path
    assert url not in str(caught.value)


def test_sl5_a_registered_ledger_is_found_by_its_scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    point = EntryPoint("mine", "newel.runtime.ledgers.sqlite:SqliteLedger.__new__", "newel.ledgers")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point] if group == "newel.ledgers" else [])
    with pytest.raises(LedgerUnavailable, match="memory:, mine:, postgresql:, sqlite:"):
        open_ledger("other:x")
    with pytest.raises(TypeError):  # it is called with the URL, as every opener
        open_ledger("mine:x")


@pytest.mark.parametrize(
    "url",
    [
        "postgres://ada:CANARY@host/db",
        "sqlite://ada:CANARY@host/x.db",
        "sqlite:///x.db?password=CANARY",
        "sqlite:///x.db?timeout=CANARY",
        "memory:?CANARY",
        "CANARY",
        "sqlite:///",
        "sqlite:x.db",
    ],
)
def test_sl5_a_malformed_url_is_an_error_that_does_not_repeat_it(url: str) -> None:
    with pytest.raises(LedgerUnavailable) as caught:
        open_ledger(url)
    assert "CANARY" not in f"{caught.value!r} {caught.value.__cause__!r}"


def test_sl5_what_cannot_be_opened_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is no database, and long enough to be taken for one" * 50)
    for name in ("nowhere/x.db", "text.db", "."):
        with pytest.raises(LedgerUnavailable) as caught:
            open_ledger(f"sqlite:///{tmp_path}/{name}")
        assert isinstance(caught.value.__cause__, sqlite3.Error)


def test_sl5_a_closed_ledger_says_so(ledger: SqliteLedger) -> None:
    ledger.close()
    ledger.close()
    with pytest.raises(LedgerUnavailable, match="closed"), ledger.transaction():
        pass
    with pytest.raises(LedgerUnavailable, match="closed"), ledger.read():
        pass


def test_sl5_two_threads_may_close_at_once(ledger: SqliteLedger) -> None:
    """One takes the last connection just as the other has seen that there is one."""

    class Raced(list[Connection]):
        def pop(self, *_: Any) -> Connection:
            while self:
                super().pop().close()
            return super().pop()

    ledger._idle = Raced(ledger._idle)
    ledger.close()
    with pytest.raises(LedgerUnavailable, match="closed"), ledger.read():
        pass


def test_sl5_closing_while_a_transaction_is_open_lets_it_end(ledger: SqliteLedger) -> None:
    with ledger.transaction() as tx:
        ledger.close()
        tx.add_task("T")
    with pytest.raises(LedgerUnavailable, match="closed"), ledger.read():
        pass


def test_sl6_migrations_run_forward_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path}/t.db"
    first = opened(url)
    arrive(first, "T", "a")
    first.close()
    later = (*sqlite_schema.MIGRATIONS, ("CREATE TABLE newel_later(x)",), ("INSERT INTO newel_later VALUES (1)",))
    monkeypatch.setattr(sqlite_schema, "MIGRATIONS", later)
    with pytest.raises(SchemaTooOld):
        open_ledger(url, migrate=False)
    for migrate in (True, True, False):
        ledger = opened(url, migrate=migrate)
        with ledger.read() as view:
            assert view.execute("SELECT x FROM newel_later") == [(1,)]
            assert view.task("T") is not None
        assert ledger.uuid == first.uuid
        ledger.close()
    monkeypatch.undo()
    for migrate in (True, False):
        with pytest.raises(SchemaTooNew):
            open_ledger(url, migrate=migrate)


def test_sl6_a_new_file_gets_its_schema_also_without_migrating(tmp_path: Path) -> None:
    ledger = opened(f"sqlite:///{tmp_path}/t.db", migrate=False)
    arrive(ledger, "T", "a")
    ledger.close()


def test_sl6_a_migration_that_fails_leaves_nothing_half_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path}/t.db"
    opened(url).close()
    later = (*sqlite_schema.MIGRATIONS, ("CREATE TABLE newel_later(x)", "INSERT INTO nowhere VALUES (1)"))
    monkeypatch.setattr(sqlite_schema, "MIGRATIONS", later)
    with pytest.raises(LedgerUnavailable):
        open_ledger(url)
    monkeypatch.undo()
    ledger = opened(url)
    with ledger.read() as view:
        assert view.execute("SELECT name FROM sqlite_master WHERE name = 'newel_later'") == []
    ledger.close()


def test_sl6_processes_that_start_at_once_make_one_schema(tmp_path: Path) -> None:
    code = "import sys; from newel.runtime.ledgers.opening import open_ledger; print(open_ledger(sys.argv[1]).uuid)"
    for number in range(4):
        url = f"sqlite:///{tmp_path}/{number}.db"
        command = [sys.executable, "-W", "ignore", "-c", code, url]
        children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        said = {child.communicate(timeout=60)[0] for child in children}
        assert [child.returncode for child in children] == [0, 0, 0]
        assert len(said) == 1


def test_sl6_threads_that_open_at_once_make_one_schema(tmp_path: Path) -> None:
    gate, found = threading.Barrier(6), []

    def go() -> None:
        gate.wait()
        found.append(opened(f"sqlite:///{tmp_path}/t.db"))

    threads = [threading.Thread(target=go) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({ledger.uuid for ledger in found}) == 1
    for ledger in found:
        ledger.close()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_ol4_a_ledger_used_after_a_fork_says_so(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "a")

    def child() -> int:
        refused = 0
        for opening in (ledger.transaction, ledger.read):
            try:
                with opening():
                    pass
            except WrongProcess:
                refused += 1
        ledger.close()
        return refused

    assert in_child(child) == 2
    assert arrive(ledger, "T", "b") == 2


FORKING = """
import os, sys
from newel.runtime import open_ledger

ledger = open_ledger(sys.argv[1])
with ledger.transaction() as tx:
    tx.execute("CREATE TABLE big(text)")
    for number in range(3000):  # more than is kept in memory: the log holds pages that are not committed
        tx.execute("INSERT INTO big VALUES (?)", ("x" * 2000,))
    pid = os.fork()
    if pid == 0:
        if sys.argv[2] == "raise":
            sys.exit(5)  # unwinds the block, and takes everything down
        tx = ledger = None
    else:
        os.waitpid(pid, 0)
        tx.execute("INSERT INTO big VALUES ('last')")
if pid:
    with ledger.read() as view:
        print(view.execute("SELECT count(*) FROM big"), view.execute("SELECT * FROM pragma_integrity_check"))
"""


@pytest.mark.parametrize("ending", ["raise", "leave"])
def test_ol4_a_child_that_ends_inside_the_parents_transaction_takes_nothing_of_it(tmp_path: Path, ending: str) -> None:
    command = [sys.executable, "-c", FORKING, f"sqlite:///{tmp_path}/t.db", ending]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[(3001,)] [('ok',)]\n"
    # a child that goes on behind the block is told so; one that is on its way out anyway is not held up
    assert ("WrongProcess" in done.stderr) == (ending == "leave")


# ---------------------------------------------------------------- a bad disk


def test_sl5_a_full_disk_is_a_typed_error_and_leaves_no_partial_row(tmp_path: Path) -> None:
    ledger = opened(f"sqlite:///{tmp_path}/t.db")
    arrive(ledger, "T", "start")
    ledger.close()  # the child could not open it else

    def child() -> int:
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        mine = opened(f"sqlite:///{tmp_path}/t.db")
        arrive(mine, "T", "begun")  # with the log that it is written to
        size = (tmp_path / "t.db-wal").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10_000, resource.RLIM_INFINITY))
        for number in range(1000):
            try:
                arrive(mine, "T", f"s{number}")
            except LedgerUnavailable as error:
                return 1 if isinstance(error.__cause__, sqlite3.Error) else 2
        return 3

    assert in_child(child) == 1
    ledger = opened(f"sqlite:///{tmp_path}/t.db")
    with ledger.read() as view:
        rows, task = view.history("T"), view.task("T")
    assert task is not None
    assert task.entry_id == rows[-1].id
    assert [r.from_step for r in rows[1:]] == [r.to_step for r in rows[:-1]]
    arrive(ledger, "T", "after")
    ledger.close()


def test_sl5_a_ledger_shows_neither_its_url_nor_its_path(tmp_path: Path) -> None:
    ledger = opened(f"sqlite:///{tmp_path}/CANARY.db")
    assert repr(ledger) == f"<SqliteLedger {ledger.uuid}>"
    ledger.close()


def test_sl5_the_file_is_durable_by_default(tmp_path: Path) -> None:
    for query, level in (("", 2), ("?synchronous=FULL", 2), ("?synchronous=NORMAL", 1)):
        ledger = opened(f"sqlite:///{tmp_path}/t.db{query}")
        with ledger.read() as view:
            assert view.execute("SELECT * FROM pragma_synchronous") == [(level,)]
            assert view.execute("SELECT * FROM pragma_journal_mode") == [("wal",)]
        ledger.close()


def test_sl5_a_run_is_claimed_by_one_worker_until_its_lease_is_over(ledger: SqliteLedger) -> None:
    run: dict[str, Any] = {
        "source": "T", "step": "a", "agent": "ada", "reason": None, "payload": {"a": [1, "é"]}, "entry_id": 1,
        "trigger": "enter",
    }  # fmt: skip
    arrive(ledger, "T", "a")
    with ledger.transaction() as tx:
        assert tx.add_run("T", **run, position=0, key="k")
        assert not tx.add_run("T", **run, position=0, key="k")
        run["trigger"] = "comment"
        assert tx.add_run("T", **run, position=0, key="k")
        assert tx.add_run("T", **run, position=1, key=None)
        assert tx.add_run("T", **run, position=1, key=None)
    with ledger.transaction() as tx:
        queued = [r.id for r in tx.runs("T")]
        first, second, third, fourth = queued
        claimed = tx.claim_runs("w1", 2, 60)
        assert [(r.id, r.worker, r.status, r.payload) for r in claimed] == [
            (first, "w1", "claimed", {"a": [1, "é"]}),
            (second, "w1", "claimed", {"a": [1, "é"]}),
        ]
        assert [r.id for r in tx.claim_runs("w2", 9, 0)] == [third, fourth]
        assert [r.id for r in tx.claim_runs("w3", 9, 60)] == [third, fourth]
        assert not tx.finish_run(third, "w2", None)
        assert tx.finish_run(third, "w3", "broken")
        assert not tx.finish_run(third, "w3", None)
        assert tx.finish_run(first, "w1", None)
        assert tx.claim_runs("w4", 9, 60) == []
        assert [(r.id, r.status, r.error) for r in tx.runs("T")] == [
            (first, "done", None),
            (second, "claimed", None),
            (third, "failed", "broken"),
            (fourth, "claimed", None),
        ]


@pytest.mark.parametrize("where", ["memory", "file"])
def test_se11_a_database_action_that_waits_for_a_thread_which_moves_a_task_is_refused_at_once(
    tmp_path: Path, where: str
) -> None:
    """The thread's context is a new one, so it does not know of the transaction."""
    rig = Rig("memory:" if where == "memory" else f"sqlite:///{tmp_path}/t.db", board(b=entering("note_it", "note_it")))
    raised: list[BaseException] = []

    def move() -> None:
        try:
            rig.service.move("U", "c")
        except NewelError as error:
            raised.append(error)

    def note(action: Any, context: Any) -> None:
        if context.position == 0:
            thread = threading.Thread(target=move)
            thread.start()
            thread.join()

    rig.on_note = note
    for task in "TU":
        rig.service.create(task, "w")
    began = time.monotonic()
    assert statuses(rig.service.move("T", "b")) == ["applied", "applied"]
    assert time.monotonic() - began < 20
    assert [type(error) for error in raised] == [InsideTransaction]
    assert rig.service.task("U").step == "a"
    rig.close()
