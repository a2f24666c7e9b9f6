"""The scenarios of the examples pass, and see everything that can be seen of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from newel.runtime.scenarios.coverage import WHATS
from tests.examples.support import EXAMPLES, WITH_WORKFLOWS

NEWEL = Path(sys.executable).with_name("newel")


def newel(*arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [NEWEL, "test", *arguments], cwd=EXAMPLES, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_every_scenario_passes_and_nothing_is_left_unseen() -> None:
    code, out = newel("--format", "json", "--fail-under", "100")
    found = json.loads(out)
    assert (code, found["summary"]["failed"]) == (0, 0)
    assert found["coverage"]["percent"] == 100
    boards = found["coverage"]["workflows"]
    assert len(boards) == len(WITH_WORKFLOWS)
    assert all(board[what.replace(" ", "_")]["all"] > 0 for board in boards for what in WHATS if what != "guards")


def test_the_handlers_of_the_orders_pass_them_too() -> None:
    """With the host's own code on the ledger's tables, not only with stand-ins."""
    code, out = newel("orders.newel", "--with-handlers")
    assert code == 0, out
