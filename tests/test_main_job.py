"""The main job from file to finished task, by commands: on our Office board, and on the first client's, imported."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from newel.compiler import compile_files
from newel.runtime import EntryReport, Service, open_ledger

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus" / "kandev" / "office-default.yml"
NEWEL = Path(sys.executable).with_name("newel")

CONFIG = """
ledger = "sqlite:///tasks.db"
paths = ["office.newel"]
[agents]
runner = "ada"
targets = { primary = "ada", ceo_agent = "eve" }
[[agents.candidates]]
id = "ben"
roles = ["reviewer"]
[[agents.candidates]]
id = "eve"
roles = ["approver"]
"""


class Board:
    """A folder with a workflow file and its configuration, and the commands run in it."""

    def __init__(self, folder: Path, workflow: str) -> None:
        self.folder, self.workflow = folder, workflow
        (folder / "newel.toml").write_text(CONFIG, "utf-8")

    def newel(self, *arguments: str, code: int = 0) -> str:
        done = subprocess.run(
            [NEWEL, *arguments], cwd=self.folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def task(self, *arguments: str) -> Any:
        return json.loads(self.newel("task", *arguments, "--json"))

    def tables(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything in the ledger but the count of deliveries, which redelivering changes."""
        with sqlite3.connect(self.folder / "tasks.db") as connection:
            names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            found = {}
            for name in names:
                columns = [c[1] for c in connection.execute(f"PRAGMA table_info({name})")]
                kept = ", ".join(c for c in columns if c not in ("deliveries", "at"))
                found[name] = connection.execute(f"SELECT {kept} FROM {name}").fetchall()  # noqa: S608 - our own tables
        connection.close()
        return found

    def finished(self) -> Any:
        return self.task("fire", "T-1", "turn_complete", "--signalled")


def ours(folder: Path) -> Board:
    for name in ("office.newel", "prompts"):
        source = ROOT / "examples" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    return Board(folder, "office")


def theirs(folder: Path) -> Board:
    board = Board(folder, "office-default")
    board.newel("import", str(CORPUS), "-o", "office.newel")
    return board


BOARDS = [
    pytest.param(ours, True, id="ours"),
    pytest.param(theirs, False, id="theirs", marks=pytest.mark.skipif(not CORPUS.exists(), reason="no corpus here")),
]


@pytest.mark.parametrize(("made", "seats_itself"), BOARDS)
def test_the_main_job(made: Any, seats_itself: bool, tmp_path: Path) -> None:
    board: Board = made(tmp_path)
    checked = json.loads(board.newel("check", "--format", "json"))
    assert checked["summary"]["errors"] == 0
    if not seats_itself:
        assert Counter(f["code"] for f in checked["findings"]) == {"NW510": 1, "NW601": 2}
    program = json.loads(board.newel("compile"))
    assert list(program["workflows"]) == [board.workflow]

    assert board.task("create", "T-1", "--workflow", board.workflow)["to_step"] == "work"
    if not seats_itself:
        board.newel("task", "seat", "T-1", "--step", "review", "--role", "reviewer", "--agent", "ben")
        board.newel("task", "seat", "T-1", "--step", "approval", "--role", "approver", "--agent", "eve")

    first = board.finished()
    assert first["to_step"] == "review"
    statuses = {a["kind"]: a["status"] for a in first["entry"]["actions"]}
    assert statuses["clear_decisions"] == "unchanged"
    assert statuses["queue_run_for_each_participant"] == "applied"
    assert [s["agent"] for s in board.task("show", "T-1")["seats"] if s["role"] == "reviewer"] == ["ben"]
    assert [(r["agent"], r["entry_id"]) for r in board.task("show", "T-1")["runs"]] == [
        ("ben", first["entry"]["entry_id"])
    ]

    back = board.task("decide", "T-1", "rejected", "--role", "reviewer", "--by", "ben")
    assert (back["kind"], back["to_step"]) == ("moved", "work")

    second = board.finished()
    assert second["entry"]["entry_id"] > first["entry"]["entry_id"]
    assert {a["kind"]: a["status"] for a in second["entry"]["actions"]}["clear_decisions"] == "applied"
    assert [r["entry_id"] for r in board.task("show", "T-1")["runs"]] == [
        first["entry"]["entry_id"],
        second["entry"]["entry_id"],
    ]

    _redelivered(board, first["entry"]["entry_id"], second["entry"]["entry_id"])

    onward = board.task("decide", "T-1", "approved", "--role", "reviewer", "--by", "ben")
    assert onward["to_step"] == "approval"
    done = board.task("decide", "T-1", "approved", "--role", "approver", "--by", "eve")
    assert done["to_step"] == "done"
    assert json.loads(board.newel("ledger", "audit", "--json"))["clean"]
    assert [r["to_step"] for r in json.loads(board.newel("ledger", "history", "T-1", "--json"))] == [
        *("work", "review", "work", "review", "approval", "done")
    ]
    _documented(board)


def _redelivered(board: Board, left: int, current: int) -> None:
    """The current entry again: recognised, nothing changes, counted. One that was left: superseded. Here, and then in
    other processes."""
    before = board.tables()
    counted: list[tuple[str, Mapping[str, str]]] = []

    class Watch:
        def entry(self, report: EntryReport) -> None: ...

        def count(self, name: str, labels: Mapping[str, str]) -> None:
            counted.append((name, labels))

    program = compile_files([board.folder / "office.newel"]).require()
    with Service(program, open_ledger(f"sqlite:///{board.folder / 'tasks.db'}"), observer=Watch()) as service:
        again, old = service.redispatch(current), service.redispatch(left)
    assert again.redelivery
    assert {a.status.value for a in again.actions} <= {"redelivered", "unchanged"}
    assert old.superseded
    assert {a.status.value for a in old.actions} == {"superseded"}
    assert any("redeliver" in name or labels.get("redelivery") == "yes" for name, labels in counted), counted
    assert board.tables() == before

    for entry, superseded in ((current, False), (left, True)):
        (report,) = json.loads(board.newel("ledger", "redispatch", str(entry), "--json"))
        assert report["superseded"] is superseded
    assert board.tables() == before


def _documented(board: Board) -> None:
    board.newel("docs", "-o", "site")
    page = (board.folder / "site" / f"{board.workflow}.html").read_text("utf-8")
    assert "<svg" in page
    assert 'id="step-review"' in page
    assert board.newel("graph", "office.newel").startswith("<svg")
    assert board.newel("graph", "office.newel", "--format", "mermaid").startswith("flowchart")
