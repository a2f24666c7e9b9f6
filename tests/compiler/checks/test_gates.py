"""Gates: who is asked, who is woken, who sits there, and what was decided before."""

from __future__ import annotations

import pytest

from tests.compiler.checks.boards import board, findings, said

CLEAR = "clear_decisions"
SEAT = "ensure_participant_seat(reviewer)"
WAKE = "queue_run_for_each_participant(reviewer)"
ASK = "-> done when all_approve(reviewer)"
BACK = "-> work when any_reject(reviewer)"


def gate(entry: str, moves: str, settings: str = "", work: str = "", **options: str) -> str:
    """Work, then a gate with an entry list and moves, then done."""
    on_enter = "on enter {\n" + entry.replace(";", "\n") + "\n}; " if entry else ""
    on_done = "on turn_complete {\n" + moves.replace(";", "\n") + "\n}"
    return board(
        f"work: start; on comment {{ -> gate }}; {work}",
        f"gate: {settings}; {on_enter}{on_done}",
        "done: end",
        **options,
    )


def test_a_gate_that_clears_seats_wakes_asks_and_can_be_left_is_clean() -> None:
    assert said(gate(f"{CLEAR};{SEAT};{WAKE}", f"{ASK};{BACK}")) == []


@pytest.mark.parametrize("guard", ["all_approve", "majority_approve", "all_decide"])
def test_a_role_that_is_asked_has_to_be_seated(guard: str) -> None:
    assert said(gate(CLEAR, f"-> done when {guard}(reviewer);{BACK}")) == [f"NW601 {guard}"]


def test_a_rejection_guard_does_not_ask_for_seats() -> None:
    assert said(gate(CLEAR, BACK)) == []


def test_a_role_that_is_woken_has_to_be_seated() -> None:
    assert said(gate(f"{CLEAR};{WAKE}", "-> done")) == [f"NW601 {WAKE.partition('(')[0]}"]


def test_one_finding_for_each_role_of_a_step_with_its_waking_beside_it() -> None:
    (found,) = findings(gate(f"{CLEAR};{WAKE}", f"{ASK};-> done when majority_approve(reviewer);{BACK}"))
    assert (found.rule.code, found.span.text) == ("NW601", "all_approve")
    assert [related.span.text for related in found.related] == ["queue_run_for_each_participant"]


@pytest.mark.parametrize(
    ("seats", "seated"),
    [
        ('seat(reviewer, agent="ada")', True),
        ('seat(reviewer, agent="ada", required=false)', False),
        ('seat(approver, agent="ada")', False),
    ],
)
def test_a_seat_of_the_settings_counts_where_it_has_to_decide(seats: str, seated: bool) -> None:
    text = gate(CLEAR, f"{ASK};{BACK}", settings=f"seats [{seats}]")
    assert said(text) == ([] if seated else ["NW601 all_approve"])


CLOSED = "manual_move false"


def test_a_role_seated_on_every_way_in_is_seated() -> None:
    assert said(gate(CLEAR, f"{ASK};{BACK}", work=f"on enter {{ {SEAT} }}", every=CLOSED)) == []


def test_a_role_seated_on_one_way_in_is_not() -> None:
    """By hand one may come from a step before the one that seats; by moves alone there is no way round it."""
    text = board(
        "idea: start; on comment { -> work }",
        f"work: on enter {{ {SEAT} }}; on comment {{ -> gate }}",
        f"gate: HAND; on enter {{ {CLEAR} }}; on turn_complete {{\n {ASK}\n {BACK}\n }}",
        "done: end",
        every=CLOSED,
    )
    assert said(text.replace("HAND", "manual_move false")) == []
    assert said(text.replace("HAND", "manual_move")) == ["NW601 all_approve"]


def test_a_task_that_is_created_at_the_gate_has_passed_no_other_step() -> None:
    text = board(
        f"gate: start; on enter {{ {CLEAR} }}; on turn_complete {{\n {ASK}\n {BACK}\n }}",
        f"work: on enter {{ {SEAT} }}; on comment {{ -> gate }}",
        "done: end",
        every=CLOSED,
    )
    assert said(text) == ["NW601 all_approve"]


