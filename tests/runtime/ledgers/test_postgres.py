"""The PostgreSQL ledger (SL1-SL6, R15): what it does beside what every ledger promises."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from typing import Any

import psycopg
import pytest
from psycopg import errors

from newel.runtime.errors import (
    Contended,
    InsideTransaction,
    LedgerUnavailable,
    SchemaTooNew,
    SchemaTooOld,
    WrongProcess,
)
from newel.runtime.ledgers import postgres_schema
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.postgres import PostgresLedger
from newel.runtime.ledgers.postgres_transaction import PostgresTransaction
from newel.runtime.ports import Actor
from newel.runtime.retrying import PAUSES, again
from newel.runtime.rows import Task
from tests.postgres import connect, schema_of

Hand = psycopg.Connection[tuple[Any, ...]]
ROW: dict[str, Any] = {"route": "unknown", "actor": Actor(), "session": None, "revision": "r"}


def opened(url: str, **options: Any) -> PostgresLedger:
    ledger = open_ledger(url, **options)
    assert isinstance(ledger, PostgresLedger)
    return ledger


@pytest.fixture
def ledger(postgres_url: str) -> Iterator[PostgresLedger]:
    found = opened(postgres_url)
    yield found
    found.close()


@pytest.fixture
def hand(postgres_url: str) -> Iterator[Hand]:
    """A connection of somebody else's to the ledger's schema."""
    with connect(postgres_url) as connection:
        yield connection


def arrive(ledger: PostgresLedger, name: str, step: str | None) -> int:
    with ledger.transaction() as tx:
        task = tx.lock_task(name) or tx.add_task(name)
        return tx.arrive(task, None if step is None else "w", step, **ROW)


def end(tx: PostgresTransaction, hand: Hand) -> None:
    """End the connection of a transaction, as a server does that is stopped."""
    ((mine,),) = tx.execute("SELECT pg_backend_pid()")
    assert hand.execute("SELECT pg_terminate_backend(%s, 5000)", (mine,)).fetchall() == [(True,)]


def end_idle(ledger: PostgresLedger, hand: Hand) -> None:
    """End a ledger's connection that is not in use."""
    with ledger.transaction() as tx:
        ((mine,),) = tx.execute("SELECT pg_backend_pid()")
    assert hand.execute("SELECT pg_terminate_backend(%s, 5000)", (mine,)).fetchall() == [(True,)]


# ---------------------------------------------------------------- SL1, SL2, SL3


@pytest.mark.parametrize("event", ["INSERT ON newel_rows", "UPDATE ON newel_tasks"])
def test_sl1_where_row_or_step_cannot_be_written_neither_is(ledger: PostgresLedger, hand: Hand, event: str) -> None:
    arrive(ledger, "T", "a")
    hand.execute("""CREATE FUNCTION no() RETURNS trigger AS $$ BEGIN RAISE 'full'; END $$ LANGUAGE plpgsql""")
    hand.execute(f"CREATE TRIGGER no BEFORE {event} EXECUTE FUNCTION no()".encode())
    with pytest.raises(LedgerUnavailable, match="full"):
        arrive(ledger, "T", "b")
    with ledger.read() as view:
        assert view.task("T") == Task("T", "w", "a", 1)
        assert [row.to_step for row in view.history("T")] == ["a"]


def test_sl1_every_id_is_taken_singly(ledger: PostgresLedger, hand: Hand) -> None:
    """A session that took ids in stock would give a task's next row a smaller one than its last."""
    query = "SELECT sequencename, cache_size FROM pg_sequences WHERE schemaname = current_schema()"
    sizes: dict[str, int] = dict(hand.execute(query).fetchall())
    assert "newel_rows_id_seq" in sizes
    assert set(sizes.values()) == {1}


@pytest.mark.parametrize("blank", ["session", "actor"])
def test_sl3_the_table_itself_refuses_blanks(ledger: PostgresLedger, blank: str) -> None:
    row = ROW | {
        "session": "" if blank == "session" else None,
        "actor": Actor("human", "" if blank == "actor" else None),
    }
    with pytest.raises(LedgerUnavailable, match="check constraint"), ledger.transaction() as tx:
        tx.arrive(tx.add_task("T"), "w", "a", **row)


