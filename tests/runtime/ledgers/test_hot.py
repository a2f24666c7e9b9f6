"""Many processes move few tasks of one ledger: nobody fails, nobody starves, no limit is passed (R5)."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.service import Service
from tests import postgres
from tests.runtime.ledgers.hot import BOARDS, LIMIT

SECONDS = 5.0
ATTEMPTS = 3
SIX = 6
STARVED = "somebody waited more than 100 medians"


def moved_about(url: str, processes: int, seconds: float, which: str = "few") -> tuple[dict[str, Any], list[str]]:
    """What so many movers met, and what is wrong with it."""
    command = [
        sys.executable,
        "-W",
        "error",
        str(Path(__file__).with_name("hot.py")),
        url,
        str(processes),
        str(seconds),
        which,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120 + seconds, check=False)
    assert done.returncode == 0, done.stderr
    said, board = json.loads(done.stdout), BOARDS[which]
    wrong: list[str] = [*said["failed"]]
    with Service(board.program(), open_ledger(url)) as service:
        assert sum(len(service.history(task)) for task in board.tasks) > len(board.tasks)
        wrong += [str(item) for item in service.audit().findings]
        if board.limited is None:
            wrong += [STARVED] * (said["longest"] > 100 * said["median"])
        else:
            said["most by the rows"] = most(service, board.limited)
            wrong += ["a limit was passed"] * (max(said["most"], said["most by the rows"]) > LIMIT)
    return said, wrong


def most(service: Service, step: str) -> int:
    """How many tasks ever stood at a step at once: who comes in has a row after that of who has left for him."""
    standing, found, after = set[str](), 0, 0
    with service.wired().ledger.read() as view:
        while rows := view.rows(after, 10_000):
            for row in rows:
                (standing.add if row.to_step == step else standing.discard)(row.task)
                found = max(found, len(standing))
            after = rows[-1].id
    return found


@pytest.fixture(params=["sqlite", "postgresql"])
def make_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """New ledgers that wait for the disk, of each sort that several processes share."""
    if request.param == "sqlite":
        numbers = itertools.count()
        return lambda: f"sqlite:///{tmp_path}/hot{next(numbers)}.db"
    server = request.getfixturevalue("postgres_server")
    return lambda: postgres.fresh(server, durable=True)


@pytest.mark.slow
def test_sl4_many_processes_move_few_tasks(make_url: Callable[[], str]) -> None:
    """SL4, SL5: no broken chain, no lock error, no wait of more than 100 times the median call. A machine that is busy
    with other things may hold somebody up so long once, not each time."""
    url = make_url()
    processes = 8 if url.startswith("sqlite") else 16
    said, wrong = moved_about(url, processes, SECONDS)
    for _ in range(ATTEMPTS - 1):
        if wrong == [STARVED]:
            said, wrong = moved_about(make_url(), processes, SECONDS)
    assert wrong == []
    assert said["calls"] > 10 * processes
    assert said["lost"] > 0


@pytest.mark.slow
def test_lm2_six_movers_never_pass_a_limit_of_two(make_url: Callable[[], str]) -> None:
    """LM2: by the rows, and as one more process counts them meanwhile."""
    said, wrong = moved_about(make_url(), SIX, SECONDS, "crowd")
    assert wrong == []
    assert said["most"] == said["most by the rows"] == LIMIT
    assert said["queued"] > 10
    assert said["looks"] > 10
