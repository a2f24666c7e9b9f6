"""Many processes move three tasks of one ledger: nobody fails, nobody starves, the chain holds (R5)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from newel.compiler.pipeline import compile_text
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.service import Service
from tests import postgres
from tests.runtime.ledgers.hot import BOARD, TASKS

SECONDS = 5.0


def moved_about(url: str, processes: int, seconds: float) -> tuple[dict[str, Any], bool]:
    """What so many movers met, and whether the chain holds afterwards."""
    command = [
        sys.executable,
        "-W",
        "error",
        str(Path(__file__).with_name("hot.py")),
        url,
        str(processes),
        str(seconds),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120 + seconds, check=False)
    assert done.returncode == 0, done.stderr
    with Service(compile_text(BOARD).require(), open_ledger(url)) as service:
        assert sum(len(service.history(task)) for task in TASKS) > len(TASKS)
        return json.loads(done.stdout), service.audit().clean


@pytest.mark.slow
@pytest.mark.parametrize(("sort", "processes"), [("sqlite", 8), ("postgresql", 16)])
def test_sl4_many_processes_move_few_tasks(
    sort: str, processes: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """SL4, SL5: no broken chain, no lock error, no wait of more than 100 times the median call."""
    url = f"sqlite:///{tmp_path}/hot.db"
    if sort == "postgresql":
        url = postgres.fresh(request.getfixturevalue("postgres_server"), durable=True)
    said, clean = moved_about(url, processes, SECONDS)
    assert said["failed"] == []
    assert said["calls"] > 10 * processes
    assert said["lost"] > 0
    assert said["longest"] < 100 * said["median"]
    assert clean
