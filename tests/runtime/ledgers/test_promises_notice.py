"""The suite of a ledger's promises notices a ledger that breaks one: each of many wrong ledgers fails the test that is
about what is wrong with it, and none holds it up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from newel.runtime.testing import LedgerPromises
from tests.runtime.ledgers import site
from tests.runtime.ledgers.wrong_ledgers import EDITS, SUBCLASSES, database_of, edited

WRONG = {name: test for name, (_, test) in SUBCLASSES.items()} | {str(n): edit["test"] for n, edit in enumerate(EDITS)}
NAMES = {**{name: name for name in SUBCLASSES}, **{str(n): edit["why"] for n, edit in enumerate(EDITS)}}

HANG = {"OnlyOneOpening", "PageAfterPageOfAnAudit", "WaitsForItself"}
"""Those with which a call never ends."""


class Suite(LedgerPromises):
    """The public suite, as somebody would subclass it for his ledger."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.patience = 3.0 if name in HANG else super().patience

    def url(self, folder: Path) -> str:
        return f"wrong:{self.name}:{folder}"

    def double(self, first: int, second: int) -> None:
        folder = self._url.split(":", 2)[2]
        of = edited(int(self.name)).database_of if self.name.isdigit() else database_of
        with self.ledger.transaction():
            tables = of(f"plain:{folder}" if self.name.isdigit() else self._url).tables
            tables.runs[second] = replace(tables.runs[second], key=tables.runs[first].key)
            tables.triggers[second] = tables.triggers[first]


@pytest.fixture(autouse=True, scope="module")
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with site.installed(tmp_path_factory.mktemp("site"), "wrong", "tests.runtime.ledgers.wrong_ledgers:open_wrong"):
        yield


def failure(name: str, test: str) -> Exception | None:
    """What that test of the suite says of a ledger."""
    suite = Suite(name)
    try:
        suite.setup_method()
        run: Callable[[], Any] = getattr(suite, test)
        run()
    except Exception as error:
        return error
    finally:
        with suppress(Exception):  # what is wrong with a ledger may well keep it from being closed
            suite.teardown_method()
    return None


@pytest.mark.parametrize("name", WRONG, ids=lambda name: NAMES[name].replace(" ", "_"))
def test_sl5_a_wrong_ledger_fails(name: str) -> None:
    """The test that is about it fails; where a call of the ledger never ends it says so, and where."""
    error = failure(name, WRONG[name])
    assert error is not None, f"{NAMES[name]}: {WRONG[name]} has not noticed"
    assert ("it is still at" in str(error)) == (name in HANG)
