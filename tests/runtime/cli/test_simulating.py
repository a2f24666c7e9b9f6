"""`newel simulate`: scripts through a pipe, and a walk on a real terminal."""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect  # type: ignore[import-untyped]  # it has no types of its own
import pytest

from newel.compiler.scenarios import FORMS
from tests.docs.pages import ROOT, blocks
from tests.runtime.cli.test_testing import BOARD, NEWEL, OWN

Walk = Callable[..., "pexpect.spawn[str]"]


def simulate(folder: Path, script: str | bytes, *arguments: str) -> tuple[int, str, str]:
    data = script.encode() if isinstance(script, str) else script
    done = subprocess.run([NEWEL, "simulate", *arguments], cwd=folder, capture_output=True, check=False, input=data)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def board(tmp_path: Path) -> Path:
    (tmp_path / "board.newel").write_text(BOARD, "utf-8")
    return tmp_path


# ---------------------------------------------------------------- scripts


def test_a_script_is_read_from_standard_input(board: Path) -> None:
    code, out, err = simulate(board, "create\n\n# one turn\nfire turn_complete\n", "board.newel")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "  1  create",
        "       task: nowhere -> work",
        "         entry 1",
        "           auto_start_agent ran",
        "  4  fire turn_complete",
        "       task: work -> review",
        "         entry 2",
        "           clear_decisions unchanged",
        "           ensure_participant_seat applied",
        "           queue_run_for_each_participant applied",
        "       queued a run for reviewer (enter)",
        'task stands at review "Review"',
    ]


def test_a_script_is_read_from_a_file(board: Path) -> None:
    (board / "walk.txt").write_text("create\nexpect at done\nmove review\n", "utf-8")
    code, out, _ = simulate(board, "", "board.newel", "--script", "walk.txt")
    assert code == 1
    assert "^ the task stands at work, not at done" in out
    assert "move review" not in out
    assert simulate(board, "create", "board.newel", "--script", "-")[0] == 0
    assert simulate(board, "", "board.newel", "--script", "gone.txt") == (
        3,
        "",
        "error: cannot read 'gone.txt': No such file or directory\n",
    )


def test_a_line_that_cannot_be_read_is_shown_at_its_place_and_nothing_is_played(board: Path) -> None:
    code, out, err = simulate(board, "create\nmove revie\nexpct at done", "board.newel")
    assert (code, out) == (1, "")
    assert "<stdin>:2:6: error NW103 this workflow has no step `revie`" in err
    assert "2 | move revie\n  |      ^^^^^" in err
    assert "<stdin>:3:1: error NW126 no line of a scenario begins with `expct`" in err
    code, _, err = simulate(board, "creat", "board.newel")
    assert code == 1
    assert err.startswith("<stdin>:1:1: error NW126")
    assert "1 | creat\n  | ^^^^^" in err


@pytest.mark.parametrize("script", ["create (", '"', "create }", b"\xff\xfe"])
def test_a_script_that_is_broken_is_refused(board: Path, script: str | bytes) -> None:
    code, out, err = simulate(board, script, "board.newel")
    assert (code, out) == (1, "")
    assert "<stdin>:1:" in err


def test_a_script_can_not_hold_more_than_lines(board: Path) -> None:
    code, out, err = simulate(board, 'create }\nworkflow x "X" { step a "A" { start } ', "board.newel")
    assert (code, out) == (3, "")
    assert err == "error: a script holds the lines of a scenario, and nothing else\n"


def test_there_must_be_something_to_play(board: Path) -> None:
    assert simulate(board, "", "board.newel")[0] == 3
    assert simulate(board, "# nothing\n", "board.newel")[0] == 3
    (board / "words.newel").write_text("type colour = red\n", "utf-8")
    assert simulate(board, "create", "words.newel") == (3, "", "error: there is no workflow in this file\n")


def test_a_file_with_errors_is_not_walked(board: Path) -> None:
    (board / "board.newel").write_text(BOARD.replace("-> done", "-> doen"), "utf-8")
    code, out, err = simulate(board, "create", "board.newel")
    assert (code, out) == (1, "")
    assert "NW103" in err


def test_of_several_workflows_one_is_named(board: Path) -> None:
    (board / "board.newel").write_text(BOARD + BOARD.replace("workflow board", "workflow other"), "utf-8")
    code, _, err = simulate(board, "create", "board.newel")
    assert code == 2
    assert "which workflow? --workflow names one of board, other" in err
    assert (
        "there is no workflow 'x'; --workflow names one of" in simulate(board, "", "board.newel", "--workflow", "x")[2]
    )
    assert simulate(board, "create", "board.newel", "--workflow", "other")[0] == 0