def test_sl2_the_table_itself_refuses_a_row_where_nothing_changes(ledger: PostgresLedger) -> None:
    arrive(ledger, "T", "a")
    with pytest.raises(LedgerUnavailable, match="check constraint"):
        arrive(ledger, "T", "a")


def test_sl3_history_outlives_steps_only_runs_refer_to_their_task(ledger: PostgresLedger, hand: Hand) -> None:
    query = "SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND connamespace = %s::regnamespace"
    ((schema,),) = hand.execute("SELECT current_schema()").fetchall()
    assert hand.execute(query, (schema,)).fetchall() == [("newel_runs",)]


# ---------------------------------------------------------------- SL4


MOVER = """
import sys
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ports import Actor
ledger = open_ledger(sys.argv[1])
for number in range(40):
    with ledger.transaction() as tx:
        task = tx.lock_task("T")
        tx.arrive(task, "w", f"{sys.argv[2]}-{number}", route="unknown", actor=Actor(), session=None, revision="r")
"""


def test_sl4_processes_leave_one_chain(ledger: PostgresLedger, postgres_url: str) -> None:
    arrive(ledger, "T", "start")
    command = [sys.executable, "-W", "error", "-c", MOVER, postgres_url]
    children = [subprocess.Popen([*command, str(n)]) for n in range(4)]
    assert [child.wait(60) for child in children] == [0] * 4
    with ledger.read() as view:
        rows = view.history("T")
    assert len(rows) == 161
    assert [r.from_step for r in rows[1:]] == [r.to_step for r in rows[:-1]]


def test_sl4_who_only_refers_to_a_task_does_not_wait_for_its_mover(ledger: PostgresLedger, hand: Hand) -> None:
    arrive(ledger, "T", "a")
    hand.execute("CREATE TABLE mine(task TEXT REFERENCES newel_tasks(id))")
    hand.execute("SET lock_timeout = 100")
    with ledger.transaction() as tx:
        tx.lock_task("T")
        hand.execute("INSERT INTO mine VALUES ('T')")
        with pytest.raises(errors.LockNotAvailable):
            hand.execute("UPDATE newel_tasks SET position = 1 WHERE id = 'T'")


def test_sl8_a_run_is_not_left_behind_for_a_task_that_is_just_being_removed(ledger: PostgresLedger) -> None:
    for name in "TU":
        arrive(ledger, name, "a")
    said: list[str] = []

    def queue() -> None:
        try:
            with ledger.transaction() as tx:
                run: dict[str, Any] = {"step": "a", "agent": "ada", "reason": None, "payload": None, "entry_id": 2}
                tx.add_run("T", source="U", position=0, trigger="enter", key=None, **run)
        except LedgerUnavailable as error:
            said.append(str(error))

    with ledger.transaction() as tx:
        tx.lock_task("T")
        tx.remove_task("T")
        thread = threading.Thread(target=queue)
        thread.start()
        thread.join(0.2)
        assert thread.is_alive()  # it waits to see whether the task stays
    thread.join(10)
    assert "foreign key" in said[0]
    with ledger.read() as view:
        assert view.runs() == []


# ---------------------------------------------------------------- contention


def crossing(ledger: PostgresLedger, done: list[str]) -> list[threading.Thread]:
    """Two threads that lock T and U, each in the other's order, and cannot both have them."""
    gate = threading.Barrier(2)

    def go(first: str, second: str) -> None:
        met: list[bool] = []

        def work() -> None:
            with ledger.transaction() as tx:
                task = tx.lock_task(first)
                if not met:
                    met.append(True)
                    gate.wait(10)
                other = tx.lock_task(second)
                assert task is not None
                assert other is not None
                tx.arrive(task, "w", f"by {first}", **ROW)
                tx.arrive(other, "w", f"by {first}", **ROW)

        again(work)
        done.append(first)

    return [threading.Thread(target=go, args=pair) for pair in ("TU", "UT")]


