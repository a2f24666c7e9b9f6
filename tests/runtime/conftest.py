"""Services on files of their own, for all tests of the runtime."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from newel.compiler.program import Program
from tests.runtime.boards import Make, Rig


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes services on files of their own, and closes them."""
    made: list[Rig] = []

    def build(program: Program, **ports: Any) -> Rig:
        rig = Rig(tmp_path / f"{len(made)}.db", program, **ports)
        made.append(rig)
        return rig

    yield build
    for rig in made:
        rig.close()
