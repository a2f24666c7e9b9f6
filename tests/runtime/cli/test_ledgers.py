"""How `newel task` and `newel ledger` find a ledger, and what they make of one that is not as it was left."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from newel.compiler import compile_files
from newel.runtime.cli.shown import running_lines
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.sqlite_url import url_of
from newel.runtime.service import Service
from tests.runtime.cli.command import newel

BOARD = """
action page on enter
dispatch { page }

workflow w "W" {
  step a "A" {
    start
    on comment { -> b requires approval }
    on turn_complete { -> b when all_approve(reviewer) }
  }
  step b "B" { on enter { page } }
}
"""
HANDLERS = """
from newel.runtime import Handlers

handlers = Handlers()


@handlers.action("page")
def page(action, context):
    if context.task == "T-1":
        context.service.remove("T-2")
    if context.task == "T-3":
        raise ValueError("nobody answers")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project in a folder whose name holds signs that mean something in a URL."""
    path = tmp_path / "50%41?#"
    path.mkdir()
    (path / "w.newel").write_text(BOARD, "utf-8")
    (path / "own.py").write_text(HANDLERS, "utf-8")
    configure(path, "sqlite:///t.db")
    return path


def configure(folder: Path, ledger: str) -> None:
    settings = f'paths = ["w.newel"]\nhandlers = "own:handlers"\nledger = {json.dumps(ledger)}\n'
    (folder / "newel.toml").write_text(settings, "utf-8")


def run(folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[bytes]:
    done = newel(folder, *arguments, PYTHONDONTWRITEBYTECODE="1")
    assert done.returncode == code, done
    assert b"Traceback" not in done.stderr
    return done


# ---------------------------------------------------------------- which file


@pytest.mark.parametrize("configured", [True, False])
@pytest.mark.parametrize(
    ("ledger", "file"),
    [
        ("sqlite:///a%20b.db", "a b.db"),
        ("sqlite:///x%2541%3F.db?timeout=5", "x%41?.db"),
        ("x%41.db", "x%41.db"),
        ("what?.db", "what?.db"),
        ("./memory:.db", "memory:.db"),
        ("memory", "memory"),
    ],
)
def test_a_url_is_decoded_and_a_path_is_taken_as_it_is(folder: Path, ledger: str, file: str, configured: bool) -> None:
    """By whoever makes the ledger and whoever looks whether it is there, and from the configuration too."""
    before = {entry.name for entry in folder.iterdir()}
    named = () if configured else ("--ledger", ledger)
    if configured:
        configure(folder, ledger)
    missing = f"there is no ledger '{folder / file if configured else file}'".encode()
    for command in (("ledger", "audit"), ("task", "list")):
        assert missing in run(folder, *command, *named, code=3).stderr
    run(folder, "task", "create", "T", "--workflow", "w", *named)
    assert {entry.name for entry in folder.iterdir()} - before == {file}
    assert run(folder, "ledger", "audit", *named).stdout == b"clean\n"
    assert b"1 task" in run(folder, "diff", "--ledger", str(folder / file), "w.newel", "w.newel").stdout


@pytest.mark.parametrize(
    "url", ["postgresql://u:CANARY%FF@127.0.0.1:1/d", "postgresql://u:CANARY\udcff@127.0.0.1:1/d", "sqlite:CANARY"]
)
@pytest.mark.parametrize("command", [("ledger", "audit"), ("task", "create", "T", "--workflow", "w")])
def test_r15_a_url_that_is_none_is_an_error_that_does_not_repeat_it(
    folder: Path, url: str, command: tuple[str, ...]
) -> None:
    said = run(folder, *command, "--ledger", url, code=3)
    assert said.stderr.startswith(b"error: ")
    assert b"CANARY" not in said.stdout + said.stderr


# ---------------------------------------------------------------- a program that has gone on


@pytest.mark.parametrize("change", [("workflow w", "workflow v"), ("step a", "step x")])
@pytest.mark.parametrize(
    "call",
    [
        ("fire", "T", "turn_complete"),
        ("fire", "T", "comment", "--payload", '{"comment_id": "2"}'),
        ("decide", "T", "approved", "--role", "reviewer", "--by", "ada"),
        ("approve", "1"),
    ],
)
def test_en14_where_the_step_or_its_workflow_is_gone_each_call_says_so(
    folder: Path, call: tuple[str, ...], change: tuple[str, str]
) -> None:
    """With 3, since nothing is wrong with the call."""
    run(folder, "task", "create", "T", "--workflow", "w")
    run(folder, "task", "fire", "T", "comment", "--payload", '{"comment_id": "1"}')
    (folder / "w.newel").write_text(BOARD.replace(*change), "utf-8")
    said = run(folder, "task", *call, code=3).stderr
    assert said.startswith(b"error: the program has no step 'a' in a workflow 'w'; move the task away")


# ---------------------------------------------------------------- what is lost


@pytest.fixture
def lost(folder: Path) -> Path:
    """Four tasks whose entries left no record. Of the second nothing is there once the first was dispatched, the third
    fails, the last is done."""
    program = compile_files([folder / "w.newel"]).require()
    with Service(program, open_ledger(url_of(folder / "t.db"))) as service:
        for number in range(1, 5):
            service.create(f"T-{number}", "w", "b")
    with closing(sqlite3.connect(folder / "t.db", isolation_level=None)) as hand:
        hand.execute("DELETE FROM newel_entry_actions")  # as if the process had been killed
        hand.execute("UPDATE newel_rows SET occurred_at = '2020-01-01T00:00:00.000+00:00'")
    return folder


def test_of_lost_entries_each_is_dispatched_by_its_own_and_all_are_told(lost: Path) -> None:
    said = run(lost, "ledger", "redispatch", "--lost", code=3)
    assert said.stdout.decode().splitlines() == [
        "entry 1",
        "  page applied",
        "entry 3",
        "  page failed: ValueError: nobody answers",
        "entry 4",
        "  page applied",
        "  = help: mend the cause, then `newel ledger redispatch 3`",
    ]
    assert said.stderr.decode().splitlines()[0] == "error: entry 2: the ledger has no row 2 that names a destination"
    assert run(lost, "ledger", "redispatch", "--lost").stdout == b"nothing is lost\n"


def test_of_lost_entries_json_tells_those_too_that_could_not_be_dispatched(lost: Path) -> None:
    told = json.loads(run(lost, "ledger", "redispatch", "--lost", "--json", code=3).stdout)
    assert [each["entry_id"] for each in told] == [1, 2, 3, 4]
    assert told[1] == {"entry_id": 2, "error": "the ledger has no row 2 that names a destination"}
    assert [action["status"] for each in told if "error" not in each for action in each["actions"]] == [
        "applied",
        "failed",
        "applied",
    ]


def test_an_entry_that_may_still_be_running_is_named_with_what_to_do(lost: Path) -> None:
    """Right after a crash: `--lost` leaves it out, and does not say that all is well."""
    with closing(sqlite3.connect(lost / "t.db", isolation_level=None)) as hand:
        hand.execute("UPDATE newel_rows SET occurred_at = ? WHERE id = 4", (f"{datetime.now(UTC):%FT%T}.000+00:00",))
        hand.execute("DELETE FROM newel_rows WHERE id < 4")
        hand.execute("DELETE FROM newel_tasks WHERE id <> 'T-4'")
    note = "note: entry 4 may still be running; if its process has ended, `newel ledger redispatch 4`"
    assert run(lost, "ledger", "redispatch", "--lost").stdout.decode().splitlines() == ["nothing is lost", note]
    as_data = run(lost, "ledger", "redispatch", "--lost", "--json")
    assert (json.loads(as_data.stdout), as_data.stderr.decode()) == ([], f"{note}\n")
    assert run(lost, "ledger", "audit").stdout.decode().splitlines() == [
        "note: running: entry 4 of T-4, positions 0",
        "  = help: if its process has ended, `newel ledger redispatch 4`",
        "clean",
    ]
    assert run(lost, "ledger", "redispatch", "4").stdout == b"entry 4\n  page applied\n"
    assert run(lost, "ledger", "redispatch", "--lost").stdout == b"nothing is lost\n"


def test_what_is_lost_is_audited_with_the_command_that_runs_it(lost: Path) -> None:
    said = run(lost, "ledger", "audit", code=1).stdout.decode().splitlines()
    assert said[:2] == [
        "finding: lost: entry 1 of T-1, positions 0",
        "  = help: `newel ledger redispatch 1`, or --lost for all that is lost",
    ]


def test_of_many_entries_that_may_be_running_the_first_are_named() -> None:
    lines = running_lines(range(1, 13))
    assert (len(lines), lines[-1]) == (11, "note: and 2 more; what has not ended in a minute is lost")
    assert len(running_lines(range(1, 11))) == 10
