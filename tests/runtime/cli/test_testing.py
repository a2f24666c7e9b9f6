"""`newel test` as it is used: commands in a folder, what they print, and how they end."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from junitparser import JUnitXml

NEWEL = Path(sys.executable).with_name("newel")

BOARD = """\
workflow board "Board" {
  step work "Work" {
    start
    on enter         { auto_start_agent }
    on turn_complete { -> review }
  }
  step review "Review" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> work when any_reject(reviewer)
    }
  }
  step done "Done" { end }
}
"""
GOOD = """
scenario "Approved" for board {
  create
  fire turn_complete
  decide ben approved role=reviewer
  expect at done
}
"""
BAD = """
scenario "Sent <back> \\u0001" for board {
  create
  fire turn_complete
  decide ben rejected role=reviewer
  expect at done
  move review
}
"""


EMPTY = """
scenario "Later" for board {
}
"""


def newel(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [NEWEL, *arguments], cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    return done.returncode, done.stdout, done.stderr


def folder(path: Path, *, one: str = GOOD, two: str = "") -> Path:
    (path / "board.newel").write_text(BOARD + one, "utf-8")
    if two:
        (path / "checks.newel").write_text('use "board.newel"\n' + two, "utf-8")
    return path


def test_a_scenario_without_a_line_is_played_and_the_others_with_it(tmp_path: Path) -> None:
    (tmp_path / "board.newel").write_text(BOARD + EMPTY + GOOD)
    code, out, err = newel(tmp_path, "test")
    assert (code, err) == (0, "")
    assert "Later ... ok" in out
    assert "2 scenarios: 2 ok, 0 failed" in out


def test_scenarios_that_pass_are_told_in_a_line_each(tmp_path: Path) -> None:
    code, out, err = newel(folder(tmp_path), "test")
    assert (code, err) == (0, "")
    assert out == "board.newel:21: Approved ... ok\n\n1 scenario: 1 ok, 0 failed\n"


def test_a_scenario_that_fails_shows_its_trace_up_to_the_line(tmp_path: Path) -> None:
    code, out, _ = newel(folder(tmp_path, one=BAD), "test")
    assert code == 1
    assert out.splitlines()[1:] == [
        "",
        "board.newel:21: Sent <back> ␁",
        "  22  create",
        "        task: nowhere -> work",
        "          entry 1",
        "            auto_start_agent ran",
        "  23  fire turn_complete",
        "        task: work -> review",
        "          entry 2",
        "            clear_decisions unchanged",
        "            ensure_participant_seat applied",
        "            queue_run_for_each_participant applied",
        "        queued a run for ben (enter)",
        "  24  decide ben rejected role=reviewer",
        "        task: review -> work",
        "          decision 1 recorded",
        "          not to done: threshold_not_met (0 of 1)",
        "          entry 3",
        "            auto_start_agent ran",
        "  25  expect at done",
        "        ^ the task stands at work, not at done",
        "",
        "1 scenario: 0 ok, 1 failed",
    ]


def test_what_came_of_a_scenario_is_shown_on_demand(tmp_path: Path) -> None:
    _, out, _ = newel(folder(tmp_path), "test", "--trace")
    assert "  24  decide ben approved role=reviewer\n        task: review -> done\n" in out


def test_a_file_that_another_uses_is_played_once_and_with_it(tmp_path: Path) -> None:
    code, out, _ = newel(folder(tmp_path, two=GOOD.replace("Approved", "Again")), "test")
    assert code == 0
    assert [line for line in out.splitlines() if "..." in line] == [
        "board.newel:21: Approved ... ok",
        "checks.newel:3: Again ... ok",
    ]


def test_scenarios_are_chosen_by_their_titles(tmp_path: Path) -> None:
    folder(tmp_path, two=GOOD.replace("Approved", "Again"))
    assert newel(tmp_path, "test", "-k", "APPROV")[1].startswith("board.newel:21: Approved ... ok\n\n1 scenario")
    assert newel(tmp_path, "test", "-k", "nowhere") == (
        3,
        "",
        "error: there is no scenario here whose title holds 'nowhere'\n",
    )


def test_without_scenarios_there_is_nothing_to_do(tmp_path: Path) -> None:
    assert newel(folder(tmp_path, one=""), "test") == (3, "", "error: there is no scenario here\n")
    (tmp_path / "board.newel").unlink()
    assert newel(tmp_path, "test")[0] == 3


def test_a_file_with_errors_fails_and_the_others_are_played(tmp_path: Path) -> None:
    (folder(tmp_path) / "wrong.newel").write_text(BOARD.replace("-> done", "-> doen"), "utf-8")
    code, out, err = newel(tmp_path, "test")
    assert code == 1
    assert "board.newel:21: Approved ... ok" in out
    assert "error NW103 this workflow has no step `doen`" in err


def test_coverage_says_what_nothing_saw_and_holds_a_bar(tmp_path: Path) -> None:
    code, out, _ = newel(folder(tmp_path), "test", "--coverage")
    assert code == 0
    assert out.splitlines()[2:] == [
        "coverage of board: steps 3/3, moves 2/3, guards 1/4, entry actions 4/4",
        "  board.newel:14:7: the guard of review -> done on turn_complete never said no",
        "  board.newel:15:7: review -> work on turn_complete was never taken",
        "  board.newel:15:7: the guard of review -> work on turn_complete never said yes",
        "  board.newel:15:7: the guard of review -> work on turn_complete never said no",
        "coverage: 71.4 %",
        "",
        "1 scenario: 1 ok, 0 failed",
    ]
    assert newel(tmp_path, "test", "--fail-under", "71")[0] == 0
    code, out, err = newel(tmp_path, "test", "--fail-under", "72")
    assert (code, err) == (1, "error: the coverage is 71.4 %, less than 72 %\n")
    assert "coverage of board" in out
    assert newel(tmp_path, "test", "--fail-under", "101")[0] == 2


def test_junit_is_read_by_a_parser_and_holds_the_trace(tmp_path: Path) -> None:
    code, out, _ = newel(folder(tmp_path, two=BAD), "test", "--format", "junit")
    assert code == 1
    root = ET.fromstring(out)  # noqa: S314 - our own output
    assert (root.tag, root.attrib["tests"], root.attrib["failures"]) == ("testsuites", "2", "1")
    assert [suite.attrib["name"] for suite in root] == ["board.newel", "checks.newel"]
    good, bad = root.iter("testcase")
    assert (good.attrib["name"], len(good)) == ("Approved", 0)
    assert bad.attrib["name"] == "Sent <back> ␁"
    assert bad[0].attrib["message"] == "the task stands at work, not at done"
    assert bad[0].text is not None
    assert "decide ben rejected role=reviewer" in bad[0].text


def test_junit_holds_whatever_a_title_may_be(tmp_path: Path) -> None:
    """Read by a parser that is used, with signs that XML cannot hold and words that would end it."""
    title = json.dumps("]]></failure>&amp;<x a=\"'>\u202e\x01\x1b[31m\ufffeü\U0001f600")
    folder(tmp_path, one=BAD.replace(r'"Sent <back> \u0001"', title))
    code, out, _ = newel(tmp_path, "test", "--format", "junit")
    assert code == 1
    (suite,) = JUnitXml.fromstring(out.encode())
    (case,) = suite
    assert case.name.startswith("]]></failure>&amp;<x a=\"'>")
    assert case.name.endswith("ü😀")
    assert [type(result).__name__ for result in case.result] == ["Failure"]


def test_json_tells_everything(tmp_path: Path) -> None:
    code, out, _ = newel(folder(tmp_path, two=BAD), "test", "--format", "json", "--coverage")
    assert code == 1
    found = json.loads(out)
    assert found["format_version"] == "1.0"
    assert found["summary"] == {"scenarios": 2, "ok": 1, "failed": 1}
    good, bad = found["scenarios"]
    assert (good["status"], good["failure"], good["path"], good["line"], good["column"]) == (
        "ok",
        None,
        "board.newel",
        21,
        10,
    )
    assert bad["failure"] == {
        "message": "the task stands at work, not at done",
        "path": "checks.newel",
        "line": 7,
        "column": 3,
    }
    assert [line["text"] for line in bad["trace"]][-1] == "expect at done"
    assert found["coverage"]["workflows"][0]["steps"] == {"seen": 3, "all": 3}
    assert {missed["path"] for missed in found["coverage"]["workflows"][0]["missed"]} == {"board.newel"}
    assert json.loads(newel(tmp_path, "test", "--format", "json")[1])["coverage"] is None


OWN = """\
trigger paid                                      means system
moves guarded on paid
guard enough
action page on enter

dispatch { page }

workflow w "W" {
  step a "A" {
    start
    on paid { -> b when enough }
  }
  step b "B" {
    end
    on enter { page }
  }
}

scenario "paid" for w {
  create
  fire paid
  expect at b
}
"""
HANDLERS = """\
from newel.runtime import Handlers

handlers = Handlers()

@handlers.action("page")
def page(action, context):
    print("paging")

@handlers.guard("enough")
def enough(guard, context):
    return True
"""


@pytest.mark.parametrize(("options", "code"), [((), 1), (("--with-handlers",), 0)])
def test_code_of_ones_own_is_run_only_where_it_is_asked_for(
    options: tuple[str, ...], code: int, tmp_path: Path
) -> None:
    (tmp_path / "own.newel").write_text(OWN, "utf-8")
    (tmp_path / "desk.py").write_text(HANDLERS, "utf-8")
    (tmp_path / "newel.toml").write_text('handlers = "desk:handlers"\n', "utf-8")
    found, out, err = newel(tmp_path, "test", *options)
    assert found == code
    assert err == ""
    assert ("paging" in out) is bool(options)
    assert ("nobody answers for `enough`" in out) is not bool(options)
