"""Ledgers that several processes share, made and never opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import postgres
from tests.crash.hosting import Store, in_memory, prepare


@pytest.fixture
def quick_path() -> Iterator[Path]:
    """A folder in memory where there is such a thing, for files that no disk need hold."""
    with in_memory() as folder:
        yield folder


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, quick_path: Path) -> Store:
    """A prepared ledger of each sort."""
    url = f"sqlite:///{quick_path}/a.db?synchronous=NORMAL"
    if request.param == "postgresql":
        url = postgres.fresh(f"{request.getfixturevalue('postgres_server')}&application_name=crash-{quick_path.name}")
    prepare(url)
    return Store(url, quick_path / "marks")
