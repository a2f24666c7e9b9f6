"""Which files a folder is taken to hold: the project's own, and not what has been installed beside them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from newel.runtime.cli.searching import of_others, own_names, workflows_below
from tests.runtime.cli.command import Terminal, newel

FOREIGN = (
    ".hidden/a.newel",
    ".a.newel",
    "venv/lib/python3/a.newel",
    "lib/site-packages/a.newel",
    "deep/node_modules/other/a.newel",
    "__pycache__/a.newel",
)
OWN = ("a.newel", "build/a.newel", "deep/b.newel", "environment/a.newel")


def laid_out(folder: Path) -> Path:
    for name in (*FOREIGN, *OWN):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("use nothing\n" if name in OWN else "wrong wrong\n")
    (folder / "venv" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    return folder


def test_what_is_installed_below_a_folder_is_passed_over(tmp_path: Path) -> None:
    laid_out(tmp_path)
    assert newel(tmp_path, "check").stdout == b"nothing wrong in 4 files\n"
    (tmp_path / "newel.toml").write_text('paths = ["."]\n')
    assert newel(tmp_path, "check").stdout == b"nothing wrong in 4 files\n"
    assert newel(tmp_path, "fmt").stderr == b"4 as before\n"
    assert {(tmp_path / name).read_text() for name in FOREIGN} == {"wrong wrong\n"}


def test_what_is_named_is_taken_wherever_it_lies(tmp_path: Path) -> None:
    laid_out(tmp_path)
    for name in ("venv/lib/python3/a.newel", "lib/site-packages", "venv", ".hidden"):
        assert newel(tmp_path, "check", name).returncode == 1, name


def test_a_project_whose_folder_is_an_environment_itself_has_its_files(tmp_path: Path) -> None:
    laid_out(tmp_path)
    (tmp_path / "pyvenv.cfg").write_text("home = /usr/bin\n")
    assert newel(tmp_path, "check").stdout == b"nothing wrong in 4 files\n"


def test_a_link_to_nowhere_is_a_file_and_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "gone.newel").symlink_to("nowhere")
    (tmp_path / "again").symlink_to(tmp_path)
    (tmp_path / "folder.newel").mkdir()
    assert list(workflows_below(tmp_path)) == [tmp_path / "gone.newel"]


def test_a_commit_is_searched_as_a_folder_is(tmp_path: Path) -> None:
    """By the names in it alone, also from a folder of it."""
    names = [*FOREIGN, *OWN, "venv/pyvenv.cfg", "README"]
    assert sorted(own_names(names, "")) == sorted(OWN)
    assert list(own_names(names, "deep")) == ["deep/b.newel"]
    assert list(own_names(names, "venv")) == ["venv/lib/python3/a.newel"]
    laid_out(tmp_path)
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    done = newel(tmp_path, "diff", "git:HEAD", ".")
    assert done.returncode == 0, done.stderr.decode()


def test_a_project_begun_beside_an_environment_gets_its_workflow(tmp_path: Path) -> None:
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv" / "pyvenv.cfg").write_text("")
    (tmp_path / "venv" / "a.newel").write_text("wrong\n")
    newel(tmp_path, "init", "--ci", "none")
    assert (tmp_path / "boards" / "board.newel").is_file()


def test_what_changes_in_an_environment_is_no_reason_to_check_again(tmp_path: Path) -> None:
    laid_out(tmp_path)
    assert not of_others(tmp_path / "deep" / "b.newel", tmp_path)
    assert all(of_others(tmp_path / name, tmp_path) for name in FOREIGN)
    terminal = Terminal(tmp_path, "check", "--watch")
    terminal.until("Ctrl-C ends")
    (tmp_path / "venv" / "lib" / "python3" / "more.newel").write_text("use nothing\n")
    (tmp_path / "deep" / "b.newel").write_text("wrong\n")
    assert terminal.until("Ctrl-C ends").count("1 error in 4 files") == 1
    terminal.process.terminate()
    terminal.process.wait(30)
    terminal.rest()
