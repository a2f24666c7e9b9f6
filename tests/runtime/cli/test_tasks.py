"""`newel task` and `newel ledger` as processes: what they refuse and exit with, and that looking creates nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

NEWEL = Path(sys.executable).with_name("newel")

BOARD = """
workflow w "W" {
  step a "A" {
    start
    on turn_complete { -> b }
  }

  step b "B" {
    manual_move false
    on enter { queue_run(target=ceo_agent) }
  }

  step c "C" { on enter { page } }
}

action page on enter
dispatch { page }
"""


class Folder:
    """A project folder, and commands run in it or below."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "w.newel").write_text(BOARD, "utf-8")
        (path / "newel.toml").write_text('ledger = "sqlite:///tasks.db"\npaths = ["w.newel"]\n', "utf-8")
        (path / "below").mkdir()

    def newel(self, *arguments: str, code: int = 0, below: str = "") -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [NEWEL, *arguments],
            cwd=self.path / below,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_what_is_wrong_in_a_scenario_alone_keeps_nobody_from_working(folder: Folder) -> None:
    """A task goes on, its page and picture are made; `check` and `test` tell."""
    faulty = BOARD + '\nscenario "through" for w {\n  create\n  expect at dune\n}\n'
    (folder.path / "w.newel").write_text(faulty, "utf-8")
    folder.newel("task", "create", "T-1", "--workflow", "w")
    folder.newel("compile")
    folder.newel("graph", "w.newel", "--format", "dot")
    assert "NW103" in folder.newel("check", code=1).stdout
    assert "NW103" in folder.newel("test", code=1).stderr


def test_a_configured_ledger_is_the_same_from_every_folder_of_the_project(folder: Folder) -> None:
    folder.newel("task", "create", "T", "--workflow", "w")
    folder.newel("task", "fire", "T", "turn_complete", "--without-handlers", below="below", code=1)  # nobody is the ceo
    assert not list((folder.path / "below").iterdir())
    rows = json.loads(folder.newel("ledger", "history", "T", "--json").stdout)
    assert [row["to_step"] for row in rows] == ["a", "b"]


@pytest.mark.parametrize(
    "command", [("ledger", "audit"), ("ledger", "history", "T"), ("task", "list"), ("task", "show", "T")]
)
def test_looking_at_a_ledger_that_is_not_there_creates_none(folder: Folder, command: tuple[str, ...]) -> None:
    assert "no ledger" in folder.newel(*command, code=3).stderr
    assert not (folder.path / "tasks.db").exists()


def test_a_kind_without_a_handler_is_refused_before_anything_happens(folder: Folder) -> None:
    folder.newel("task", "create", "T", "--workflow", "w")
    assert "page" in folder.newel("task", "move", "T", "c", code=2).stderr
    assert json.loads(folder.newel("task", "show", "T", "--json").stdout)["task"]["step"] == "a"
    done = folder.newel("task", "move", "T", "c", "--without-handlers", code=1)
    assert "page failed: not_wired" in done.stdout


