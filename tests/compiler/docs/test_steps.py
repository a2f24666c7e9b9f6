"""What is said of a step: what runs on entry and by whom, under every trigger, and the ways in and out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from newel.compiler import compile_files, compile_text
from newel.compiler.docs.forms import HTML, MARKDOWN, Form
from newel.compiler.docs.render import pages
from newel.compiler.docs.shape import StepView
from newel.compiler.docs.view import site
from newel.compiler.program import Move, Program, Workflow
from tests.compiler.docs.pages import rendered
from tests.compiler.exports.boards import office, program, said, step, workflow

ROOT = Path(__file__).parents[3]


def views(board: Workflow) -> dict[str, StepView]:
    """The steps of a board by name."""
    (shown,) = site(program(board))["workflows"]
    return {view["name"]: view for view in shown["steps"]}


def test_entry_is_told_apart_by_who_does_it_in_declared_order() -> None:
    """The session's half stands apart; positions are those of the whole list."""
    entry = views(office())["review"]["entry"]
    assert [(item["position"], item["code"]) for item in entry["dispatched"]] == [
        (0, "clear_decisions"),
        (2, "ensure_participant_seat(reviewer)"),
        (3, 'queue_run(participant(reviewer), reason="please_judge")'),
    ]
    assert [(item["position"], item["code"]) for item in entry["session"]] == [(1, "auto_start_agent")]


def test_the_page_says_entry_in_words() -> None:
    """What each action does, by the documentation of its kind."""
    words = rendered(program(office()))["office.html"].part("step-review").words
    assert "once, in this order; the numbers are those in histories clear_decisions Forget earlier decisions." in words
    assert "Done by the session that arrives, after that; without one it is not done auto_start" in words
    assert words.index("Forget earlier decisions.") < words.index("Leave a seat in the role.") < words.index("Done by")


def test_every_trigger_has_its_list_in_order() -> None:
    """Actions and moves, as they run, `exit` too."""
    board = workflow(
        "w",
        "W",
        [
            step("a", "A", start=True, on={"exit": (said("run_script", command="bye"),), **office().steps["work"].on}),
            *(office().steps[name] for name in ("backlog", "work", "review", "approval", "done")),
        ],
    )
    lists = {each["trigger"]["text"]: each for each in views(board)["a"]["lists"]}
    assert list(lists) == ["exit", "comment", "turn_complete"]
    assert lists["exit"]["doc"] == "The task is about to leave."
    assert [item["code"] for item in lists["turn_complete"]["statements"]] == [
        'run_script("make", timeout=90m)',
        "-> review",
    ]


ORDER = """
workflow w "W" {
  step a "A" {
    start
    requires_signal
    include ends
    on exit { disable_plan_mode }
    on comment { queue_run(reason="said") }
    on enter { auto_start_agent }
    on agent_error { queue_run(reason="failed") }
  }
  step b "B" {}
}
fragment ends { on turn_complete { -> b } }
"""


def compiled() -> Program:
    """A program whose triggers stand in no order of the alphabet."""
    return compile_text(ORDER).require()


@pytest.mark.parametrize("form", [HTML, MARKDOWN], ids=["html", "markdown"])
def test_triggers_stand_as_in_the_file_and_what_is_done_on_leaving_apart(form: Form) -> None:
    """Those of a fragment where it stands; `exit` under a heading of its own, behind the others."""
    text = pages(site(compiled(), form=form), form)[f"w{form.suffix}"]
    heads = ["While a task is here", "#trigger-comment", "#trigger-agent_error", "#trigger-turn_complete", "On leaving"]
    places = [text.index(head, text.index("On entry")) for head in [*heads, "#trigger-exit", "Ways in"]]
    assert places == sorted(places)


def test_nothing_is_left_for_a_heading_that_has_nothing_under_it() -> None:
    words = rendered(compiled())["w.html"].part("step-b").words
    assert "While a task is here" not in words
    assert "On leaving" not in words


@pytest.mark.parametrize("form", [HTML, MARKDOWN], ids=["html", "markdown"])
def test_the_session_comes_after_the_arrival_only_where_that_does_something(form: Form) -> None:
    text = pages(site(compiled(), form=form), form)[f"w{form.suffix}"]
    assert "after that" not in text
    assert "without one it is not done" in text


@pytest.mark.parametrize("form", [HTML, MARKDOWN], ids=["html", "markdown"])
def test_a_way_that_waits_for_a_signal_says_so(form: Form) -> None:
    """From both its ends, in the list and in the picture; what a colleague says needs none."""
    text = pages(site(compiled(), form=form), form)[f"w{form.suffix}"]
    way = r"on (?:\[`turn_complete`\]\([^)]*\)|<a [^>]*><code>turn_complete</code></a>), once signalled"
    assert len(re.findall(way, text)) == 2
    assert "turn_complete, once signalled" in text
    assert text.count("once signalled") >= 4
    assert text.count("only once signalled") == 1
    lists = {each["trigger"]["text"]: each["signal"] for each in site(compiled())["workflows"][0]["steps"][0]["lists"]}
    assert lists == {"turn_complete": True, "exit": False, "comment": False, "agent_error": False}


