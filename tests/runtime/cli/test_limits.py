"""Limits from a terminal: who waits, who is let in, and the way past a full step."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BOARD = """
action page on enter
action hold on exit
dispatch { page }
workflow w "W" {
  step a "A" { start }
  step b "B" {
    wip_limit 1
    pull_from d
  }
  step c "C" { end }
  step d "D" { on exit { hold } }
  step e "E" {
    wip_limit 1
    on enter { page }
  }
}
"""


class Desk:
    """A folder with a board and a ledger, and the command in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "board.newel").write_text(BOARD)
        self.newel("create", "X", "--workflow", "w", "--step", "b")
        self.newel("create", "T", "--workflow", "w")

    def newel(self, *arguments: str, code: int = 0) -> str:
        done = self._run(*arguments, code=code)
        return done.stdout + done.stderr

    def json(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(self._run(*arguments, "--json", code=code).stdout)

    def _run(self, *arguments: str, code: int) -> subprocess.CompletedProcess[str]:
        places = ("--program", "board.newel", "--ledger", "tasks.db")
        command = [sys.executable, "-c", "from newel.runtime.cli import main; main()", "task", *arguments, *places]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_lm1_a_task_that_waits_is_shown_and_exits_zero(desk: Desk) -> None:
    assert desk.newel("move", "T", "b") == "T: waits for a place at b\n"
    assert desk.newel("show", "T") == "T: w/a, entry 2, waits for w/b\n"
    assert desk.newel("create", "N", "--workflow", "w", "--step", "b") == "N: waits for a place at b\n"
    assert desk.newel("show", "N") == "N: not in a workflow, waits for w/b\n"
    (listed,) = [task for task in desk.json("list") if task["id"] == "N"]
    assert (listed["step"], listed["queued_for"]) == (None, "b")
    assert desk.newel("move", "N", "a").startswith("N: nowhere -> a\n")


def test_lm3_who_is_let_in_is_told_by_name(desk: Desk) -> None:
    desk.newel("move", "T", "b")
    assert desk.newel("move", "X", "c") == "X: b -> c\n  entry 3\n  pulled: T: a -> b\n    entry 4\n"


def test_lm1_over_limit_passes_a_full_step(desk: Desk) -> None:
    assert desk.newel("move", "T", "b", "--over-limit") == "T: a -> b\n  entry 3\n"


def test_lm3_a_pull_lets_in_who_waits_and_says_so(desk: Desk) -> None:
    assert desk.newel("pull", "w", "b") == "b: nobody is let in\n"
    assert desk.json("pull", "w", "b") == []
    desk.newel("move", "T", "b")
    board = desk.folder / "board.newel"
    board.write_text(board.read_text().replace("wip_limit 1\n    pull_from d", "wip_limit 2\n    pull_from d"))
    assert desk.newel("pull", "w", "b") == "pulled: T: a -> b\n  entry 3\n"
    told = "error: workflow 'w' has no step 'nowhere'; there are a, b, c, d, e\n"
    assert desk.newel("pull", "w", "nowhere", code=2) == told


def test_lm3_a_task_that_cannot_be_let_in_is_told_and_exits_one(desk: Desk) -> None:
    """It stands at the feeder, and its exit list has no handler here."""
    desk.newel("move", "X", "c")
    desk.newel("create", "F", "--workflow", "w", "--step", "d")
    said = desk.newel("pull", "w", "b", code=1)
    assert "not pulled to b: pull_failed: F: ActionNotYetWired" in said
    (outcome,) = desk.json("pull", "w", "b", code=1)
    assert (outcome["kind"], outcome["from_step"]) == ("stayed", "d")


def test_a_place_is_not_freed_for_who_would_find_no_handler(desk: Desk) -> None:
    desk.newel("create", "E", "--workflow", "w", "--step", "e", "--without-handlers", code=1)
    assert "no handler here for page" in desk.newel("move", "E", "c", code=2)
    assert "no handler here for page" in desk.newel("pull", "w", "e", code=2)
    assert desk.newel("move", "E", "c", "--without-handlers").startswith("E: e -> c\n")
