"""Ways from step to step: what is reached, what leads nowhere, what is never taken, what is filled from what."""

from __future__ import annotations

import pytest

from tests.compiler.checks.boards import board, findings, said

CLOSED = "manual_move false"


def test_a_step_is_reached_by_a_move_under_any_trigger() -> None:
    for trigger in ("turn_start", "turn_complete", "comment", "heartbeat", "budget_alert"):
        assert said(board(f"a: start; on {trigger} {{ -> b }}", "b: end", every=CLOSED)) == []


def test_a_step_is_reached_by_a_guarded_move_and_by_one_that_waits_for_approval() -> None:
    guarded = 'on enter { clear_decisions }; seats [seat(reviewer, agent="ada")]'
    moves = "on turn_complete { -> b when all_approve(reviewer) }; on comment { -> c requires approval }"
    assert said(board(f"a: start; {guarded}; {moves}", "b: end", "c: end", every=CLOSED)) == []


def test_a_step_is_reached_by_hand_where_it_may_be() -> None:
    assert said(board("a: start", "b:", "c: end")) == []
    assert said(board("a: start", f"b: {CLOSED}", "c: end")) == ["NW504 b"]


def test_a_step_is_reached_by_a_pull() -> None:
    assert said(board("a: start", "b: pull_from a; wip_limit 1", every=CLOSED)) == []


def test_what_only_an_unreached_step_leads_to_is_not_reached() -> None:
    text = board(
        "a: start; on comment { -> d }", "b: on comment { -> c }", "c: on comment { -> b }", "d: end", every=CLOSED
    )
    assert said(text) == ["NW504 b", "NW504 c"]


def test_what_is_reached_is_not_asked_without_a_start() -> None:
    assert said(board("a:", "b:", every=CLOSED)) == ["NW501 board", "NW505 a"]


def test_what_is_reached_is_not_asked_while_a_move_is_not_understood() -> None:
    assert said(board("a: start; on comment { -> bb }", "b:", "c: end", every=CLOSED)) == ["NW103 bb", "NW505 b"]


@pytest.mark.parametrize(
    ("steps", "dead"),
    [
        (["a: start", "b: end"], ["NW505 a", "NW504 b"]),
        (["a: start; end", "b: end"], ["NW504 b"]),
        (["a: start; on comment { -> b }", "b:"], []),
        (["a: start", "b: manual_move"], []),
        (["a: start", "b: pull_from a; wip_limit 1"], []),
    ],
)
def test_a_dead_end_has_no_way_out_is_no_end_and_not_the_last(steps: list[str], dead: list[str]) -> None:
    assert sorted(said(board(*steps, every=CLOSED))) == sorted(dead)


def test_a_step_that_only_itself_is_entered_by_hand_has_no_way_out() -> None:
    assert said(board("a: start; manual_move; on comment { -> b }", "b: manual_move", "c: end", every=CLOSED)) == [
        "NW504 c",
    ]
    assert said(board("a: start; manual_move", "c: end", every=CLOSED)) == ["NW505 a", "NW504 c"]


def test_a_move_to_itself_is_no_way_out() -> None:
    assert said(board("a: start; on comment { -> a }", "b: end", every=CLOSED)) == ["NW505 a", "NW503 -> a", "NW504 b"]


@pytest.mark.parametrize("trigger", ["turn_start", "turn_complete", "comment", "heartbeat", "agent_error"])
def test_a_move_to_itself_and_a_missing_neighbour_are_found_under_every_trigger(trigger: str) -> None:
    text = board(f"a: start; on {trigger} {{ -> a }}", f"b: on {trigger} {{ -> next }}")
    assert said(text) == ["NW503 -> a", "NW502 -> next"]
    text = board(f"a: start; on {trigger} {{ -> previous }}", "b: end")
    assert said(text) == ["NW502 -> previous"]


def test_next_and_previous_go_by_the_order_of_the_file() -> None:
    assert said(board("a: start; on comment { -> next }", "b: on comment { -> previous }", every=CLOSED)) == []


def test_only_moves_after_an_unconditional_one_under_the_same_trigger_are_never_taken() -> None:
    lists = "on comment {\n -> b requires approval\n -> b\n -> c\n queue_run\n -> b\n }; on heartbeat { -> c }"
    assert said(board(f"a: start; {lists}", "b: end", "c: end")) == ["NW507 -> c", "NW507 -> b"]


def test_each_start_after_the_first_is_found_with_the_first_beside_it() -> None:
    text = board("a: start", "b: start", "c: start")
    found = findings(text)
    assert [(f.rule.code, f.span.text, f.related[0].span.start) for f in found] == [
        ("NW506", "start", text.index("start")),
        ("NW506", "start", text.index("start")),
    ]


def test_a_pull_cycle_is_told_once_with_all_its_steps() -> None:
    limited = "; wip_limit 1"
    text = board(f"a: start; pull_from c{limited}", f"b: pull_from a{limited}", f"c: pull_from b{limited}",
                 f"d: pull_from b{limited}")  # fmt: skip
    (found,) = findings(text)
    assert found.message == "these steps are filled from one another in a circle: a <- c <- b <- a"
    assert [related.span.text for related in found.related] == ["pull_from", "pull_from"]


def test_a_step_filled_from_itself_is_a_cycle() -> None:
    (found,) = findings(board("a: start; pull_from a; wip_limit 1"))
    assert found.message == "these steps are filled from one another in a circle: a <- a"


def test_a_limit_of_nothing_is_none() -> None:
    assert said(board("a: start", "b: pull_from a; wip_limit 0")) == ["NW512 pull_from"]


BROKEN = 'workflow w "W" {\n  step a "A" { on comment { -> a } }\n  step b "B" {\n    on heartbeat = 3\n  }\n}\n'


def test_of_a_workflow_that_could_not_be_read_whole_nothing_is_said_about_what_it_lacks() -> None:
    assert {finding.rule.code[:3] for finding in findings(BROKEN)} == {"NW0"}
    fine = BROKEN.replace("workflow w", "workflow v")
    assert "NW501" in {finding.rule.code for finding in findings(BROKEN + fine.replace("    on heartbeat = 3\n", ""))}


def test_workflows_of_ten_thousand_steps_are_walked_without_recursion() -> None:
    """By hand every step leads to every other; that is not written out."""
    steps = [f"s{i}: on comment {{ -> s{i + 1} }}" for i in range(2000)]
    assert said(board("s: start; on comment { -> s0 }", *steps, "s2000: end", every=CLOSED)) == []
