"""Statements, files and processes that a ledger meets and did not expect."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from newel.runtime.errors import InsideTransaction, LedgerUnavailable
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.sqlite import SqliteLedger
from newel.runtime.outcomes import ActionReport, ActionStatus
from newel.runtime.ports import Context
from newel.runtime.rows import Task
from newel.runtime.service import Service
from tests.runtime.boards import Make, Rig, board, compiled, entering, entry_of

# ---------------------------------------------------------------- a statement's first word

HARMLESS = [
    "-- commit the note\nSELECT 1",
    "--begin\n/* end */ SELECT 1",
    "/* rollback; */ SELECT 1",
    "-" * 4000 + "\nSELECT 1",
    "/* a */ " * 4000 + "SELECT 1",
    "-- -- --\n" * 2000 + "SELECT 1",
]


@pytest.mark.parametrize("statement", HARMLESS, ids=range(len(HARMLESS)))
def test_a_word_in_a_comment_ends_nothing_and_a_long_comment_is_read_at_once(make: Make, statement: str) -> None:
    rig = make(board())
    began = time.monotonic()
    assert rig.rows(statement) == [(1,)]
    assert time.monotonic() - began < 5


ENDING = [
    "COMMIT",
    "commit",
    ";COMMIT",
    "/* */ROLLBACK",
    "-- a\nEnd",
    "--\n--\n/* a\n*/ ; begin",
    "\ufeffSAVEPOINT x",
    "RELEASE newel",
    "\tROLLBACK TO newel",
]


@pytest.mark.parametrize("statement", ENDING)
def test_what_begins_or_ends_a_transaction_is_refused_in_every_spelling(make: Make, statement: str) -> None:
    rig = make(board())
    with rig.ledger.transaction() as tx:
        with pytest.raises(InsideTransaction):
            tx.execute(statement)
        assert tx.active


# ---------------------------------------------------------------- what outlives the transaction

CHANGING = {
    "sqlite": [
        "PRAGMA query_only=1",
        "/* */ pragma Foreign_Keys = 1",
        "PRAGMA table_info(notes)",
        "EXPLAIN QUERY PLAN PRAGMA query_only=1",
        "ATTACH ':memory:' AS other",
        "DETACH other",
        "VACUUM",
        "CREATE TEMP TABLE t(a)",
        "CREATE /* a */ TEMPORARY\nVIEW v AS SELECT 1",
        'create table if not exists "temp" . t(a)',
    ],
    "postgresql": [
        "SET search_path TO public",
        "set Session statement_timeout = 0",
        "-- SET LOCAL\nSET ROLE NONE",
        "SET SESSION AUTHORIZATION DEFAULT",
        "RESET ALL",
        "LISTEN here",
        "UNLISTEN *",
        "DISCARD ALL",
        "DEALLOCATE ALL",
        "PREPARE plan AS SELECT 1",
        "LOAD 'nothing'",
    ],
}


def dialect(rig: Rig) -> str:
    return "sqlite" if isinstance(rig.ledger, SqliteLedger) else "postgresql"


def test_a_statement_that_changes_the_connection_is_refused_and_the_action_alone_fails(make: Make) -> None:
    rig = make(board(b=entering("note_it", "note_it")))
    statements = iter(CHANGING[dialect(rig)])

    def change(action: Any, context: Context) -> None:
        if context.position == 1:
            assert context.tx is not None
            context.tx.execute(next(statements))

    rig.on_note = change
    for number, statement in enumerate(CHANGING[dialect(rig)]):
        rig.service.create(f"T{number}", "w")
        refused, done = reversed(entry_of(rig.service.move(f"T{number}", "b")).actions)
        assert (done.status, refused.status) == ("applied", "failed"), statement
        assert (refused.reason or "").startswith("StatementRefused: "), statement
    assert rig.service.audit().clean


KEEPING = [
    "CREATE TEMP TABLE notes(text TEXT)",
    "SELECT set_config('search_path', 'nowhere', false)",
    "SELECT pg_advisory_lock(7)",
    "DECLARE all_notes CURSOR WITH HOLD FOR SELECT 1",
    "DO $$ BEGIN PERFORM set_config('search_path', 'nowhere', false); END $$",
    "/* a /* b */ c */ SET search_path TO nowhere",
    "SELECT setseed(0.5)",
]
LEFT = """
    SELECT (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()),
        (SELECT count(*) FROM pg_cursors), (SELECT count(*) FROM pg_class WHERE relpersistence = 't'),
        (SELECT setting FROM pg_settings WHERE name = 'search_path'),
        (SELECT setting FROM pg_settings WHERE name = 'lock_timeout')