def test_a_failed_entry_says_how_it_is_run_again(folder: Folder) -> None:
    """The command that is named works: it runs once the cause is mended, and says the same until then."""
    folder.newel("task", "create", "T", "--workflow", "w")
    done = folder.newel("task", "move", "T", "c", "--without-handlers", code=1)
    said = done.stdout.splitlines()[-1]
    assert said.startswith("  = help: mend the cause, then `newel ledger redispatch ")
    again = said.split("`")[1].split()[1:]
    assert folder.newel(*again, code=1).stdout.splitlines()[-1] == said
    (folder.path / "own.py").write_text(
        "from newel.runtime import Handlers\nhandlers = Handlers()\n"
        "@handlers.action('page')\ndef page(action, context):\n    pass\n"
    )
    settings = folder.path / "newel.toml"
    settings.write_text('handlers = "own:handlers"\n' + settings.read_text("utf-8"), "utf-8")
    assert "help" not in folder.newel(*again).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("task", "create", "T", "--workflow", "x"), 2, "no workflow 'x'; there are w\n"),
        (("task", "create", "T", "--workflow", "w", "--step", "x"), 2, "; there are a, b, c\n"),
        (("task", "move", "X", "b"), 3, "X"),
        (("task", "move", "T", "nowhere"), 2, "no step 'nowhere'; there are a, b, c\n"),
        (("task", "seat", "T", "--step", "x", "--role", "reviewer", "--agent", "eve"), 2, "; there are a, b, c\n"),
        (("task", "move", "T", "b", "--without-handlers"), 3, "by hand"),
        (("task", "create", "T", "--workflow", "w"), 3, "already"),
        (("task", "fire", "T", "turn_compleet"), 2, "no trigger 'turn_compleet'; did you mean 'turn_complete'?\n"),
        (("task", "fire", "T", "x"), 2, "; there are "),
        (("task", "fire", "T", "enter"), 2, "redispatch"),
        (("task", "fire", "T", "comment", "--payload", "{"), 2, "no JSON"),
        (("task", "fire", "T", "comment", "--payload", "[]"), 2, "JSON object"),
        (("task", "fire", "T", "comment", "--payload", '{"comment": "1"}'), 2, "comment"),
        (("task", "list", "--actor", "boss:eve"), 2, "human"),
        (("task", "decide", "T", "approved", "--role", "king", "--by", "eve"), 2, "king"),
        (("ledger", "redispatch", "99"), 3, "99"),
        (("ledger", "redispatch"), 2, "--lost"),
        (("ledger", "history", "X"), 3, "X"),
        (("task", "list", "--ledger", "mysql://nowhere"), 3, "mysql"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(folder: Folder, arguments: tuple[str, ...], code: int, says: str) -> None:
    folder.newel("task", "create", "T", "--workflow", "w")
    assert says in folder.newel(*arguments, code=code).stderr


def test_a_lost_race_exits_with_1(folder: Folder) -> None:
    folder.newel("task", "create", "T", "--workflow", "w")
    outcome = folder.newel("task", "move", "T", "c", "--if-entry", "99", "--without-handlers", "--json", code=1).stdout
    assert json.loads(outcome)["kind"] == "abandoned"


def test_the_actor_is_on_the_row(folder: Folder) -> None:
    folder.newel("task", "create", "T", "--workflow", "w", "--actor", "human:eve")
    (row,) = json.loads(folder.newel("ledger", "history", "T", "--json").stdout)
    assert (row["actor_kind"], row["actor_id"]) == ("human", "eve")


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ("ledgr = 1", "did you mean `ledger`"),
        ("ledger = 1", "`ledger` must be a text"),
        ("[", "cannot be read"),
        ('handlers = "nowhere:x"', "nowhere"),
        ('handlers = "nowhere"', "module:object"),
        ('[severity]\nNW505 = "loud"', "loud"),
        ("[agents]\nrunners = 1", "did you mean `agents.runner`"),
        ('[[agents.candidates]]\nroles = ["reviewer"]', "needs an `id`"),
    ],
)
def test_a_wrong_configuration_exits_with_2(folder: Folder, config: str, says: str) -> None:
    (folder.path / "newel.toml").write_text(config, "utf-8")
    done = folder.newel("task", "create", "T", "--workflow", "w", "--program", "w.newel", "--ledger", "t.db", code=2)
    assert says in done.stderr
    assert not (folder.path / "t.db").exists()


def test_a_candidate_with_a_role_that_the_program_lacks_is_refused_before_there_is_a_ledger(folder: Folder) -> None:
    """Left alone he would never be cast, and whoever did the work would review it."""
    settings = folder.path / "newel.toml"
    good = settings.read_text("utf-8") + '[[agents.candidates]]\nid = "rev"\nroles = ["reviewer"]\n'
    settings.write_text(good.replace("reviewer", "reviwer"), "utf-8")
    done = folder.newel("task", "create", "t", "--workflow", "w", code=2)
    assert "`agents.candidates`: `rev`: the program has no role 'reviwer'; did you mean 'reviewer'?" in done.stderr
    assert not (folder.path / "tasks.db").exists()
    settings.write_text(good, "utf-8")
    folder.newel("task", "create", "t", "--workflow", "w")


def test_a_payload_that_is_no_object_is_told_what_it_must_be(folder: Folder) -> None:
    folder.newel("task", "create", "t", "--workflow", "w")
    done = folder.newel("task", "fire", "t", "turn_complete", "--payload", "[1]", code=2)
    assert "Invalid value for '--payload': it must be a JSON object, like {" in done.stderr
    done = folder.newel("task", "fire", "t", "turn_complete", "--payload", "[", code=2)
    assert "Invalid value for '--payload': it is no JSON: " in done.stderr


# ---------------------------------------------------------------- what is shown and said beside


def test_what_failed_on_entry_is_shown_and_audited_until_it_is_run_again(folder: Folder) -> None:
    folder.newel("task", "create", "T", "--workflow", "w", "--step", "c", "--without-handlers", code=1)
    help_line = "  = help: mend the cause, then `newel ledger redispatch 1`"
    shown = folder.newel("task", "show", "T").stdout.splitlines()
    assert shown[1:5] == ["", "failed on entry", "position  kind  reason", "0         page  not_wired"]
    assert shown[5] == help_line
    (failed,) = json.loads(folder.newel("task", "show", "T", "--json").stdout)["failed_actions"]
    assert (failed["entry_id"], failed["position"], failed["kind"], failed["reason"]) == (1, 0, "page", "not_wired")
    audited = folder.newel("ledger", "audit").stdout.splitlines()
    assert audited == ["note: failed: entry 1 of T, positions 0", help_line, "clean"]
    folder.newel("task", "move", "T", "a")
    assert "failed" not in folder.newel("task", "show", "T").stdout + folder.newel("ledger", "audit").stdout


