"""Every ledger keeps every promise (SL5): the public suite against SQLite with and without a file, PostgreSQL, and one
that others brought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from newel.runtime.testing import LedgerPromises
from tests import postgres
from tests.runtime.ledgers import site
from tests.runtime.ledgers.plain_ledger import database_of


class Sql(LedgerPromises):
    """A ledger with statements, where an index keeps two runs of one key from being there."""

    statements = (
        "DROP INDEX newel_runs_key",
        "UPDATE newel_runs SET (key, cause) = (SELECT key, cause FROM newel_runs WHERE id = ?) WHERE id = ?",
    )

    def double(self, first: int, second: int) -> None:
        drop, update = self.statements
        with self.ledger.transaction() as tx:
            tx.execute(drop)
            tx.execute(update, (first, second))


class TestSqliteFile(Sql):
    def url(self, folder: Path) -> str:
        return f"sqlite:///{folder}/ledger.db?synchronous=NORMAL"


class TestSqliteMemory(Sql):
    durable = shared = False

    def url(self, folder: Path) -> str:
        return "memory:"


class TestPostgres(Sql):
    server: str
    statements = (
        "ALTER TABLE newel_runs DROP CONSTRAINT newel_runs_key",
        "UPDATE newel_runs SET (key, cause) = (SELECT key, cause FROM newel_runs WHERE id = %s) WHERE id = %s",
    )

    def url(self, folder: Path) -> str:
        return postgres.fresh(self.server)


@pytest.fixture(autouse=True, scope="module")
def _server(postgres_server: str) -> None:
    TestPostgres.server = postgres_server


class TestPlain(LedgerPromises):
    def url(self, folder: Path) -> str:
        return f"plain:{folder}"

    def double(self, first: int, second: int) -> None:
        with self.ledger.transaction():
            tables = database_of(self._url).tables
            tables.runs[second] = replace(tables.runs[second], key=tables.runs[first].key)
            tables.triggers[second] = tables.triggers[first]


@pytest.fixture(autouse=True, scope="module")
def _plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with site.installed(tmp_path_factory.mktemp("site"), "plain", "tests.runtime.ledgers.plain_ledger:open_plain"):
        yield
