"""Any sequence of calls against what the contract says of it, on every ledger (R10); and that the model can tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import postgres
from tests.runtime.machine import Board, sequences
from tests.runtime.reach import NOTICED, REACH, noticed, within_reach

EXAMPLES, STEPS, FEWER = 200, 20, 12
KINDS = {
    "moved",
    "stayed",
    "queued",
    "pending_approval",
    "abandoned",
    "idempotent",
    "already_there",
    "refused",
    "failed",
}


@pytest.mark.slow
@pytest.mark.timeout(1800)  # a machine may be busy with other things
@pytest.mark.parametrize("sort", ["memory", "sqlite", "postgresql", "plain"])
def test_sl5_any_sequence_of_calls_ends_as_the_contract_says(
    sort: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """SL5, and with it SL1-SL4, SL7, SL8, SE1-SE9, EN1-EN17, LM1-LM3, Q1-Q6, ST1-ST3, OL1, OL2, OB1 and OB4."""
    opening: Any = {
        "memory": lambda: Board.open_url("memory:"),
        "sqlite": lambda: Board.open_file(tmp_path),
        "postgresql": lambda: Board.open_url(postgres.emptied(request.getfixturevalue("postgres_server"), 77)),
        "plain": Board.open_plain,
    }[sort]
    came_to = sequences(opening, EXAMPLES, STEPS if sort != "postgresql" else FEWER)
    assert came_to.total() > 5 * EXAMPLES
    assert came_to["moved"] > came_to["refused"] / 2
    assert came_to.keys() >= KINDS


def test_r10_every_edit_that_the_model_is_to_notice_is_there() -> None:
    assert sorted({edit.why for edit in within_reach()}) == sorted(REACH)
    assert len(REACH) >= 12


@pytest.mark.slow
@pytest.mark.parametrize("why", ["an applied delivery runs again", "a move is dispatched twice"])
def test_r10_the_model_notices_a_broken_promise(why: str, tmp_path: Path) -> None:
    """Two of them; `make torture ARGS=reach` tries all."""
    (edit,) = [edit for edit in within_reach() if edit.why == why]
    done = noticed(edit, tmp_path, EXAMPLES)
    assert done.returncode == NOTICED, done.stdout + done.stderr
