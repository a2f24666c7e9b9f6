"""`newel diff` from a terminal: files, folders and refs of a real repository, exit codes, formats, a real ledger."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from newel.compiler.reports import REPORTS
from tests.runtime.cli.command import newel

OLD = """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> check }
  }
  step check "Check" {
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
"""
RENAMED = OLD.replace("step work", "step build")
BROKEN = OLD.replace("-> check }", "-> done }").replace(
    """  step check "Check" {
    on turn_complete { -> done }
  }
""",
    "",
)


def git(folder: Path, *arguments: str) -> str:
    who = {f"GIT_{role}_{what}": "x@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True, env={**os.environ, **who}
    )
    return done.stdout


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A repository with two versions of a board, which uses a file and takes a text from another."""
    (tmp_path / "boards").mkdir()
    (tmp_path / "newel.toml").write_text("")
    board = tmp_path / "boards" / "desk.newel"
    board.write_text(f'use "words.newel"\ntext rules file "rules.md"\n\n{OLD}')
    (tmp_path / "boards" / "words.newel").write_text("extend type role = counsel\n")
    (tmp_path / "boards" / "rules.md").write_text("Be kind.\n")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    git(tmp_path, "tag", "v1")
    return tmp_path


def said(folder: Path, *arguments: str | Path) -> tuple[int, str]:
    done = newel(folder, "diff", *arguments)
    return done.returncode, done.stdout.decode() + done.stderr.decode()


def pair(folder: Path, new: str) -> None:
    (folder / "old.newel").write_text(OLD)
    (folder / "new.newel").write_text(new)


# ---------------------------------------------------------------- exit codes and formats


def test_it_exits_with_1_where_it_breaks_and_with_0_where_it_does_not(tmp_path: Path) -> None:
    pair(tmp_path, BROKEN)
    assert said(tmp_path, "old.newel", "new.newel")[0] == 1
    pair(tmp_path, RENAMED)
    assert said(tmp_path, "old.newel", "new.newel")[0] == 0
    assert said(tmp_path, "old.newel", "new.newel", "--strict")[0] == 1
    pair(tmp_path, OLD.replace('"Desk"', '"Desk"').replace("start\n", 'start\n    color "red"\n'))
    assert said(tmp_path, "old.newel", "new.newel", "--strict")[0] == 0
    assert said(tmp_path, "old.newel", "old.newel") == (0, "nothing changed\n")


def test_what_is_ignored_or_graded_in_the_configuration_is_so_here(tmp_path: Path) -> None:
    pair(tmp_path, BROKEN)
    assert said(tmp_path, "old.newel", "new.newel", "--ignore", "NW803")[0] == 0
    (tmp_path / "newel.toml").write_text('select = ["NW5"]\n[severity]\nNW803 = "note"\n')
    code, text = said(tmp_path, "old.newel", "new.newel")
    assert code == 0
    assert "note NW803" in text
    assert said(tmp_path, "old.newel", "new.newel", "--ignore", "NW8O3")[0] == 2


def test_a_configured_selection_of_changes_holds_and_one_of_checks_says_nothing_of_them(tmp_path: Path) -> None:
    pair(tmp_path, BROKEN)
    (tmp_path / "newel.toml").write_text('select = ["NW5", "NW812"]\n')
    code, text = said(tmp_path, "old.newel", "new.newel")
    assert (code, "NW803" in text) == (0, False)
    assert "NW803" in said(tmp_path, "old.newel", "new.newel", "--select", "NW80")[1]
    assert "nothing" in said(tmp_path, "old.newel", "new.newel", "--select", "NW84")[1]


def test_a_severity_for_some_paths_holds_where_the_new_version_has_the_change(tmp_path: Path) -> None:
    pair(tmp_path, BROKEN)
    (tmp_path / "newel.toml").write_text('[per-path-severity]\n"new*" = { NW803 = "note" }\n')
    assert said(tmp_path, "old.newel", "new.newel")[0] == 0
    (tmp_path / "newel.toml").write_text('[per-path-ignore]\n"new*" = ["NW803"]\n')
    assert "NW803" not in said(tmp_path, "old.newel", "new.newel")[1]


# ---------------------------------------------------------------- what the new version allows

ALLOWED = "# newel: allow {} because the tasks are moved on Friday\n"


def test_a_change_is_let_pass_where_the_new_version_allows_it(tmp_path: Path) -> None:
    """A renamed step at its line; one that is gone where its workflow begins."""
    pair(tmp_path, RENAMED.replace("  step build", f"  {ALLOWED.format('NW804')}  step build"))
    assert said(tmp_path, "old.newel", "new.newel", "--strict") == (0, "nothing changed\n")
    pair(tmp_path, f"{ALLOWED.format('NW803')}{BROKEN}")
    code, text = said(tmp_path, "old.newel", "new.newel")
    assert (code, "NW803" in text) == (0, False)


def test_what_is_allowed_is_no_reason_against_a_task_either(tmp_path: Path) -> None:
    pair(tmp_path, f"{ALLOWED.format('NW803')}{BROKEN}")
    at = ("--program", "old.newel", "--ledger", "tasks.db")
    newel(tmp_path, "task", "create", "T-1", "--workflow", "desk", "--step", "check", *at)
    code, text = said(tmp_path, "old.newel", "new.newel", "--ledger", "tasks.db")
    assert code == 0
    assert "compatible: T-1" in text


def test_what_the_old_version_allows_allows_nothing(tmp_path: Path) -> None:
    (tmp_path / "old.newel").write_text(f"{ALLOWED.format('NW803')}{OLD}")
    (tmp_path / "new.newel").write_text(BROKEN)
    assert said(tmp_path, "old.newel", "new.newel")[0] == 1


def test_a_comment_that_allows_a_change_that_is_not_there_is_told_beside_the_report(tmp_path: Path) -> None:
    pair(tmp_path, f"{ALLOWED.format('NW804')}{OLD}")
    done = newel(tmp_path, "diff", "old.newel", "new.newel")
    assert done.returncode == 0
    assert done.stdout == b"nothing changed\n"
    assert done.stderr == b"new.newel:1: this comment allows NW804, and no such change is here: delete it\n"


def test_a_check_leaves_what_allows_changes_to_the_comparison_but_for_its_reason(tmp_path: Path) -> None:
    pair(tmp_path, f"{ALLOWED.format('NW804')}{OLD}")
    assert newel(tmp_path, "check", "new.newel", "--strict").returncode == 0
    pair(tmp_path, f"# newel: allow NW804\n{OLD}")
    assert b"NW707" in newel(tmp_path, "check", "new.newel").stdout


def test_files_with_errors_are_told_of_and_not_compared(tmp_path: Path) -> None:
    pair(tmp_path, OLD.replace("start", "strat"))
    code, text = said(tmp_path, "old.newel", "new.newel")
    assert code == 1
    assert "NW105" in text
    assert "there is nothing to compare" in text
    assert said(tmp_path, "old.newel", "nowhere.newel")[0] == 2
    (tmp_path / "empty").mkdir()
    assert said(tmp_path, "old.newel", "empty")[0] == 3


def test_what_is_wrong_in_a_scenario_alone_hinders_no_comparison(tmp_path: Path) -> None:
    pair(tmp_path, OLD + '\nscenario "through" for desk {\n  create\n  expect at dune\n}\n')
    assert said(tmp_path, "old.newel", "new.newel") == (0, "nothing changed\n")


@pytest.mark.parametrize("name", [each.name for each in REPORTS])
def test_every_format_of_check_shows_the_changes(tmp_path: Path, name: str) -> None:
    pair(tmp_path, BROKEN)
    code, text = said(tmp_path, "old.newel", "new.newel", "--format", name)
    assert code == 1
    assert "NW803" in text


def test_json_has_verdict_tree_and_tasks_beside_the_findings(tmp_path: Path) -> None:
    pair(tmp_path, BROKEN)
    for number in range(1, 13):
        newel(tmp_path, "task", "create", f"T-{number:02}", "--workflow", "desk", "--step", "check",
              "--program", "old.newel", "--ledger", "tasks.db")  # fmt: skip
    done = newel(tmp_path, "diff", "old.newel", "new.newel", "--ledger", "tasks.db", "--format", "json")
    data: dict[str, Any] = json.loads(done.stdout)
    assert (data["format_version"], data["verdict"]) == ("1.0", "breaks")
    (number,) = data["changes"]["shape"]["desk"]["in"]["check"]["findings"]
    assert data["findings"][number]["code"] == "NW803"
    assert data["ledger"]["counts"] == {"compatible": 0, "needs_mapping": 0, "breaks": 12}
    (group,) = data["ledger"]["groups"]
    assert (group["workflow"], group["step"], group["count"]) == ("desk", "check", 12)
    assert group["tasks"] == [f"T-{n:02}" for n in range(1, 13)]
    assert [reason["code"] for reason in group["reasons"]] == ["NW803"]
    text = said(tmp_path, "old.newel", "new.newel", "--ledger", "tasks.db")[1]
    assert "T-09, T-10 and 2 more" in text


# ---------------------------------------------------------------- a ledger


def test_with_a_ledger_the_tasks_decide(tmp_path: Path) -> None:
    pair(tmp_path, BROKEN)
    at = ("--program", "old.newel", "--ledger", "tasks.db")
    newel(tmp_path, "task", "create", "T-1", "--workflow", "desk", *at)
    code, text = said(tmp_path, "old.newel", "new.newel", "--ledger", "tasks.db")
    assert code == 0  # nobody stands at the step that has gone
    assert "error NW803" in text
    assert newel(tmp_path, "task", "move", "T-1", "check", *at).returncode == 0
    assert said(tmp_path, "old.newel", "new.newel", "--ledger", "tasks.db")[0] == 1


def test_what_breaks_the_host_breaks_whoever_stands_there(tmp_path: Path) -> None:
    (tmp_path / "old.newel").write_text('trigger paid(order: text) operation "paid:{order}" means system\n' + OLD)
    (tmp_path / "new.newel").write_text(OLD)
    newel(tmp_path, "task", "create", "T-1", "--workflow", "desk", "--program", "old.newel", "--ledger", "tasks.db")
    assert said(tmp_path, "old.newel", "new.newel", "--ledger", "tasks.db")[0] == 1


def test_a_program_of_a_newer_format_in_the_ledger_is_told(tmp_path: Path) -> None:
    pair(tmp_path, BROKEN)
    newel(tmp_path, "task", "create", "T-1", "--workflow", "desk", "--program", "old.newel", "--ledger", "tasks.db")
    with closing(sqlite3.connect(tmp_path / "tasks.db")) as connection, connection:
        newer = '{"format_version": "9.0", "vocabulary": {}}'
        connection.execute("UPDATE newel_programs SET revision = 'r', program = ?", (newer,))
        connection.execute("UPDATE newel_rows SET revision = 'r'")
    code, text = said(tmp_path, "old.newel", "new.newel", "--ledger", "tasks.db")
    assert (code, "Traceback" in text) == (3, False)
    assert "the program has format 9.0; this version reads" in text


def test_a_ledger_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    pair(tmp_path, RENAMED)
    code, text = said(tmp_path, "old.newel", "new.newel", "--ledger", "nowhere.db")
    assert code == 3
    assert "there is no ledger" in text
    assert not (tmp_path / "nowhere.db").exists()


# ---------------------------------------------------------------- git


def test_a_ref_means_what_the_other_side_names(desk: Path) -> None:
    board = desk / "boards" / "desk.newel"
    board.write_text(board.read_text().replace("step work", "step build"))
    for ref in ("git:main", "git:v1", "git:HEAD", f"git:{git(desk, 'rev-parse', 'HEAD').strip()}"):
        for new in ("boards/desk.newel", "boards", "."):
            assert "NW804" in said(desk, ref, new)[1], (ref, new)
    assert "NW804" in said(desk / "boards", "git:main", "desk.newel")[1]
    assert "NW804" in said(desk, "git:main:boards/desk.newel", "boards/desk.newel")[1]
    assert "NW804" in said(desk, "boards", "git:main")[1]  # the other way round it is a renaming, too


def test_two_refs_are_compared_whatever_lies_in_the_folder(desk: Path) -> None:
    board = desk / "boards" / "desk.newel"
    board.write_text(board.read_text().replace("step work", "step build"))
    git(desk, "commit", "-q", "-a", "-m", "two")
    board.write_text("this is no board")
    code, text = said(desk, "git:v1:boards", "git:main:boards")
    assert code == 0
    assert "NW804" in text
    done = said(desk, "git:v1:boards", "git:main:boards", "--format", "concise")[1]
    assert done.startswith("git:main:boards/desk.newel:5:8: warning NW804")


def test_files_that_are_used_and_texts_are_read_at_the_ref_too(desk: Path) -> None:
    (desk / "boards" / "words.newel").write_text("extend type role = notary\n")
    (desk / "boards" / "rules.md").unlink()
    (desk / "boards" / "rules.md").write_text("Be quick.\n")
    code, text = said(desk, "git:main", "boards/desk.newel")
    assert code == 1
    assert "there is no role `counsel` any more" in text
    git(desk, "rm", "-q", "--cached", "boards/words.newel")
    git(desk, "commit", "-q", "-m", "words left out")
    code, text = said(desk, "git:main", "boards/desk.newel")
    assert code == 1
    assert "NW109" in text  # though the file lies in the folder


def test_nothing_is_written_to_the_repository_or_the_folder(desk: Path) -> None:
    before = sorted(path for path in desk.rglob("*") if path.name != "index")
    said(desk, "git:main", "boards")
    assert sorted(path for path in desk.rglob("*") if path.name != "index") == before
    assert git(desk, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "side",
    [
        "git:",
        "git:--output=written",
        "git:-O/etc/passwd",
        "git:--upload-pack=touch written",
        "git:nowhere",
        "git:main; touch written",
        "git:$(touch written)",
        "git:main\ntouch",
        "git:main:../outside.newel",
        "git:main:/etc/passwd",
        "git:main:boards/../../outside.newel",
        "git:@{-99}",
    ],
)
def test_a_hostile_ref_or_path_is_refused_and_nothing_of_it_is_run(desk: Path, side: str) -> None:
    code, text = said(desk, side, "boards/desk.newel")
    assert code == 2, text
    assert "Traceback" not in text
    assert not list(desk.rglob("written*"))


def test_what_looks_like_a_pattern_is_a_name(desk: Path) -> None:
    for path in ("boards/*.newel", ":(glob)**", ":/boards"):
        code, text = said(desk, f"git:main:{path}", "boards/desk.newel")
        assert code == 3, path
        assert "there are no workflow files" in text


def test_a_ref_with_a_slash_and_names_of_other_scripts_are_taken(desk: Path) -> None:
    (desk / "boards" / "büro.newel").write_text(OLD.replace("workflow desk", "workflow office"))
    git(desk, "checkout", "-q", "-b", "feature/büro")
    git(desk, "add", ".")
    git(desk, "commit", "-q", "-m", "office")
    assert said(desk, "git:feature/büro:boards/büro.newel", "boards/büro.newel") == (0, "nothing changed\n")


def test_outside_of_a_repository_it_says_so(tmp_path: Path) -> None:
    pair(tmp_path, OLD)
    done = newel(tmp_path, "diff", "git:main", "new.newel", GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    assert done.returncode == 3
    assert b"no git repository" in done.stderr


def test_in_a_linked_worktree_it_works_the_same(desk: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    linked = tmp_path_factory.mktemp("linked") / "tree"
    git(desk, "worktree", "add", "-q", "-b", "side", str(linked))
    board = linked / "boards" / "desk.newel"
    board.write_text(board.read_text().replace("step work", "step build"))
    assert "NW804" in said(linked, "git:main", "boards")[1]
