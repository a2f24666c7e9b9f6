"""Where output goes that is no plain file: devices, pipes, links, and streams the caller has closed."""

from __future__ import annotations

import os
import shlex
import subprocess
import threading
from pathlib import Path

import pytest

from tests.runtime.cli.command import NEWEL, environment, newel

BOARD = 'workflow board "Board" {\n  step work "Work" { start\n  }\n}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "board.newel").write_text(BOARD, encoding="utf-8")
    return tmp_path


def shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """A line of shell in which `newel` is ours."""
    text = f'newel() {{ {shlex.quote(str(NEWEL))} "$@"; }}\n{line}'
    command = ["/bin/sh", "-c", text]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=environment(), timeout=60, check=False
    )


def test_a_pipe_that_is_written_to_stays_a_pipe(folder: Path) -> None:
    """Renaming a file over it would do away with it, as it would with a device."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    made = newel(folder, "graph", "board.newel", "-o", "pipe")
    if not pipe.is_fifo():  # else the reader is waited for, for ever
        reader.join(0)
    assert (made.returncode, pipe.is_fifo()) == (0, True)
    reader.join(10)
    assert read[0].startswith("<svg")


def test_standard_output_may_be_named_as_a_file(folder: Path) -> None:
    assert shell(folder, "newel graph board.newel -o /dev/stdout | head -c 4").stdout == "<svg"


def test_a_link_is_written_through(folder: Path) -> None:
    (folder / "link.svg").symlink_to("real.svg")
    assert newel(folder, "graph", "board.newel", "-o", "link.svg").returncode == 0
    assert (folder / "link.svg").is_symlink()
    assert (folder / "real.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_folder_is_no_output(folder: Path) -> None:
    made = newel(folder, "graph", "board.newel", "-o", "")
    assert (made.returncode, made.stderr.decode()) == (3, "error: cannot write '.': Is a directory\n")


@pytest.mark.parametrize("command", ["check", "compile board.newel", "graph board.newel", "check nowhere"])
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_output_is_no_traceback(command: str, closed: str, folder: Path) -> None:
    ended = shell(folder, f"newel {command} {closed}")
    assert ended.returncode == (2 if "nowhere" in command else 0)
    assert "Traceback" not in ended.stdout + ended.stderr


def test_a_closed_input_is_not_an_empty_file(folder: Path) -> None:
    ended = shell(folder, "newel check - <&-")
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "", "error: standard input is closed\n")


@pytest.mark.parametrize("command", ["check -", "fmt -"])
def test_an_endless_input_is_too_large(command: str, folder: Path) -> None:
    ended = shell(folder, f"newel {command} < /dev/zero")
    assert ended.returncode != 0
    assert "more than 8388608 bytes" in ended.stdout + ended.stderr


MADE = [
    "compile board.newel",
    "compile --schema",
    "compile board.newel --python",
    "graph board.newel",
    "export board.newel --to kandev",
]


@pytest.mark.parametrize("command", MADE)
def test_what_was_made_before_is_written_over(command: str, folder: Path) -> None:
    """As compilers do."""
    (folder / "made").write_text("what was here\n", encoding="utf-8")
    made = newel(folder, *command.split(), "-o", "made")
    assert made.returncode == 0
    first = (folder / "made").read_bytes()
    assert b"what was here" not in first
    assert newel(folder, *command.split(), "-o", "made").returncode == 0
    assert (folder / "made").read_bytes() == first


@pytest.mark.parametrize("command", MADE)
def test_a_workflow_file_is_not_written_over_by_what_is_made_of_it(command: str, folder: Path) -> None:
    made = newel(folder, *command.split(), "-o", "board.newel")
    assert made.returncode == 2
    assert b"'board.newel' is a workflow file: name another one to write to" in made.stderr
    assert (folder / "board.newel").read_text(encoding="utf-8") == BOARD


def test_what_somebody_may_have_worked_on_is_kept(folder: Path) -> None:
    """An import makes the source of what comes: what is there and differs is written over when that is asked for."""
    newel(folder, "export", "board.newel", "--to", "kandev", "-o", "board.yml")
    made = newel(folder, "import", "board.yml", "-o", "board.newel")
    assert made.returncode == 2
    assert b"'board.newel' is there and differs; --force writes over it" in made.stderr
    assert (folder / "board.newel").read_text(encoding="utf-8") == BOARD
    assert newel(folder, "import", "board.yml", "-o", "board.newel", "--force").returncode == 0
    assert (folder / "board.newel").read_text(encoding="utf-8") != BOARD
