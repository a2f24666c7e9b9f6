"""What is known of a commit that failed, or whose answer was lost (SL1), and of a place that is new (LM2)."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator

import psycopg
import pytest

from newel.runtime.errors import LedgerUnavailable
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.postgres import PostgresLedger
from newel.runtime.ledgers.sqlite_waiting import refuse_commit
from newel.runtime.ports import Actor

PATIENCE = 20.0


@pytest.fixture
def ledger(postgres_url: str) -> Iterator[PostgresLedger]:
    opened = open_ledger(postgres_url)
    assert isinstance(opened, PostgresLedger)
    yield opened
    opened.close()


def committed(ledger: PostgresLedger) -> str:
    """The number of a transaction that is committed."""
    with ledger.transaction() as tx:
        tx.add_task("T")
        number = getattr(tx, "_xid", None)
    assert isinstance(number, str)
    return number


def test_sl1_a_number_that_nobody_has_had_yet_is_that_of_a_commit_that_was_lost(ledger: PostgresLedger) -> None:
    """A server that has crashed begins to count again where it had got to on the disk."""
    number = int(committed(ledger)) + 1_000_000
    assert ledger._status_of(str(number), time.monotonic()) == "aborted"


def test_sl1_after_a_checkpoint_a_commit_of_that_number_may_be_anothers(
    ledger: PostgresLedger, postgres_server: str
) -> None:
    """Before one it is ours: a recovery ends with a checkpoint, and there was none since the transaction began."""
    number, deadline = committed(ledger), time.monotonic() + PATIENCE
    began = time.monotonic()
    while ledger._status_of(number, began) != "committed":  # one from before that is too near
        assert time.monotonic() < deadline
        time.sleep(0.2)
        began = time.monotonic()
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
    assert ledger._status_of(number, began) is None
    with pytest.raises(LedgerUnavailable, match="whether it took effect is not known"):
        ledger.settle(number, began, psycopg.OperationalError("lost"))


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (sqlite3.SQLITE_IOERR_FSYNC, "whether it took effect is not known"),
        (sqlite3.SQLITE_IOERR_WRITE, "nothing of this transaction was committed"),
        (sqlite3.SQLITE_FULL, "nothing of this transaction was committed"),
    ],
)
def test_sl1_of_a_commit_that_could_not_be_synced_nobody_says_that_it_took_no_effect(code: int, said: str) -> None:
    """Its log is written: it is there again if the log is read anew."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    with pytest.raises(LedgerUnavailable, match=said):
        refuse_commit(error)


def test_lm2_who_is_just_arriving_where_a_place_is_new_is_counted(ledger: PostgresLedger) -> None:
    """An arrival that does not know the place yet is waited for, once for each place there ever is."""
    counted: list[int] = []

    def limited() -> None:
        with ledger.transaction() as tx:
            tx.lock_place("w", "b")
            counted.append(tx.occupied("w", "b"))

    counting = threading.Thread(target=limited)
    with ledger.transaction() as tx:
        task = tx.add_task("T")
        tx.arrive(task, "w", "b", route="unknown", actor=Actor(), session=None, revision="r")
        counting.start()
        counting.join(0.5)
        assert counting.is_alive()
    counting.join(PATIENCE)
    assert counted == [1]
