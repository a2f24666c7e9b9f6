"""Any sequence of calls against what the contract says of it, on every ledger (R10)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import postgres
from tests.runtime.machine import Board, sequences


@pytest.mark.slow
@pytest.mark.parametrize("sort", ["memory", "sqlite", "postgresql", "plain"])
def test_sl5_any_sequence_of_calls_ends_as_the_contract_says(
    sort: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """SL5, and with it SL1-SL4, SL8, SE1-SE8, EN1-EN13, LM1-LM3, Q1-Q6, ST1, ST2 and OB4."""
    opening: Any = {
        "memory": lambda: Board.open_url("memory:"),
        "sqlite": lambda: Board.open_file(tmp_path),
        "postgresql": lambda: Board.open_url(postgres.emptied(request.getfixturevalue("postgres_server"), 77)),
        "plain": Board.open_plain,
    }[sort]
    examples, steps = (200, 25) if sort == "memory" else (40, 15)
    came_to = sequences(opening, examples, steps)
    assert came_to.total() > examples
    assert came_to["moved"] > came_to["refused"] / 2
