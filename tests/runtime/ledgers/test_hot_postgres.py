"""Sixteen processes on one PostgreSQL move three tasks: nobody fails, nobody starves, the chain holds (R5)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from newel.compiler.pipeline import compile_text
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.service import Service
from tests import postgres
from tests.runtime.ledgers.hot import BOARD, TASKS

PROCESSES, SECONDS = 16, 5.0


@pytest.mark.slow
def test_sl4_many_processes_move_few_tasks(postgres_server: str) -> None:
    """SL4, SL5: no broken chain, no lock error, no wait of more than 100 times the median call."""
    url = postgres.fresh(postgres_server, durable=True)
    command = [
        sys.executable,
        "-W",
        "error",
        str(Path(__file__).with_name("hot.py")),
        url,
        str(PROCESSES),
        str(SECONDS),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["failed"] == []
    assert said["calls"] > 10 * PROCESSES
    assert said["lost"] > 0
    assert said["longest"] < 100 * said["median"]
    with Service(compile_text(BOARD).require(), open_ledger(url)) as service:
        assert service.audit().clean
        assert sum(len(service.history(task)) for task in TASKS) > len(TASKS)