def test_seats_of_the_settings_stay_with_their_step() -> None:
    text = gate(CLEAR, f"{ASK};{BACK}", work='seats [seat(reviewer, agent="ada")]', every=CLOSED)
    assert said(text) == ["NW601 all_approve"]


def test_a_step_that_was_not_understood_may_seat_anybody() -> None:
    text = gate(CLEAR, f"{ASK};{BACK}", work="on enter { ensure_participant_seats(reviewer) }", every=CLOSED)
    assert said(text) == ["NW101 ensure_participant_seats"]


def test_a_role_that_is_asked_but_another_is_woken() -> None:
    seats = "ensure_participant_seat(approver);ensure_participant_seat(reviewer)"
    text = gate(f"{CLEAR};{seats};queue_run_for_each_participant(approver)", f"{ASK};{BACK}")
    assert said(text) == ["NW602 all_approve"]


def test_a_single_agent_may_be_woken_by_its_role() -> None:
    wakes = "queue_run_for_each_participant(approver);queue_run(target=participant(reviewer))"
    seats = "ensure_participant_seat(approver);ensure_participant_seat(reviewer)"
    assert said(gate(f"{CLEAR};{seats};{wakes}", f"{ASK};{BACK}")) == []


def test_where_nobody_is_woken_any_role_may_be_asked() -> None:
    assert said(gate(f"{CLEAR};{SEAT}", f"{ASK};{BACK}")) == []


def test_a_role_woken_before_its_seat() -> None:
    assert said(gate(f"{CLEAR};{WAKE};{SEAT}", f"{ASK};{BACK}")) == ["NW603 queue_run_for_each_participant"]


def test_who_sits_there_anyhow_may_be_woken_first() -> None:
    text = gate(f"{CLEAR};{WAKE};{SEAT}", f"{ASK};{BACK}", settings='seats [seat(reviewer, agent="ada")]')
    assert said(text) == []


@pytest.mark.parametrize("moves", [f"{ASK};{BACK}", BACK, "-> done when all_decide(reviewer)"])
def test_a_gate_that_is_entered_again_has_to_clear(moves: str) -> None:
    assert said(gate(f"{SEAT};{WAKE}", moves)) == ["NW604 gate"]


def test_a_gate_that_cannot_be_entered_again_need_not_clear() -> None:
    text = gate(f"{SEAT};{WAKE}", f"{ASK};-> done when any_reject(reviewer)", every=CLOSED)
    assert said(text) == []


def test_a_gate_is_entered_again_by_hand_or_round_by_moves() -> None:
    text = gate(f"{SEAT};{WAKE}", f"{ASK};{BACK}", every=CLOSED)
    assert said(text) == ["NW604 gate"]
    text = gate(f"{SEAT};{WAKE}", f"{ASK};-> done when any_reject(reviewer)", settings="manual_move", every=CLOSED)
    assert said(text) == ["NW604 gate"]


def test_decisions_cleared_after_the_waking() -> None:
    assert said(gate(f"{SEAT};{WAKE};{CLEAR}", f"{ASK};{BACK}")) == ["NW605 clear_decisions"]


@pytest.mark.parametrize(
    ("moves", "lost"),
    [
        (ASK, True),
        (f"{ASK};{BACK}", False),
        (f"{ASK};-> work", False),
        (f"{ASK};-> work requires approval", False),
        (f"{ASK};-> work when any_reject(approver)", True),
        (f"{ASK};-> work when all_decide(reviewer)", False),
        (f"{ASK};-> work when not all_decide(reviewer)", True),
        ("-> done when all_approve(reviewer) and not any_reject(reviewer)", True),
        (f"{ASK};-> work when all_decide(reviewer) and not all_approve(reviewer)", False),
        ("-> done when all_decide(reviewer)", False),
    ],
)
def test_an_approval_needs_a_way_for_those_who_reject(moves: str, lost: bool) -> None:
    text = gate(f"{CLEAR};{SEAT};{WAKE}", moves)
    assert said(text) == (["NW606 all_approve"] if lost else [])


