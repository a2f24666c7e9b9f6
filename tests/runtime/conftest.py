"""Services on ledgers of their own, for all tests of the runtime."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from newel.compiler.program import Program
from tests import postgres
from tests.runtime.boards import Make, Rig


@pytest.fixture(params=["sqlite", "postgresql"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """Makes services on ledgers of their own, and closes them."""
    made: list[Rig] = []

    def url() -> str:
        if request.param == "sqlite":
            return f"sqlite:///{tmp_path}/{len(made)}.db?synchronous=NORMAL"
        return postgres.emptied(request.getfixturevalue("postgres_server"), len(made))

    def build(program: Program, **ports: Any) -> Rig:
        rig = Rig(url(), program, **ports)
        made.append(rig)
        return rig

    yield build
    for rig in made:
        rig.close()