def test_sl5_of_two_who_wait_for_each_other_one_is_done_anew(ledger: PostgresLedger) -> None:
    for name in "TU":
        arrive(ledger, name, "a")
    done: list[str] = []
    threads = crossing(ledger, done)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(done) == ["T", "U"]
    with ledger.read() as view:
        assert [len(view.history(name)) for name in "TU"] == [3, 3]


def test_sl5_a_conflict_inside_a_savepoint_gives_the_whole_transaction_up(ledger: PostgresLedger, hand: Hand) -> None:
    """Else the action that met it would be recorded as failed, though a retry cures it."""
    hand.execute("""CREATE FUNCTION no() RETURNS void AS $$ BEGIN RAISE SQLSTATE '40P01'; END $$ LANGUAGE plpgsql""")

    def act() -> None:
        with ledger.transaction() as tx:
            tx.add_task("T")
            with suppress(psycopg.Error), tx.savepoint():
                tx.execute("SELECT no()")
            assert not tx.active
            with pytest.raises(LedgerUnavailable):
                tx.add_task("U")

    with pytest.raises(Contended) as caught:
        act()
    assert isinstance(caught.value.__cause__, errors.DeadlockDetected)
    with ledger.read() as view:
        assert view.tasks() == []


def test_sl5_what_is_contended_is_done_anew_and_in_the_end_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newel.runtime.retrying.PAUSES", [0.0] * len(PAUSES))
    tries: list[int] = []

    def work() -> str:
        tries.append(1)
        if len(tries) <= limit:
            raise Contended
        return "done"

    limit = len(PAUSES)
    assert again(work) == "done"
    assert len(tries) == len(PAUSES) + 1
    limit = 10**6
    with pytest.raises(Contended):
        again(work)


def test_sl5_who_waits_too_long_is_told(postgres_url: str) -> None:
    ledger = opened(f"{postgres_url}&timeout=0.2")
    arrive(ledger, "T", "a")
    told: list[str] = []

    def second() -> None:
        try:
            arrive(ledger, "T", "b")
        except LedgerUnavailable as error:
            told.append(str(error))

    with ledger.transaction() as tx:
        tx.lock_task("T")
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(10)
    assert "waited too long" in told[0]
    assert "make it an outside action" in told[0]
    arrive(ledger, "T", "b")
    ledger.close()


def test_sl5_a_statement_that_takes_too_long_is_ended(postgres_url: str) -> None:
    ledger = opened(f"{postgres_url}&statement_timeout=0.1")
    with ledger.transaction() as tx:
        with pytest.raises(errors.QueryCanceled):
            tx.execute("SELECT pg_sleep(10)")
        tx.add_task("T")
    with ledger.read() as view:
        assert view.task("T") is not None
    ledger.close()