# ---------------------------------------------------------------- a terminal


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    """Starts a walk of a text on a terminal; whatever it has started is ended."""
    started = []

    def start(text: str, *arguments: str) -> pexpect.spawn[str]:
        (tmp_path / "walk.newel").write_text(text, "utf-8")
        child = pexpect.spawn(
            str(NEWEL),
            ["simulate", "walk.newel", *arguments],
            cwd=str(tmp_path),
            encoding="utf-8",
            timeout=30,
            dimensions=(60, 200),
            echo=False,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def test_a_task_is_walked_from_start_to_end_by_numbers(walk: Walk) -> None:
    """And what was chosen comes out as a scenario that passes."""
    child = walk(BOARD)
    child.expect_exact("There is no task yet.")
    child.expect_exact("1  create")
    child.sendline("1")
    child.expect_exact("auto_start_agent ran")
    child.expect_exact('task stands at work "Work"')
    child.expect_exact("1  fire turn_complete  (-> review)")
    child.expect_exact("move review")
    child.sendline("1")
    child.expect_exact("queued a run for reviewer (enter)")
    child.expect_exact("2  decide, as reviewer")
    child.sendline("2")
    child.expect_exact("Who [reviewer]")
    child.sendline("")
    child.expect_exact("Verdict [approved]")
    child.sendline("rejected")
    child.expect_exact("task: review -> work")
    child.sendline("move review")
    child.expect_exact('task stands at review "Review"')
    child.sendline("decide reviewer approved role=reviewer")
    child.expect_exact("and is finished")
    child.sendline("q")
    child.expect_exact('scenario "a walk" for board {')
    child.expect(pexpect.EOF)
    said = [line.strip() for line in (child.before or "").splitlines()]
    assert said == [
        "",
        "create",
        "fire turn_complete",
        "decide reviewer rejected role=reviewer",
        "move review",
        "decide reviewer approved role=reviewer",
        "}",
    ]
    child.close()
    assert child.exitstatus == 0


@pytest.mark.parametrize("word", ["?", "help"])
def test_whoever_asks_is_told_which_lines_there_are(word: str, walk: Walk) -> None:
    """And the walk goes on; asking is no line of its scenario."""
    child = walk(BOARD)
    child.expect_exact("? to see which there are")
    child.sendline(word)
    for form in FORMS.values():
        child.expect_exact(f"  {form.usage} ")
        child.expect_exact(form.says)
    child.expect_exact("1  create")
    child.sendline("q")
    child.expect(pexpect.EOF)
    assert "scenario" not in (child.before or "")


def test_what_a_walk_prints_plays_as_it_was_seen(walk: Walk, tmp_path: Path) -> None:
    """Whoever decides is cast from the beginning, as in the file; a line that was refused is not in it."""
    child = walk(BOARD)
    child.sendline("create step=review")
    child.expect_exact("queued a run for reviewer (enter)")
    child.sendline("approve")
    child.expect_exact("^ refused: no approval waits")
    child.sendline("decide ben approved role=reviewer")
    child.expect_exact("whoever decides is cast from the beginning: all was played again")
    child.expect_exact("task: review -> done")
    child.sendline("q")
    child.expect_exact('scenario "a walk"')
    child.expect(pexpect.EOF)
    printed = f'scenario "a walk"{child.before or ""}'
    lines = [line.strip() for line in printed.splitlines()[1:-1]]
    assert lines == ["create step=review", "decide ben approved role=reviewer"]
    code, out, _ = simulate(tmp_path, "\n".join(lines), "walk.newel")
    assert code == 0
    assert out.endswith('task stands at done "Done", and is finished\n')
    (tmp_path / "walk.newel").write_text(
        BOARD + printed.replace("\n}", "\n  expect at done\n}").replace("\r", ""), "utf-8"
    )
    done = subprocess.run([NEWEL, "test", "walk.newel"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_walk_of_the_manual_is_what_a_terminal_shows(tmp_path: Path) -> None:
    """Up to where the page leaves off, with what is typed there."""
    page = blocks(ROOT / "docs" / "how-to" / "test-workflows.md")
    (board,) = (block.body for block in page if block.title == "board.newel")
    (shown,) = (block.body for block in page if "$ newel simulate board.newel\n" in block.body and "?" in block.body)
    head, _, shown = shown.partition("\n")
    assert shown.endswith("\n...\n")
    shown = shown.removesuffix("...\n")
    (tmp_path / "board.newel").write_text(board, "utf-8")
    child = pexpect.spawn(
        str(NEWEL), head.split()[2:], cwd=str(tmp_path), encoding="utf-8", timeout=30, dimensions=(60, 200)
    )
    child.logfile_read = io.StringIO()
    try:
        for typed in re.findall(r"(?:\? |: )(\w)$", shown, re.MULTILINE):
            child.expect(r"\? $|\]: $")
            child.sendline(typed)
        child.expect_exact(shown.splitlines()[-1])
    finally:
        child.close(force=True)
    said = child.logfile_read.getvalue().replace("\r\n", "\n")
    assert said.startswith(shown.rstrip("\n"))


def test_a_mistake_is_told_and_the_walk_goes_on(walk: Walk) -> None:
    child = walk(BOARD)
    child.sendline("9")
    child.expect_exact("There is no choice 9.")
    child.sendline("move review")
    child.expect_exact("`move` stands before its task is there; begin with `create`")
    child.sendline("create }")
    child.expect_exact("closes nothing")
    child.sendline("create")
    child.expect_exact("task: nowhere -> work")
    child.sendline("approve")
    child.expect_exact("^ refused: no approval waits")
    child.sendline("expect at done")
    child.expect_exact("^ the task stands at work, not at done")
    child.sendline("expect at work")
    child.expect_exact("it holds")
    child.sendeof()
    child.expect_exact('scenario "a walk" for board {')
    child.expect(pexpect.EOF)
    assert [line.strip() for line in (child.before or "").splitlines()] == ["", "create", "expect at work", "}"]
    child.close()
    assert child.exitstatus == 0


def test_what_only_a_host_knows_is_asked(walk: Walk) -> None:
    """The answer of a guard, the payload of a trigger, and whether the agent has signalled."""
    child = walk(OWN.replace("trigger paid ", "trigger paid(by: text, sum: int) ").partition("scenario")[0])
    child.sendline("1")
    child.expect_exact("1  fire paid  (-> b)")
    child.sendline("1")
    child.expect_exact("by (text)")
    child.sendline('Ada "A" L.')
    child.expect_exact("sum (int)")
    child.sendline("3")
    child.expect_exact("Does enough hold?")
    child.sendline("n")
    child.expect_exact(r'fire paid(by="Ada \"A\" L.", sum=3)')
    child.expect_exact("not to b: not_fulfilled")
    child.sendline("q")
    child.expect(pexpect.EOF)

    signalled = walk(BOARD.replace("    start\n", "    start\n    requires_signal\n"))
    signalled.sendline("1")
    signalled.expect_exact("1  fire turn_complete")
    signalled.sendline("1")
    signalled.expect_exact("Has the agent signalled it")
    signalled.sendline("y")
    signalled.expect_exact("fire turn_complete signalled=true")
    signalled.expect_exact("task: work -> review")
    signalled.sendline("q")
    signalled.expect(pexpect.EOF)


def test_every_role_that_a_guard_asks_may_decide(walk: Walk) -> None:
    """Also where the guards are joined or turned round; and whoever has not decided is proposed."""
    guards = "-> done when all_approve(reviewer) and not any_reject(approver)"
    child = walk(BOARD.replace("-> done when all_approve(reviewer)", guards))
    child.sendline("create step=review")
    child.expect_exact("2  decide, as reviewer")
    child.expect_exact("3  decide, as approver")
    child.sendline("seat ada role=reviewer")
    child.sendline('seat "Zoe Z." role=reviewer')
    child.sendline("2")
    child.expect_exact("Who [Zoe Z.]")
    child.sendline("")
    child.expect_exact("Verdict [approved]")
    child.sendline("")
    child.expect_exact('decide "Zoe Z." approved role=reviewer')
    child.sendline("2")
    child.expect_exact("Who [ada]")
    child.sendline("")
    child.sendline("abstained")
    child.sendline("redispatch")
    child.expect_exact("entry 1 again")
    child.sendline("switch board step=work")
    child.expect_exact('task stands at work "Work"')
    child.sendline("q")
    child.expect(pexpect.EOF)


def test_a_waiting_approval_is_offered(walk: Walk) -> None:
    child = walk(OWN.replace("-> b when enough", "-> b requires approval"))
    child.sendline("1")
    child.expect_exact("1  fire paid")
    child.sendline("1")
    child.expect_exact("an approval waits to go to b")
    child.expect_exact("1  approve to=b")
    child.expect_exact("2  reject to=b")
    child.sendline("1")
    child.expect_exact("and is finished")
    child.sendline("q")
    child.expect(pexpect.EOF)
