"""What PostgreSQL knows of a commit whose answer was lost (SL1), asked of a real server."""

from __future__ import annotations

import time
from collections.abc import Iterator

import psycopg
import pytest

from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.postgres import PostgresLedger

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
    with pytest.raises(Exception, match="whether it took effect is not known"):
        ledger.settle(number, began, psycopg.OperationalError("lost"))
