"""What is no URL, and what is no ledger, to typed errors that repeat nothing secret."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import pytest

from newel.runtime.errors import BadArgument, LedgerUnavailable
from newel.runtime.ledgers.opening import open_ledger
from tests import postgres


@pytest.mark.parametrize("url", [Path("CANARY.db"), b"postgresql://u:CANARY@h/d", None, 5])
def test_a_url_is_a_text(url: Any) -> None:
    """As every argument of a service is looked at; what was given may hold a password, and is not repeated."""
    with pytest.raises(BadArgument, match="open_ledger: `url` takes a text, not a ") as caught:
        open_ledger(url)
    assert "CANARY" not in repr(caught.value)
    assert ("sqlite:///PATH" in str(caught.value)) is isinstance(url, Path)


@pytest.mark.parametrize("migrate", ["no", 0, None])
def test_to_migrate_is_yes_or_no(migrate: Any) -> None:
    """`"no"` would migrate."""
    with pytest.raises(BadArgument, match="`migrate` takes True or False"):
        open_ledger("memory:", migrate=migrate)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:CANARY\udcff@127.0.0.1:1/d",
        "postgresql://u:CANARY\ud800@127.0.0.1:1/d",
        "postgresql://u:CANARY\0@127.0.0.1:1/d",
        "postgresql://u:CANARY%FF@127.0.0.1:1/d",
        "postgresql://%FF:CANARY@127.0.0.1:1/d",
        "postgresql://u@127.0.0.1:1/d?password=CANARY&dbname%FF=x",
        "sqlite:///CANARY\ud800.db",
        "CANARY\ud800",
    ],
)
def test_r15_a_url_that_is_no_text_of_unicode_is_an_error_that_does_not_repeat_it(url: str) -> None:
    with pytest.raises(LedgerUnavailable) as caught:
        open_ledger(url)
    shown = "".join(traceback.format_exception(caught.value, limit=0))
    assert "CANARY" not in f"{caught.value!r} {caught.value.__cause__!r} {shown}"


@pytest.mark.parametrize("statement", [b"DELETE FROM newel_schema", b"DELETE FROM newel_meta"])
def test_sl5_a_damaged_schema_is_a_typed_error(postgres_url: str, statement: bytes) -> None:
    """As a damaged file of SQLite is."""
    open_ledger(postgres_url).close()
    with postgres.connect(postgres_url) as connection:
        connection.execute(statement)
    for migrate in (True, False):
        with pytest.raises(LedgerUnavailable, match="damaged"):
            open_ledger(postgres_url, migrate)
