"""Any sequence of calls against what the contract says of it, on every ledger (R10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests import postgres
from tests.runtime.machine import Board

Url = Callable[[], str]


def plain(number: Iterator[int]) -> str:
    return f"plain:model-{next(number)}"


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

    class Here(Board):
        opened = staticmethod(opening)

    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert Counter(Here.calls).total() > examples