def test_sl5_more_threads_than_connections_wait_for_one(postgres_url: str) -> None:
    ledger = opened(f"{postgres_url}&pool=2&timeout=30")
    threads = [threading.Thread(target=arrive, args=(ledger, f"T{n}", "a")) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    with ledger.read() as view:
        assert len(view.tasks()) == 8
    short = opened(f"{postgres_url}&pool=1&timeout=0.1")
    other = opened(postgres_url.replace(schema_of(postgres_url), f"{schema_of(postgres_url)}_other"))
    with short.read(), other.transaction():
        told: list[BaseException] = []

        def third() -> None:
            try:
                short.read().__enter__()
            except LedgerUnavailable as error:
                told.append(error)

        thread = threading.Thread(target=third)
        thread.start()
        thread.join(10)
    assert "no connection" in str(told[0])
    for each in (ledger, short, other):
        each.close()


# ---------------------------------------------------------------- statements of the host's own


def test_sl5_a_failed_statement_takes_back_only_itself(ledger: PostgresLedger) -> None:
    with ledger.transaction() as tx:
        tx.execute("CREATE TABLE mine(x INTEGER PRIMARY KEY)")
        with pytest.raises(errors.UndefinedTable):
            tx.execute("SELECT * FROM nowhere")
        with tx.savepoint():
            with pytest.raises(errors.UndefinedTable):  # the first of its savepoint
                tx.execute("SELECT * FROM nowhere")
            tx.execute("INSERT INTO mine VALUES (1)")
            with pytest.raises(errors.UniqueViolation):  # a later one
                tx.execute("INSERT INTO mine VALUES (%s)", (1,))
            with pytest.raises(errors.UniqueViolation):  # right after a failed one
                tx.execute("INSERT INTO mine VALUES (1)")
            tx.execute("INSERT INTO mine VALUES (2)")
        with pytest.raises(ZeroDivisionError), tx.savepoint():
            tx.execute("INSERT INTO mine VALUES (3)")
            with tx.savepoint():
                tx.execute("INSERT INTO mine VALUES (4)")
            raise ZeroDivisionError
        assert tx.execute("SELECT x FROM mine ORDER BY x") == [(1,), (2,)]
        tx.add_task("T")
    with ledger.read() as view:
        with pytest.raises(errors.ReadOnlySqlTransaction):
            view.execute("INSERT INTO mine VALUES (5)")
        assert view.execute("SELECT count(*) FROM mine") == [(2,)]
        assert view.task("T") is not None


@pytest.mark.parametrize(
    "statement",
    ["COMMIT", " begin", "-- so\nROLLBACK", "/* so */ abort", ";end", "start  transaction", "SAVEPOINT a",
     "release newel_0", "PREPARE TRANSACTION 'x'"],
)  # fmt: skip
def test_se11_the_transaction_is_not_a_statements_to_end(ledger: PostgresLedger, statement: str) -> None:
    with ledger.transaction() as tx:
        with pytest.raises(InsideTransaction):
            tx.execute(statement)
        assert tx.active


@pytest.mark.parametrize("params", [(), (1,), {"x": 1}])
def test_se11_nor_is_it_in_the_second_half_of_one(ledger: PostgresLedger, params: Any) -> None:
    first = "SELECT 1" if not params else "SELECT %(x)s" if isinstance(params, dict) else "SELECT %s"
    with ledger.transaction() as tx:
        with pytest.raises(errors.SyntaxError):
            tx.execute(f"{first}; COMMIT", params)
        tx.add_task("T")
        assert tx.active


def test_sl5_signs_of_parameters_are_only_signs_where_there_are_none(ledger: PostgresLedger) -> None:
    with ledger.transaction() as tx:
        assert tx.execute("SELECT '100%', '%s'") == [("100%", "%s")]
        assert tx.execute("SELECT %(a)s::int + %(b)s", {"a": 1, "b": 2}) == [(3,)]
        assert tx.execute("SET LOCAL work_mem = '1MB'") == []


# ---------------------------------------------------------------- lost connections


def test_sl5_a_connection_that_the_server_has_closed_is_replaced(ledger: PostgresLedger, hand: Hand) -> None:
    arrive(ledger, "T", "a")
    end_idle(ledger, hand)
    arrive(ledger, "T", "b")
    with ledger.read() as view:
        assert [row.to_step for row in view.history("T")] == ["a", "b"]


def test_sl5_a_connection_that_cannot_be_cleaned_is_not_used_again(ledger: PostgresLedger, hand: Hand) -> None:
    connection = ledger.check_out("BEGIN")
    connection.execute("SET application_name = 'left behind'")
    connection.execute("COMMIT")
    hand.execute("SELECT pg_terminate_backend(%s, 10000)", (connection.info.backend_pid,))
    ledger.check_in(connection, stained=True)
    assert connection.closed
    with ledger.read() as view:
        assert view.execute("SHOW application_name") != [("left behind",)]


@pytest.mark.parametrize("part", ["statement", "savepoint", "back", "many", "own", "read"])
def test_sl5_a_connection_lost_in_a_transaction_is_a_typed_error_and_leaves_nothing(
    ledger: PostgresLedger, hand: Hand, part: str
) -> None:
    arrive(ledger, "T", "a")

    def lose() -> None:
        with ledger.transaction() as tx:
            task = tx.lock_task("T")
            assert task is not None
            tx.arrive(task, "w", "b", **ROW)
            if part == "back":
                with tx.savepoint():
                    end(tx, hand)
                    raise ZeroDivisionError
            end(tx, hand)
            if part == "own":
                with pytest.raises(psycopg.OperationalError):
                    tx.execute("SELECT 1")
                assert not tx.active
            elif part == "savepoint":
                with tx.savepoint():
                    pass
            elif part == "many":
                tx.record_actions(1, [])
            elif part == "read":
                with ledger.read() as view:
                    view.tasks()
            else:
                tx.lock_task("T")

    with pytest.raises(LedgerUnavailable):
        lose()
    assert arrive(ledger, "T", "c") > 0
    with ledger.read() as view:
        assert [row.to_step for row in view.history("T")] == ["a", "c"]


class Cut:
    """Stands between a ledger and its connection: the answer to one COMMIT gets lost, after it was made or instead."""

    def __init__(self, cursor: Any, connection: Any, *, made: bool) -> None:
        self._cursor, self._connection, self._made = cursor, connection, made

    def execute(self, sql: str, *params: Any, **options: Any) -> Any:
        if sql != "COMMIT":
            return self._cursor.execute(sql, *params, **options)
        if self._made:
            self._cursor.execute(sql)
        self._connection.pgconn.finish()
        raise psycopg.OperationalError("the connection is lost")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)


