"""What is said of a step: what runs on entry and by whom, under every trigger, and the ways in and out."""

from __future__ import annotations

import pytest

from newel.compiler.docs.shape import StepView
from newel.compiler.docs.view import site
from newel.compiler.program import Move, Workflow
from tests.compiler.docs.pages import rendered
from tests.compiler.exports.boards import office, program, said, step, workflow


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
    assert "Dispatched by the arrival itself, once, in this order clear_decisions Forget earlier decisions." in words
    assert "Done by the session after that, by the session that arrives; without one it is not done auto_start" in words
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
        ("manual_move", "yes", False),
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
