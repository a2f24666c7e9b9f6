"""`newel config`, and what a configuration can say of findings."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.runtime.cli.command import newel

SETTINGS = """\
paths = ["boards"]
ledger = "postgresql://ada:s3/cr@et@db.example:5432/x?sslpassword=s3cret&schema=tasks"

[severity]
NW601 = "error"

[per-path-ignore]
"legacy/*" = ["NW6"]

[per-path-severity]
"legacy/*" = { NW505 = "note" }
"""


def test_every_key_is_shown_with_its_value_and_where_it_came_from(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "newel.toml").write_text(SETTINGS)
    (tmp_path / "deep").mkdir()
    done = newel(tmp_path / "deep", "config")
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert lines[:2] == ["# ../newel.toml", "# nothing is read outside of .."]
    assert 'paths = ["boards"]  # ../newel.toml' in lines
    assert "select = []  # default" in lines
    assert "# host-triggers is not set  # default" in lines
    assert 'per-path-severity = { "legacy/*" = { NW505 = "note" } }  # ../newel.toml' in lines


def test_what_is_shown_is_a_configuration(tmp_path: Path) -> None:
    """It can be read back, and says the same."""
    (tmp_path / "boards").mkdir()
    (tmp_path / "newel.toml").write_text(SETTINGS.replace("ledger", "handlers").replace("postgresql:", "a:"))
    shown = newel(tmp_path, "config").stdout.decode()
    assert tomllib.loads(shown)["severity"] == {"NW601": "error"}
    (tmp_path / "newel.toml").write_text(shown)
    again = newel(tmp_path, "config")
    assert again.returncode == 0, again.stderr.decode()
    assert again.stdout.decode().replace("# newel.toml", "# default") == shown.replace("# newel.toml", "# default")


def test_no_password_is_shown(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "newel.toml").write_text(SETTINGS)
    for options in ([], ["--json"]):
        shown = newel(tmp_path, "config", *options).stdout.decode()
        assert "postgresql://ada:***@db.example:5432/x?sslpassword=***&schema=tasks" in shown
        assert "s3" not in shown


def test_json_holds_the_same(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.newel]\nignore = ["NW5"]\n')
    whole = json.loads(newel(tmp_path, "config", "--json").stdout)
    assert (whole["file"], whole["root"]) == ("pyproject.toml", ".")
    assert whole["settings"]["ignore"] == {"value": ["NW5"], "from": "pyproject.toml"}
    assert whole["settings"]["ledger"] == {"value": None, "from": "default"}


def test_without_a_configuration_all_is_at_its_default(tmp_path: Path) -> None:
    shown = newel(tmp_path, "config").stdout.decode()
    assert shown.startswith("# no configuration: everything is at its default\n")
    assert "newel.toml" not in shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('ingore = ["NW606"]', "newel.toml: unknown key `ingore`: did you mean `ignore`?"),
        ('ignore = ["NW55"]', "newel.toml: there is no code `NW55`: did you mean `NW505`?"),
        ('ignore = ["NW699"]', "newel.toml: there is no code `NW699`: `newel explain NW6` lists those that begin so"),
        ('ignore = ["NW999"]', "newel.toml: there is no code `NW999`: `newel explain --all` lists them"),
        ('ignore = ["dead-end"]', "newel.toml: there is no code `dead-end`: did you mean `NW505`?"),
        ('[severity]\nNW103 = "note"', "newel.toml: `NW103` is an error and cannot be a note"),
        ('[severity]\nNW505 = "loud"', "newel.toml: `severity.NW505` is `error`, `warning` or `note`, not `loud`"),
        ("per-path-ignore = 1", "newel.toml: `per-path-ignore` must be a table of lists"),
        ('[per-path-ignore]\n"*" = 1', "newel.toml: `*` must be a list of texts"),
        ("per-path-severity = 1", "newel.toml: `per-path-severity` must be a table of tables"),
        ('[per-path-severity]\n"a" = { NW55 = "note" }', "newel.toml: there is no code `NW55`: did you mean `NW505`?"),
        ('[per-path-severity]\n"a" = { NW103 = "note" }', "newel.toml: `NW103` is an error and cannot be a note"),
        ('[per-path-severity]\n"a" = { NW5 = "x" }', "newel.toml: `a.NW5` is `error`, `warning` or `note`, not `x`"),
    ],
)
def test_a_wrong_configuration_is_told_and_the_exit_code_is_2(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "newel.toml").write_text(text + "\n")
    (tmp_path / "a.newel").write_text("use nothing\n")
    for command in ("config", "check"):
        done = newel(tmp_path, command)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.decode() == f"error: {said}\n"


@pytest.mark.parametrize(
    ("path", "hint"),
    [("board", ": did you mean `boards`?"), ("boards/a.newl", ": did you mean `boards/a.newel`?"), ("x/y", "")],
)
def test_a_path_that_is_not_there_is_told_as_the_configurations(path: str, hint: str, tmp_path: Path) -> None:
    """Wherever one stands, and by every command that works on files."""
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "a.newel").write_text("use nothing\n")
    (tmp_path / "newel.toml").write_text(f'paths = ["{path}"]\n')
    for command in (["config"], ["check"], ["fmt"], ["test"]):
        done = newel(tmp_path / "boards", *command)
        assert (done.returncode, done.stdout) == (2, b"")
        said = f"error: newel.toml: `paths` names `{path}`, and no such file or folder is there{hint}\n"
        assert done.stderr.decode() == said
    assert newel(tmp_path, "check", "boards").returncode == 0


def test_a_pattern_that_fits_no_file_is_told(tmp_path: Path) -> None:
    """Each once; not where only some files are looked at, and it is no error."""
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "a.newel").write_text("use nothing\n")
    patterns = '[per-path-ignore]\n"bords/*" = ["NW505"]\n[per-path-severity]\n"%s/*" = { NW505 = "note" }\n'
    (tmp_path / "newel.toml").write_text(patterns % "bords")
    said = b"note: newel.toml: no file fits the pattern `bords/*`\n"
    for command in (["config"], ["check"]):
        done = newel(tmp_path, *command)
        assert (done.returncode, done.stderr) == (0, said)
    for command in (["check", "boards"], ["check", "--quiet"]):
        assert newel(tmp_path, *command).stderr == b""
    (tmp_path / "newel.toml").write_text((patterns % "boards").replace("bords", "boards"))
    assert newel(tmp_path, "check").stderr == b""


def test_paths_are_those_from_the_folder_of_the_configuration(tmp_path: Path) -> None:
    """Wherever one stands."""
    (tmp_path / "legacy").mkdir()
    board = 'workflow w "W" {\n  step a "A" { start }\n  step b "B" { manual_move false }\n}\n'
    (tmp_path / "legacy" / "a.newel").write_text(board)
    assert newel(tmp_path, "check").returncode == 0
    (tmp_path / "newel.toml").write_text('[per-path-severity]\n"legacy/*" = { NW504 = "error" }\n')
    assert newel(tmp_path, "check").returncode == 1
    assert newel(tmp_path / "legacy", "check").returncode == 1