def commit_cut(ledger: PostgresLedger, *, made: bool, locks: bool = True) -> None:
    with ledger.transaction() as tx:
        tx._cursor = Cut(tx._cursor, tx._connection, made=made)  # type: ignore[assignment]  # what of it is used
        if locks:
            task = tx.lock_task("T")
            assert task is not None
            tx.arrive(task, "w", "b", **ROW)
        else:
            tx.keep_program("r", "text")


def test_sl1_a_commit_whose_answer_is_lost_is_asked_about(ledger: PostgresLedger) -> None:
    """It took effect, so the caller goes on: the entry is run."""
    arrive(ledger, "T", "a")
    commits = ledger.commits
    commit_cut(ledger, made=True)
    assert ledger.commits == commits + 1
    with ledger.read() as view:
        assert [row.to_step for row in view.history("T")] == ["a", "b"]


def test_sl1_a_commit_that_was_not_made_is_told(ledger: PostgresLedger) -> None:
    arrive(ledger, "T", "a")
    with pytest.raises(LedgerUnavailable, match="nothing of this transaction was committed"):
        commit_cut(ledger, made=False)
    with ledger.read() as view:
        assert [row.to_step for row in view.history("T")] == ["a"]


def test_sl1_a_commit_that_locked_no_task_is_asked_about_too(ledger: PostgresLedger) -> None:
    """As that of a claim is: whoever has runs without knowing it keeps others from them."""
    with pytest.raises(LedgerUnavailable, match="nothing of this transaction was committed"):
        commit_cut(ledger, made=False, locks=False)
    with ledger.read() as view:
        assert view.program("r") is None
    commit_cut(ledger, made=True, locks=False)
    with ledger.read() as view:
        assert view.program("r") == "text"


def test_sl1_a_claim_whose_answer_is_lost_is_settled(ledger: PostgresLedger) -> None:
    arrive(ledger, "T", "a")
    run: dict[str, Any] = {"source": "T", "step": "a", "agent": "ada", "reason": None, "payload": None}
    with ledger.transaction() as tx:
        tx.add_run("T", **run, entry_id=None, position=0, trigger="comment", key=None)
    with ledger.transaction() as tx:
        tx._cursor = Cut(tx._cursor, tx._connection, made=True)  # type: ignore[assignment]  # what of it is used
        (claimed,) = tx.claim_runs("w", 1, 60.0)
    with ledger.read() as view:
        assert [(found.id, found.worker) for found in view.runs()] == [(claimed.id, "w")]