def test_an_entry_action_is_numbered_as_histories_number_it() -> None:
    """By its place in the whole list, from 0, not by its place on the page."""
    page = rendered(program(office()))["office.html"].part("step-review")
    assert [attributes["value"] for tag, attributes in page.elements if "value" in attributes] == ["0", "2", "3", "1"]
    assert "- position 2: [" in pages(site(program(office()), form=MARKDOWN), MARKDOWN)["office.md"]


def test_backticks_are_code_wherever_the_vocabulary_says_something() -> None:
    """Of a trigger, a kind and a setting."""
    page = rendered(compile_files([ROOT / "examples" / "orders.newel"]).require())
    assert [name for name, each in page.items() if "`" in each.words] == []


def test_what_a_step_is_for_looks_alike_however_it_was_said() -> None:
    """By `about` or by a `##` before it."""
    said = program(
        workflow("w", "W", [step("a", "A", start=True, doc="Text."), step("b", "B", settings={"about": "Text."})])
    )
    page = rendered(said)["w.html"]
    one, two = (page.part(f"step-{name}").text for name in "ab")
    assert '<p dir="auto">Text.</p>' in one
    assert one[one.index("</h2>") : one.index("<h3>")].split() == two[two.index("</h2>") : two.index("<h3>")].split()


def test_ways_in_and_out_are_all_there() -> None:
    """Moves with trigger, guard and approval; pulls; by hand."""
    shown = views(office())
    done = [
        (w["step"]["text"], (w["trigger"] or {"text": "-"})["text"], w["when"], w["approval"])
        for w in shown["done"]["ways_in"]
    ]
    assert done == [
        ("Approval", "turn_complete", "all_approve(approver)", False),
        ("Approval", "comment", "n_approve(approver, count=2)", True),
    ]
    assert [w["step"]["text"] for w in shown["work"]["ways_in"]] == ["Backlog", "Review", "Approval", "Backlog"]
    assert shown["work"]["ways_in"][-1]["trigger"] is None
    assert shown["backlog"]["ways_out"][-1]["step"]["href"] == "office.html#step-work"
    assert [name for name, view in shown.items() if not view["by_hand"]] == ["approval"]


def test_the_page_says_the_ways_in_words() -> None:
    """As a person would."""
    page = rendered(program(office()))["office.html"]
    assert (
        "new tasks begin here from Backlog on turn_start from Review on turn_complete when"
        in page.part("step-work").words
    )
    assert "from Backlog by a pull, as soon as a place is free" in page.part("step-work").words
    assert "not by hand" in page.part("step-approval").words
    assert "needs approval" in page.part("step-approval").words
    assert "a task here counts as finished" in page.part("step-done").words


@pytest.mark.parametrize(
    ("opened", "closed", "to", "count"),
    [
        (3, 0, "any", 0),
        (0, 3, "none", 0),
        (1, 3, "none", 0),
        (3, 2, "these", 2),
        (12, 2, "any_but", 2),
        (12, 12, "many", 0),
    ],
)
def test_where_a_person_may_move_is_said_shortly(opened: int, closed: int, to: str, count: int) -> None:
    """By the shorter of two lists, seen from a step that may be entered by hand where there is one."""
    flags = [True] * opened + [False] * closed
    steps = [step(f"s{i}", f"S{i}", settings={"manual_move": flag}) for i, flag in enumerate(flags)]
    shown = views(workflow("w", "W", steps))["s0"]["hand_out"]
    assert (shown["to"], len(shown["steps"])) == (to, count)


def test_a_step_that_cannot_be_left_says_so() -> None:
    """None is a way too few."""
    steps = [step("a", "A", start=True, settings={"manual_move": False})]
    page = rendered(program(workflow("w", "W", steps)))["w.html"]
    assert "Ways out none" in page.part("step-a").words


def test_settings_that_were_given_stand_before_those_left_at_the_default() -> None:
    """A reader sees first what is particular to a step."""
    settings = views(office())["work"]["settings"]
    assert [(s["name"], s["value"], s["given"]) for s in settings] == [
        ("manual_move", "true", False),
        ("wip_limit", "3", True),
        ("pull_from", "backlog", True),
        ("every", "15m", False),
    ]
    words = rendered(program(office()))["office.html"].part("step-work").words
    assert words.index("wip_limit") < words.index("2 settings left at the default") < words.index("manual_move")


def test_prompts_are_folded_and_keep_their_lines() -> None:
    """Behind a summary, each sign as it was written."""
    page = rendered(program(office()))["office.html"]
    assert '<details class="prompt">' in page.text
    assert ">Do it.\n\n{{task_prompt}}</pre>" in page.text


def test_moves_to_steps_of_the_same_title_go_to_their_own_sections() -> None:
    """A link goes by name."""
    steps = [
        step("a", "Same", start=True, on={"comment": (Move(to="b"),)}),
        step("b", "Same"),
    ]
    page = rendered(program(workflow("w", "W", steps)))["w.html"]
    assert "w.html#step-b" in page.part("step-a").links