HANDLERS = """
from newel.runtime import Handlers
handlers = Handlers()
for kind in ("page", "pagge", "ship"):
    handlers.action(kind)(lambda action, context: None)
"""


def test_a_handler_that_nothing_asks_for_is_a_note(folder: Folder) -> None:
    (folder.path / "own.py").write_text(HANDLERS, "utf-8")
    settings = folder.path / "newel.toml"
    settings.write_text('handlers = "own:handlers"\n' + settings.read_text("utf-8"), "utf-8")
    slip = "note: there is a handler for the kind `pagge`, which the program does not declare; did you mean `page`?\n"
    said = folder.newel("task", "create", "T", "--workflow", "w").stderr
    assert said == slip + "note: there is a handler for the kind `ship`, which the program does not declare\n"
    # of a file that is named there may be others, which have a use for it
    assert folder.newel("task", "show", "T", "--program", "w.newel").stderr == slip


VOTE = """
action page on enter
dispatch { page }
workflow v "V" {
  step a "A" {
    start
    wip_limit 1
    seats [seat(reviewer, agent="ada")]
    on turn_complete { -> b when all_approve(reviewer) }
    on comment { -> b requires approval }
  }
  step b "B" { }
  step c "C" {
    pull_from b
    on turn_complete { -> d when any_reject(reviewer) }
    on comment { -> d requires approval }
  }
  step d "D" { on enter { page } }
  step e "E" {
    wip_limit 1
    on turn_complete { -> b when any_reject(reviewer) }
    on comment { -> b requires approval }
    on enter { page }
  }
}
"""


@pytest.mark.parametrize("step", ["c", "e"])
def test_a_decision_or_approval_whose_move_would_need_a_handler_is_refused_before_it_is_recorded(
    folder: Folder, step: str
) -> None:
    """The step that is entered as well as the one that is freed, which another task then enters."""
    (folder.path / "w.newel").write_text(VOTE, "utf-8")
    folder.newel("task", "create", "T", "--workflow", "v", "--step", step, "--without-handlers", code=int(step == "e"))
    folder.newel("task", "fire", "T", "comment", "--payload", '{"comment_id": "c"}', "--without-handlers")
    vote = ("task", "decide", "T", "rejected", "--role", "reviewer", "--by", "ada")
    for command in (vote, ("task", "approve", "1")):
        assert "no handler here for page" in folder.newel(*command, code=2).stderr
    shown = json.loads(folder.newel("task", "show", "T", "--json").stdout)
    assert (shown["decisions"], shown["approvals"][0]["status"], shown["task"]["step"]) == ([], "pending", step)
    folder.newel(*vote, "--without-handlers", code=int(step == "c"))
    assert len(json.loads(folder.newel("task", "show", "T", "--json").stdout)["decisions"]) == 1


@pytest.mark.parametrize(
    ("verdict", "by", "said"),
    [
        ("aproved", "ada", ["the verdict 'aproved' counts only as decided; did you mean 'approved'?"]),
        ("approved", "eve", ["'eve' has no seat as reviewer at a, so no seat counts this decision; those who have"]),
        ("Rejected", "eve", ["did you mean 'rejected'?", "'eve' has no seat"]),
        ("approved", "ada", []),
        ("commented", "ada", []),
    ],
)
def test_a_decision_that_may_not_be_meant_so_is_recorded_and_a_note(
    folder: Folder, verdict: str, by: str, said: list[str]
) -> None:
    (folder.path / "w.newel").write_text(VOTE, "utf-8")
    folder.newel("task", "create", "T", "--workflow", "v")
    done = folder.newel("task", "decide", "T", verdict, "--role", "reviewer", "--by", by, "--json")
    lines = done.stderr.splitlines()
    assert len(lines) == len(said)
    assert all(line.startswith("note: ") and part in line for line, part in zip(lines, said, strict=True))
    assert json.loads(done.stdout)["decision_id"] == 1


def test_a_persons_rejection_counts_without_a_seat_and_needs_no_note(folder: Folder) -> None:
    (folder.path / "w.newel").write_text(VOTE, "utf-8")
    folder.newel("task", "create", "T", "--workflow", "v")
    given = ("task", "decide", "T", "rejected", "--role", "reviewer", "--by", "mia")
    assert folder.newel(*given, "--actor", "human:mia").stderr == ""
    assert "nobody" not in folder.newel(*given).stderr