"""


@pytest.mark.parametrize("taken_back", [False, True])
@pytest.mark.parametrize("statement", KEEPING)
def test_what_a_session_may_keep_is_cleared_before_anyone_else_has_it(
    postgres_url: str, statement: str, taken_back: bool
) -> None:
    ledger = open_ledger(f"{postgres_url}&pool=1")
    with closing(ledger):
        with ledger.read() as view:
            (clean,), ((served,),) = view.execute(LEFT), view.execute("SELECT pg_backend_pid()")
        with suppress(KeyError), ledger.transaction() as tx:
            tx.execute(statement)
            if taken_back:
                raise KeyError
        with ledger.transaction() as tx:
            assert tx.execute("SELECT pg_backend_pid()") == [(served,)]
            assert tx.execute(LEFT) == [clean]
            tx.add_task("T")


@pytest.mark.parametrize(
    "statement",
    [
        "SET LOCAL statement_timeout = 1000",
        "SET CONSTRAINTS ALL DEFERRED",
        "NOTIFY here",
        "SELECT pg_advisory_xact_lock(7)",
    ],
)
def test_what_ends_with_the_transaction_is_let_through(postgres_url: str, statement: str) -> None:
    with closing(open_ledger(postgres_url)) as ledger, ledger.transaction() as tx:
        tx.execute(statement)


def test_what_a_pragma_tells_can_be_read_as_a_table(tmp_path: Path) -> None:
    with closing(open_ledger(f"sqlite:///{tmp_path}/t.db")) as ledger, ledger.read() as view:
        assert view.execute("SELECT name FROM pragma_table_info('newel_meta')")
        assert view.execute("SELECT query_only FROM pragma_query_only") == [(0,)]


# ---------------------------------------------------------------- what no database holds

TORN, HUGE = "torn \udcff", 2**70

UNFIT: list[Any] = [
    lambda tx: tx.add_task(TORN),
    lambda tx: tx.task(TORN),
    lambda tx: tx.lock_task(TORN),
    lambda tx: tx.add_seat("T", "w", "a", role="reviewer", agent=TORN),
    lambda tx: tx.record_actions(1, [ActionReport("page", 0, ActionStatus.FAILED, TORN)]),
    lambda tx: tx.add_task("U", priority=HUGE),
    lambda tx: tx.reorder("T", HUGE),
]


@pytest.mark.parametrize("call", UNFIT, ids=range(len(UNFIT)))
def test_a_text_or_number_that_no_database_holds_is_refused_as_the_ledgers_own_error(make: Make, call: Any) -> None:
    rig = make(board())
    rig.service.create("T", "w")
    before = rig.service.tasks(), rig.service.history("T")
    with pytest.raises(LedgerUnavailable), rig.ledger.transaction() as tx:
        call(tx)
    assert (rig.service.tasks(), rig.service.history("T")) == before
    assert rig.service.move("T", "b").moved


# ---------------------------------------------------------------- views

ASKING = compiled(
    'guard writes\nworkflow w "W" { step a "A" { start\n on turn_complete { -> b when writes } }\nstep b "B" { } }'
)


@pytest.mark.parametrize("where", ["memory", "file"])
def test_en7_a_guard_that_writes_leaves_nothing_where_it_is_only_asked(tmp_path: Path, where: str) -> None:
    rig = Rig("memory:" if where == "memory" else f"sqlite:///{tmp_path}/t.db", ASKING)

    def writes(guard: Any, context: Context) -> bool:
        assert context.tx is not None
        context.tx.execute("INSERT INTO notes VALUES (1, 'asked')")
        return True

    rig.handlers.guard("writes")(writes)
    with closing(rig):
        rig.service.create("T", "w")
        assert rig.service.handle("T", "turn_complete", evaluate_only=True).kind == "moved"
        assert (rig.notes(), rig.service.task("T").step) == ([], "a")


# ---------------------------------------------------------------- the file


def test_sl1_a_file_that_was_deleted_or_replaced_takes_no_arrival_that_nobody_will_find(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with Service(board(), open_ledger(f"sqlite:///{path}")) as service:
        service.create("T", "w")
        away = path.rename(tmp_path / "away.db")
        for call in (lambda: service.move("T", "b"), lambda: service.task("T")):
            with pytest.raises(LedgerUnavailable, match="removed or replaced"):
                call()
        assert not path.exists()
        path.write_bytes(b"")
        with pytest.raises(LedgerUnavailable, match="removed or replaced"):
            service.move("T", "b")
        away.rename(path)
        assert service.move("T", "b").moved


VERSIONS = "CREATE TABLE newel_schema(version INTEGER)"


@pytest.mark.parametrize(
    "statements",
    [
        (VERSIONS,),
        (VERSIONS, "INSERT INTO newel_schema VALUES ('x')"),
        (VERSIONS, "INSERT INTO newel_schema VALUES (3)"),
        (VERSIONS, "INSERT INTO newel_schema VALUES (3)", "CREATE TABLE newel_meta(uuid)"),
    ],
    ids=range(4),
)
def test_sl6_a_file_that_holds_half_a_ledger_is_refused_by_name(tmp_path: Path, statements: tuple[str, ...]) -> None:
    path = tmp_path / "t.db"
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    with pytest.raises(LedgerUnavailable):
        open_ledger(f"sqlite:///{path}")


def test_a_path_with_a_nul_and_an_endless_timeout_are_no_accidents(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable, match="URL"):
        open_ledger("sqlite:///a%00b")
    url = f"sqlite:///{tmp_path}/t.db?timeout={'9' * 30}"
    with closing(open_ledger(url)) as one, closing(open_ledger(url)) as two:
        got: list[Task | None] = []
        with one.transaction():
            waiting = threading.Thread(target=lambda: got.append(_locked(two)))
            waiting.start()
            time.sleep(0.05)
        waiting.join(10)
        assert got == [None]


def _locked(ledger: Any) -> Task | None:
    with ledger.transaction() as tx:
        found: Task | None = tx.lock_task("T")
        return found


def test_se11_a_transaction_inside_another_is_refused_also_where_no_lock_is_in_its_way(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/t.db"
    with closing(open_ledger(url)) as ledger, closing(open_ledger(url)) as second:
        with ledger.read(), pytest.raises(InsideTransaction), ledger.transaction():
            pass
        with ledger.transaction(), pytest.raises(InsideTransaction), second.read():
            pass


# ---------------------------------------------------------------- a fork


@pytest.fixture
def child() -> Iterator[list[int]]:
    """Process ids to be ended, should they still be there."""
    begun: list[int] = []
    yield begun
    for pid in begun:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_ol4_a_service_made_after_a_fork_writes_though_a_thread_of_the_parent_was_about_to_end(
    tmp_path: Path, child: list[int]
) -> None:
    url = f"sqlite:///{tmp_path}/t.db?timeout=20"
    ledger = open_ledger(url)
    assert isinstance(ledger, SqliteLedger)
    last = ledger.transaction()
    assert ledger._writer.acquire(1, last.owner)  # as a thread has it that has just given back its connection
    ledger.close()
    pid = os.fork()
    if pid == 0:
        os._exit(_writes(url))
    child.append(pid)
    deadline = time.monotonic() + 10
    done, status = 0, -1
    while not done and time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        time.sleep(0.02)
    assert done, "the child waits for a lock that nobody there will let go of"
    child.clear()
    assert status == 0


def _writes(url: str) -> int:
    try:
        with Service(board(b=entering()), open_ledger(url)) as service:
            return 0 if service.create("T", "w").moved else 1
    except BaseException:
        return 2
