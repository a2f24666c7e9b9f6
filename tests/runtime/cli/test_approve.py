"""`newel task approve`: moves that wait, listed, approved and rejected from a terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BOARD = """
action page on enter
dispatch { page }
workflow w "W" {
  step a "A" {
    start
    on comment { -> b requires approval }
    on turn_complete { -> c requires approval }
  }
  step b "B" { on enter { clear_decisions } }
  step c "C" { on enter { page } }
}
"""


class Desk:
    """A folder with a board and a ledger, and the command in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "board.newel").write_text(BOARD)
        self.newel("create", "T", "--workflow", "w")

    def newel(self, *arguments: str, code: int = 0) -> str:
        places = ("--program", "board.newel", "--ledger", "tasks.db")
        command = [sys.executable, "-c", "from newel.runtime.cli import main; main()", "task", *arguments, *places]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def json(self, *arguments: str) -> Any:
        return json.loads(self.newel(*arguments, "--json"))

    def comment(self, number: str) -> Any:
        return self.json("fire", "T", "comment", "--payload", json.dumps({"comment_id": number}))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_waiting_move_is_shown_and_approved(desk: Desk) -> None:
    outcome = desk.comment("1")
    assert (outcome["kind"], outcome["pending"], outcome["moved"]) == ("pending_approval", [1], False)
    assert "approvals wait: 1" in desk.newel("fire", "T", "comment", "--payload", '{"comment_id": "2"}')
    (waiting,) = desk.json("show", "T")["approvals"]
    assert (waiting["id"], waiting["to"], waiting["status"]) == (1, "b", "pending")
    assert "comment  b   pending  1" in desk.newel("show", "T")
    assert desk.newel("approve", "1", "--actor", "human:ann") == "T: a -> b\n  entry 2\n    clear_decisions unchanged\n"
    assert desk.json("show", "T")["approvals"][0]["actor_id"] == "ann"
    assert "moved on" in desk.newel("approve", "1", code=1)


def test_a_waiting_move_is_rejected_and_not_asked_for_again(desk: Desk) -> None:
    desk.comment("1")
    assert desk.newel("approve", "1", "--reject", "--actor", "human:ann") == "T: stays at a (rejected)\n"
    assert desk.json("show", "T")["approvals"][0]["status"] == "rejected"
    assert desk.comment("2")["kind"] == "stayed"
    assert desk.newel("approve", "1") == "T: stays at a (rejected)\n"


def test_a_destination_without_a_handler_is_refused_unless_told_otherwise(desk: Desk) -> None:
    assert desk.json("fire", "T", "turn_complete", "--without-handlers")["pending"] == [1]
    assert "no handler here for page" in desk.newel("approve", "1", code=2)
    assert "page failed: not_wired" in desk.newel("approve", "1", "--without-handlers", code=1)


def test_an_approval_that_is_not_there_is_said_to_be_so(desk: Desk) -> None:
    assert "no approval has the id 7" in desk.newel("approve", "7", code=3)