def test_sl1_a_commit_that_nobody_answers_for_in_time_is_told_as_such(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = opened(f"{postgres_url}&timeout=0.1")
    arrive(ledger, "T", "a")

    def gone(self: PostgresLedger) -> None:
        raise LedgerUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(PostgresLedger, "_connect", gone)
        with pytest.raises(LedgerUnavailable, match="is not known"):
            commit_cut(ledger, made=True)
    ledger.close()


@pytest.mark.parametrize("inside", [True, False])
def test_sl5_whoever_passes_over_an_error_of_the_ledger_itself_does_not_commit(
    ledger: PostgresLedger, inside: bool
) -> None:
    arrive(ledger, "T", "a")

    def pass_over() -> None:
        with ledger.transaction() as tx, tx.savepoint() if inside else nullcontext():
            task = tx.lock_task("T")
            assert task is not None
            tx.reorder("T", 3)
            with suppress(LedgerUnavailable):
                tx.arrive(task, "w", "a", **ROW)

    with pytest.raises(LedgerUnavailable, match="ended before its time"):
        pass_over()
    with ledger.read() as view:
        assert view.task("T") == Task("T", "w", "a", 1)


def test_sl1_a_commit_that_the_database_refuses_leaves_nothing(ledger: PostgresLedger, hand: Hand) -> None:
    hand.execute("CREATE TABLE mine(x INTEGER, UNIQUE (x) DEFERRABLE INITIALLY DEFERRED)")
    with pytest.raises(LedgerUnavailable, match="unique"), ledger.transaction() as tx:
        tx.add_task("T")
        for _ in range(2):
            tx.execute("INSERT INTO mine VALUES (1)")
    with ledger.read() as view:
        assert view.tasks() == []


def test_sl1_a_commit_that_stood_in_anothers_way_may_be_made_anew(ledger: PostgresLedger, hand: Hand) -> None:
    hand.execute("CREATE TABLE mine(x INTEGER)")
    hand.execute("CREATE FUNCTION no() RETURNS trigger AS $$ BEGIN RAISE SQLSTATE '40P01'; END $$ LANGUAGE plpgsql")
    hand.execute("""
        CREATE CONSTRAINT TRIGGER no AFTER INSERT ON mine DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION no()
    """)
    with pytest.raises(Contended), ledger.transaction() as tx:
        tx.add_task("T")
        tx.execute("INSERT INTO mine VALUES (1)")
    with ledger.read() as view:
        assert view.tasks() == []


def test_sl1_a_commit_that_is_still_on_its_way_is_asked_about_again(
    ledger: PostgresLedger, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server notices late that somebody has gone, and the transaction is open until then."""
    arrive(ledger, "T", "a")
    answers = iter(["in progress", "in progress"])
    asked = PostgresLedger._connect

    def late(self: PostgresLedger) -> Any:
        connection = asked(self)
        if (answer := next(answers, None)) is None:
            return connection
        connection.close()
        return Answering(answer)

    monkeypatch.setattr(PostgresLedger, "_connect", late)
    commit_cut(ledger, made=True)
    with ledger.read() as view:
        assert [row.to_step for row in view.history("T")] == ["a", "b"]


class Answering:
    """A connection to a server that says of every transaction the same."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def __enter__(self) -> Answering:
        return self

    def __exit__(self, *args: object) -> None:
        pass

    def execute(self, *args: object) -> Answering:
        return self

    def fetchall(self) -> list[tuple[str, bool]]:
        return [(self._answer, False)]


def test_sl5_a_transaction_that_the_database_does_not_begin_is_told(
    ledger: PostgresLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("newel.runtime.ledgers.postgres_transaction._WRITE", "BEGIN NOTHING")
    with pytest.raises(LedgerUnavailable, match="syntax error"):
        arrive(ledger, "T", "a")
    monkeypatch.undo()
    assert arrive(ledger, "T", "a") == 1


@pytest.mark.parametrize("option", ["timeout", "statement_timeout"])
def test_sl5_a_setting_that_the_server_refuses_is_told(postgres_url: str, option: str) -> None:
    with pytest.raises(LedgerUnavailable, match="invalid value for parameter"):
        open_ledger(f"{postgres_url}&{option}=999999999")


def test_sl5_an_interruption_while_connecting_passes(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PostgresLedger, "_configure", interrupted)
    with pytest.raises(KeyboardInterrupt):
        open_ledger(f"{postgres_url}&connect_timeout=5")
    monkeypatch.undo()
    opened(f"{postgres_url}&connect_timeout=5").close()


def test_ol4_in_another_process_it_is_the_wrong_one(ledger: PostgresLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fork itself is among the promises; here is what the child sees, where it can be counted."""
    with monkeypatch.context() as child:
        child.setattr("os.getpid", lambda: -1)
        with pytest.raises(WrongProcess):
            arrive(ledger, "T", "a")
        ledger.close()
    assert arrive(ledger, "T", "a") == 1


# ---------------------------------------------------------------- SL6


def test_sl6_migrations_run_forward_and_again(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = opened(postgres_url)
    arrive(first, "T", "a")
    later = (
        *postgres_schema.MIGRATIONS,
        ("CREATE TABLE newel_later(x INTEGER)",),
        ("INSERT INTO newel_later VALUES (1)",),
    )
    monkeypatch.setattr(postgres_schema, "MIGRATIONS", later)
    with pytest.raises(SchemaTooOld):
        open_ledger(postgres_url, migrate=False)
    for migrate in (True, True, False):
        ledger = opened(postgres_url, migrate=migrate)
        with ledger.read() as view:
            assert view.execute("SELECT x FROM newel_later") == [(1,)]
            assert view.task("T") is not None
        assert ledger.uuid == first.uuid
        ledger.close()
    monkeypatch.undo()
    for migrate in (True, False):
        with pytest.raises(SchemaTooNew):
            open_ledger(postgres_url, migrate=migrate)
    first.close()


def test_sl6_tables_are_made_where_transactions_only_read_unless_they_say_otherwise(postgres_url: str) -> None:
    setting = "options=-c%20default_transaction_read_only%3Don%20"
    url = postgres_url.replace("options=", setting) if "options=" in postgres_url else f"{postgres_url}&{setting}"
    made = opened(url)
    arrive(made, "T", "a")
    with made.read() as view:
        assert view.execute("SHOW default_transaction_read_only") == [("on",)]
        assert [task.id for task in view.tasks()] == ["T"]
    made.close()


def test_sl6_a_migration_that_fails_leaves_nothing_half_done(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(postgres_url).close()
    later = (*postgres_schema.MIGRATIONS, ("CREATE TABLE newel_later(x INTEGER)", "INSERT INTO nowhere VALUES (1)"))
    monkeypatch.setattr(postgres_schema, "MIGRATIONS", later)
    with pytest.raises(LedgerUnavailable, match="nowhere"):
        open_ledger(postgres_url)
    monkeypatch.undo()
    ledger = opened(postgres_url)
    with ledger.read() as view:
        assert view.execute("SELECT to_regclass('newel_later')") == [(None,)]
    ledger.close()


OPEN = """
import sys
from newel.runtime.ledgers.opening import open_ledger
print(open_ledger(sys.argv[1]).uuid)
"""


def test_sl6_processes_that_start_at_once_make_one_schema(postgres_url: str) -> None:
    for number in range(3):
        command = [sys.executable, "-W", "error", "-c", OPEN, f"{postgres_url}_{number}"]
        children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        said = {child.communicate(timeout=60)[0] for child in children}
        assert [child.returncode for child in children] == [0, 0, 0]
        assert len(said) == 1


def test_sl6_a_ledger_lives_in_the_schema_it_is_told(postgres_url: str) -> None:
    odd = f"{schema_of(postgres_url)}%20%22x%22%2Cy"
    other = opened(postgres_url.replace(schema_of(postgres_url), odd))
    mine = opened(postgres_url, migrate=False)
    assert mine.uuid != other.uuid
    with other.read() as view:
        assert view.execute("SELECT current_schema()") == [(f'{schema_of(postgres_url)} "x",y',)]
    path = postgres_url.replace("&options=", f"&options=-c%20search_path%3D{schema_of(postgres_url)}%20")
    by_path = opened(path.rpartition("&schema=")[0])
    assert by_path.uuid == mine.uuid
    for ledger in (mine, other, by_path):
        ledger.close()


def test_sl6_who_may_not_make_a_schema_uses_one_that_is_there(postgres_url: str, hand: Hand) -> None:
    schema = schema_of(postgres_url)
    role = f"role_{schema}"
    hand.execute(f"CREATE ROLE {role} LOGIN".encode())
    url = postgres_url.replace("postgres:@", f"{role}:@")
    with pytest.raises(LedgerUnavailable, match="permission denied"):
        open_ledger(url)
    hand.execute(f"CREATE SCHEMA {schema} AUTHORIZATION {role}".encode())
    opened(url).close()


# ---------------------------------------------------------------- R15, URLs


BAD = [
    "postgresql://ada@host/db?connect_timeout=CANARY",
    "postgresql://ada:CANARY@127.0.0.1:1/db",
    "postgresql://ada:CANARY@no.such.host.invalid/db",
    "postgresql://ada:CAN@CANARY@host/db",
    "postgresql://ada:x/CANARY@host/db",
    "postgresql://ada:x#CANARY@host/db",
    "postgresql://ada:CANARY@host:port/db",
    "postgresql://ada@host/db?passwort=CANARY",
    "postgresql://ada@host/db?pool=CANARY",
    "postgresql://ada@host/db?pool=0",
    "postgresql://ada@host/db?schema=",
    "postgresql://ada:CANARY@[::1/db",
]


@pytest.mark.parametrize("url", BAD)
def test_r15_a_bad_url_is_an_error_that_keeps_the_password(url: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(LedgerUnavailable) as caught:
        open_ledger(url)
    error: BaseException | None = caught.value
    while error is not None:
        assert "CANARY" not in f"{error} {error!r}"
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    assert "CANARY" not in caplog.text


def test_r15_a_ledger_shows_neither_its_url_nor_its_password(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    url = postgres_url.replace("postgres:@", "postgres:CANARY@")
    assert "CANARY" in url
    with caplog.at_level(logging.DEBUG), connect(postgres_url) as hand:
        ledger = opened(f"{url}")
        assert repr(ledger) == f"<PostgresLedger {ledger.uuid}>"
        arrive(ledger, "T", "a")
        end_idle(ledger, hand)
        with pytest.raises(LedgerUnavailable) as caught, ledger.transaction() as tx:
            assert "CANARY" not in f"{tx!r} {tx._connection!r}"
            end(tx, hand)
            tx.add_task("U")
        ledger.close()
    assert "CANARY" not in f"{caught.value!r} {caught.value.__cause__!r} {caplog.text}"


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_sl5_texts_are_texts_whatever_encoding_the_session_is_set_to(postgres_url: str, encoding: str) -> None:
    url = f"{postgres_url.replace('&options=', f'&options=-c%20client_encoding%3D{encoding}%20')}"
    assert encoding in url
    ledger = opened(url)
    arrive(ledger, "T\u00fcr\u2192", "a")
    with ledger.transaction() as tx:
        tx.execute("SELECT set_config('application_name', 'x', false)")  # so that the session is cleaned afterwards
    with ledger.read() as view:
        assert [(task.id, task.step) for task in view.tasks()] == [("T\u00fcr\u2192", "a")]
        assert view.execute("SHOW client_encoding") == [("UTF8",)]
    ledger.close()


def test_sl5_without_the_driver_the_extra_is_named() -> None:
    code = """
import sys
sys.modules["psycopg"] = None
from newel.runtime.errors import LedgerUnavailable
from newel.runtime.ledgers.opening import open_ledger
try:
    open_ledger("postgresql://host/db")
except LedgerUnavailable as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'newel[postgres]'" in done.stdout


def test_sl5_an_interruption_while_beginning_leaves_the_ledger_usable(
    ledger: PostgresLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrive(ledger, "T", "a")

    def interrupted(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(psycopg.Connection, "execute", interrupted)
    with pytest.raises(KeyboardInterrupt):
        arrive(ledger, "T", "b")
    monkeypatch.undo()
    assert arrive(ledger, "T", "c") > 1
