"""`.ci/run` finds a browser, installs one where it may, says a word where there is none, and goes on in any case."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.browser.browsing import NAMES

ROOT = Path(__file__).parents[2]
TOOLS = ("bash", "dirname", "cat")
MADE = ["make demo", "make check", "make test"]
WORD = "no Chromium is here, and none could be installed: the tests in a browser are skipped\n"


def ci(folder: Path, user: int, **commands: str) -> tuple[list[str], str]:
    """What it calls and says where only some commands are there, each with what it does besides being called."""
    for tool in TOOLS:
        (folder / tool).symlink_to(str(shutil.which(tool)))
    log = folder / "log"
    for name, does in {"make": "", "id": f"echo {user}", **commands}.items():
        called = "" if name == "id" else f'echo "{name} $*" >>{log}'
        (folder / name).write_text(f"#!{shutil.which('bash')}\n{called}\n{does}\n")
        (folder / name).chmod(0o755)
    done = subprocess.run(
        [str(shutil.which("bash")), ROOT / ".ci" / "run"],
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return log.read_text().splitlines(), done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_a_browser_that_is_there_is_enough(tmp_path: Path, name: str) -> None:
    """By each of the names that the tests look for."""
    assert ci(tmp_path, 0, **{name: "", "apt-get": "exit 1"}) == (MADE, "")


def test_one_is_installed_where_that_is_allowed(tmp_path: Path) -> None:
    """What the package brings is called like one of the names."""
    comes = f'[ "$1" = update ] || {{ : >{tmp_path}/chromium; {shutil.which("chmod")} +x {tmp_path}/chromium; }}'
    called, said = ci(tmp_path, 0, **{"apt-get": comes})
    assert called == ["apt-get update -qq", "apt-get install -y -qq --no-install-recommends chromium", *MADE]
    assert said == ""


def test_where_it_cannot_be_installed_a_word_is_said_and_the_rest_is_run(tmp_path: Path) -> None:
    """The package is away, nobody may install, or there is nothing to install it with."""
    for number, (user, commands) in enumerate(((0, {"apt-get": "exit 100"}), (1000, {"apt-get": "exit 1"}), (0, {}))):
        folder = tmp_path / str(number)
        folder.mkdir()
        called, said = ci(folder, user, **commands)
        assert [line for line in called if line.startswith("make")] == MADE
        assert said == WORD
        assert (user == 0 and "apt-get" in commands) == any(line.startswith("apt-get") for line in called)


def test_both_lists_of_names_are_one(tmp_path: Path) -> None:
    """A shell cannot read that of the tests."""
    listed = re.search(r"type -P (.+?)\)", (ROOT / ".ci" / "run").read_text("utf-8"))
    assert listed is not None
    assert tuple(listed[1].split()) == NAMES
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
