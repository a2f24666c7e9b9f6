"""Ledgers that several processes share, made and never opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import postgres
from tests.crash.hosting import Store, prepare


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """A prepared ledger of each sort."""
    url = f"sqlite:///{tmp_path}/a.db?synchronous=NORMAL"
    if request.param == "postgresql":
        url = postgres.fresh(f"{request.getfixturevalue('postgres_server')}&application_name=crash-{tmp_path.name}")
    prepare(url)
    return Store(url, tmp_path / "marks")
