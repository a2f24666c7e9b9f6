"""Loops: nothing to do for anybody is an error, something that drives is a note, a person is no loop."""

from __future__ import annotations

import pytest

from newel.compiler.limits import STATES
from tests.compiler.checks.boards import board, findings, said

WORK = "requires_signal; on enter { auto_start_agent }"
WAKES = "requires_signal; on enter { queue_run }"
WORDS = """\
trigger rung                     means person
trigger struck                   means clock
trigger came                     means system
trigger plain
trigger over                     means work_done
moves guarded on rung, struck, came, plain, over
guard ready
guard some(role: role)           means decision(role)
"""


def loop(hop: str, entry: str = WORK) -> list[str]:
    """What is said of a loop with one idle hop and another."""
    text = WORDS + board(f"a: start; {WORK}; on turn_complete {{ -> b }}", f"b: {entry}; {hop}")
    return [each for each in said(text) if each.startswith(("NW508", "NW509"))]


def test_a_finished_turn_where_work_is_started_or_woken_is_idle() -> None:
    assert loop("on turn_complete { -> a }") == ["NW508 -> b"]
    assert loop("on turn_complete { -> a }", WAKES) == ["NW508 -> b"]


def test_another_guard_does_not_help() -> None:
    assert loop("on turn_complete { -> a when ready }") == ["NW508 -> b"]
    assert loop("on over { -> a when not ready }") == ["NW508 -> b"]


@pytest.mark.parametrize("trigger", ["struck", "came", "heartbeat", "budget_alert", "agent_error"])
def test_the_clock_and_the_system_drive(trigger: str) -> None:
    assert loop(f"on {trigger} {{ -> a }}") == ["NW509 -> b"]


@pytest.mark.parametrize(
    "guard", ["all_approve(reviewer)", "any_reject(reviewer)", "some(reviewer)", "not some(reviewer)"]
)
def test_a_guard_that_asks_for_decisions_decides(guard: str) -> None:
    assert loop(f"on turn_complete {{ -> a when {guard} }}") == ["NW509 -> b"]
    assert loop(f"on turn_complete {{ -> a when ready and ({guard} or ready) }}") == ["NW509 -> b"]


@pytest.mark.parametrize(
    "hop",
    [
        "on rung { -> a }",
        "on comment { -> a }",
        "on turn_start { -> a }",
        "on plain { -> a }",
        "on turn_complete { -> a requires approval }",
        "on struck { -> a requires approval }",
    ],
)
def test_a_loop_with_a_person_in_it_is_none(hop: str) -> None:
    assert loop(hop) == []


def test_a_finished_turn_where_nothing_starts_needs_a_person() -> None:
    assert loop("on turn_complete { -> a }", entry="on enter { clear_decisions }") == []


def test_moves_by_hand_and_pulls_make_no_loops() -> None:
    assert said(board(f"a: start; {WORK}; on turn_complete {{ -> b }}", f"b: {WORK}; pull_from a; wip_limit 1")) == [
        "NW702 requires_signal"
    ]


def test_the_message_has_the_whole_trace_and_the_other_moves_are_shown() -> None:
    text = board(*(f"s{i}: {'start;' * (i == 0)}{WORK}; on turn_complete {{ -> s{(i + 1) % 3} }}" for i in range(3)))
    (found,) = findings(text)
    lines = [text[: at.start].count("\n") + 1 for at in (found.span, *(related.span for related in found.related))]
    assert found.message == (
        "this goes round for ever with nobody in it: s0"
        f" -> s1 (on turn_complete, line {lines[0]})"
        f" -> s2 (on turn_complete, line {lines[1]})"
        f" -> s0 (on turn_complete, line {lines[2]})"
    )


def test_of_several_loops_the_shortest_through_each_move_is_told_each_once() -> None:
    """a -> b -> a, and c -> a -> b -> c: two loops share a move; the long way round both adds none."""
    text = board(
        f"a: start; {WORK}; on turn_complete {{ -> b }}",
        f"b: {WORK}; on turn_complete {{\n -> a when ready\n -> c\n }}",
        f"c: {WORK}; on turn_complete {{ -> a }}",
    )
    found = [f.message.partition(": ")[2] for f in findings("guard ready\n" + text) if f.rule.code == "NW508"]
    assert [message.count("->") for message in found] == [2, 3]


def test_an_idle_loop_beside_a_driven_one_is_told_as_each() -> None:
    text = board(
        f"a: start; {WORK}; on turn_complete {{ -> b }}",
        f"b: {WORK}; on turn_complete {{ -> a }}; on heartbeat {{ -> a }}",
    )
    assert said(text) == ["NW508 -> b", "NW509 -> b"]


def test_a_ring_of_a_thousand_steps_is_searched_once() -> None:
    n = 1000
    text = board(*(f"s{i}: {'start;' * (i == 0)}on heartbeat {{ -> s{(i + 1) % n} }}" for i in range(n)))
    assert [each.split()[0] for each in said(text)] == ["NW509"]


def test_the_search_gives_up_in_one_part_and_goes_on_in_the_next() -> None:
    from newel.compiler.checks.registry import rules

    wheel = rules()["NW513"].wrong.rstrip().removesuffix("}")
    text = wheel + '  step x "X" { on heartbeat { -> y } }\n  step y "Y" { on heartbeat { -> x } }\n}\n'
    found = findings(text)
    assert [f.message for f in found if f.rule.code == "NW513"] == [
        f"the search for loops through `r14` gave up after {STATES} steps of work"
    ]
    assert any(f.rule.code == "NW509" and "x -> y" in f.message for f in found)


@pytest.mark.parametrize(
    ("first", "second", "races"),
    [
        ("on enter { auto_start_agent }; on turn_complete { -> b }", "on enter { auto_start_agent }", True),
        ("on enter { auto_start_agent }; on turn_complete { -> b }", "on enter { queue_run }", True),
        ("on enter { auto_start_agent }; on turn_complete { -> b }", "on enter { clear_decisions }", False),
        ("on enter { queue_run }; on turn_complete { -> b }", "on enter { auto_start_agent }", False),
        ("on enter { auto_start_agent }; on comment { -> b }", "on enter { auto_start_agent }", False),
        ("on enter { auto_start_agent }; on turn_complete { -> b when ready }", "on enter { auto_start_agent }", False),
        ("on enter { auto_start_agent }; on turn_complete { -> b requires approval }", "on enter { queue_run }", False),
        (f"{WORK}; on turn_complete {{ -> b }}", "on enter { auto_start_agent }", False),
    ],
)
def test_a_step_races_through_where_its_first_turn_starts_the_next(first: str, second: str, races: bool) -> None:
    text = "guard ready\n" + board(f"a: start; {first}", f"b: {second}; end")
    assert said(text) == (["NW510 -> b"] if races else [])