def test_moves_by_hand_are_no_way_back() -> None:
    assert said(gate(f"{CLEAR};{SEAT};{WAKE}", ASK, every="manual_move")) == ["NW606 all_approve"]


@pytest.mark.parametrize(
    ("settings", "entry", "count", "more"),
    [
        ("", f"{CLEAR};{SEAT}", 1, False),
        ("", f"{CLEAR};{SEAT}", 2, True),
        ('seats [seat(reviewer, agent="ada"), seat(reviewer, agent="ben")]', CLEAR, 2, False),
        ('seats [seat(reviewer, agent="ada"), seat(reviewer, agent="ben")]', CLEAR, 3, True),
        ('seats [seat(reviewer, agent="ada"), seat(reviewer, agent="ada")]', CLEAR, 2, True),
        ('seats [seat(reviewer, agent="ada"), seat(reviewer, agent="ben", required=false)]', CLEAR, 2, True),
        ('seats [seat(reviewer, agent="ada"), seat(approver, agent="ben")]', CLEAR, 2, True),
    ],
)
def test_a_count_may_not_be_above_the_seats(settings: str, entry: str, count: int, more: bool) -> None:
    text = gate(entry, f"-> done when n_approve(reviewer, count={count});{BACK}", settings=settings)
    assert said(text) == (["NW607 n_approve"] if more else [])


def test_gates_go_by_marks_and_not_by_names() -> None:
    """The same board in other words, with a vocabulary of its own."""
    words = """\
use nothing
type part = judge | scribe
setting step by_hand: flag = true   means manual_entry
trigger over                        means work_done
moves guarded on over
guard yes(part: part)               means approval(part)
guard no(part: part)                means rejection(part)
action seat_one(part: part) on enter  means seats(part)
action call(part: part) on enter      means wakes(part)
action forget on enter                means clears
dispatch { seat_one, call, forget }
"""
    enter = "on enter {\n forget\n seat_one(judge)\n call(judge)\n }"
    good = board(
        "a: start; on over { -> b }",
        f"b: {enter}; on over {{\n -> c when yes(judge)\n -> a when no(judge)\n }}",
        "c: end",
    )
    assert said(words + good) == []
    assert said(words + good.replace("seat_one(judge)\n", "")) == ["NW601 yes"]
    assert said(words + good.replace("call(judge)", "call(scribe)")) == ["NW601 call", "NW602 yes"]
    assert said(words + good.replace("forget\n", "")) == ["NW604 b"]
    assert said(words + good.replace("-> a when no(judge)\n", "")) == ["NW606 yes"]


def test_a_hint_names_what_the_vocabulary_has_and_else_says_what_it_lacks() -> None:
    words = """\
use nothing
type part = judge
setting step from: step?              means pull
setting step by_hand: flag = true     means manual_entry
trigger over                          means work_done
moves guarded on over
guard yes(part: part)                 means approval(part)
action run on enter                   means starts
dispatch { run }
"""
    text = board(
        "a: start; on enter { run }; on over { -> b }", "b: from a; on enter { run }; on over { -> a when yes(judge) }"
    )
    hints = {finding.rule.code: finding.advice for finding in findings(words + text)}
    assert hints["NW510"] == "give the move at `a` a guard"
    assert hints["NW512"] == "declare a setting that means `limit`"
    assert hints["NW601"] == "let the step seat one"
    assert hints["NW604"] == "declare a kind that means `clears`"
    seats = "type chair(role: part, agent: text)\nsetting step chairs: list(chair)?   means seats\n"
    more = {finding.rule.code: finding.advice for finding in findings(words + seats + text)}
    assert more["NW601"] == "give the step seats with `chairs`"


@pytest.mark.parametrize("part", ["when all_approve(reviewer)", "requires approval when all_approve(reviewer)"])
def test_a_guard_that_is_not_read_asks_nobody(part: str) -> None:
    """One fault, one finding: that it is not read is told, and nothing of what it would ask."""
    text = board(
        f"a: start; on enter {{ auto_start_agent }}; on turn_start {{ -> b {part} }}", "b: on heartbeat { -> a }"
    )
    assert {finding.rule.code for finding in findings(text)} - {"NW509"} == {"NW404"}
