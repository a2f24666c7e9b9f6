"""What is declared and never has an effect."""

from __future__ import annotations

import pytest

from newel.compiler.checks.facts import Host
from tests.compiler.checks.boards import board, findings, said

PROMPT = 'prompt "Do it."'


@pytest.mark.parametrize(
    ("body", "used"),
    [
        ("", False),
        ("on enter { auto_start_agent }", True),
        ("on comment { auto_start_agent }", True),
        ("on enter { queue_run }", False),
        ('agent("Claude Code")', True),
    ],
)
def test_a_prompt_is_for_somebody_who_is_started(body: str, used: bool) -> None:
    assert said(board(f"a: start; {PROMPT}; {body}", "b: end")) == ([] if used else ["NW701 prompt"])


def test_a_prompt_of_a_step_that_was_not_understood_is_not_judged() -> None:
    assert said(board(f"a: start; {PROMPT}; on enter {{ auto_start }}", "b: end")) == ["NW101 auto_start"]


def test_a_signal_is_read_by_a_finished_turn() -> None:
    assert said(board("a: start; requires_signal; on comment { -> b }", "b: end")) == ["NW702 requires_signal"]
    assert said(board("a: start; requires_signal; on turn_complete { -> b }", "b: end")) == []
    assert said(board("a: start; requires_signal false", "b: end")) == []


def test_a_host_that_has_said_nothing_is_asked_nothing() -> None:
    assert said(board("a: start; on comment { queue_run }", "b: end"), Host()) == []


def test_a_trigger_the_host_does_not_fire() -> None:
    text = board('a: start; on comment { queue_run }; on exit { run_script("x") }; on enter { queue_run }', "b: end")
    assert said(text, Host(triggers=frozenset({"heartbeat"}))) == ["NW703 comment"]
    assert said(text, Host(triggers=frozenset({"comment"}))) == []


def test_a_kind_the_host_has_no_handler_for() -> None:
    """The session runs the excluded kinds and those marked so: they need none."""
    text = board('a: start; on exit { run_script("x") }; on enter {\n queue_run\n auto_start_agent\n }', "b: end")
    assert said(text, Host(kinds=frozenset())) == ["NW704 queue_run"]
    assert said(text, Host(kinds=frozenset({"queue_run"}))) == []


USED = {
    "type": ("type unused = one | two", "setting step mood: unused?"),
    "group": ("group unused = comment | heartbeat", "action ping on unused"),
    "fragment": ("fragment unused { on comment { queue_run } }", ""),
    "text": ('text unused "x"', ""),
    "placeholder": ("placeholder unused", ""),
}


@pytest.mark.parametrize("family", USED)
def test_a_declaration_nobody_uses(family: str) -> None:
    declared, user = USED[family]
    a_board = board("a: start", "b: end")
    assert said(f"{declared}\n{a_board}") == ["NW705 unused"]
    step = {"fragment": "include unused", "text": '"""\n{{unused}}\n"""', "placeholder": '"""\n{{unused}}\n"""'}
    body = step.get(family, "")
    if body.startswith('"'):
        body = f"on enter {{ auto_start_agent }}; prompt {body}"
    assert said(f"{declared}\n{user}\n" + board(f"a: start; {body}", "b: end")) == []


@pytest.mark.parametrize("family", USED)
def test_in_a_file_of_words_alone_nothing_has_to_be_used(family: str) -> None:
    assert said(USED[family][0] + "\n") == []


def test_other_declarations_need_no_use() -> None:
    text = (
        'setting step mood: text?\ntrigger rung(at: int)\n  operation "r:{at}"\nguard ready\nkey k(a: text) "k:{a}"\n'
    )
    assert said(text + board("a: start", "b: end")) == []


# ---------------------------------------------------------------- NW708 to NW710


@pytest.mark.parametrize(
    ("mark", "type_"),
    [
        ("limit", "int(0..) = 0"),
        ("pull", "step?"),
        ("signal", "flag"),
        ("cancel", "flag"),
        ("manual_entry", "flag = true"),
    ],
)
def test_a_second_setting_with_a_mark_that_the_runtime_reads_is_told(mark: str, type_: str) -> None:
    text = f"setting step own: {type_}  means {mark}\n"
    assert said(text) == [f"NW708 {mark}"]
    assert said(f"use nothing\n{text}") == []


@pytest.mark.parametrize(("mark", "type_"), [("seats", "list(seat)?"), ("prompt", "text?"), ("agent", "text?")])
def test_seats_add_up_and_prompts_are_the_hosts(mark: str, type_: str) -> None:
    assert said(f"setting step own: {type_}  means {mark}\n") == []


SCENARIO = 'scenario "{0}" for {1} {{\n  create\n}}\n'


def test_a_title_is_taken_by_another_scenario_of_the_workflow_alone() -> None:
    two = board("a: start") + board("a: start").replace("workflow board", "workflow other")
    assert said(two + SCENARIO.format("x", "board") + SCENARIO.format("x", "other")) == []
    (finding,) = findings(two + 2 * SCENARIO.format("x", "board"))
    assert (finding.rule.code, finding.span.first.line, finding.related[0].span.first.line) == ("NW709", 14, 11)


DECIDED = 'scenario "x" for board {{\n  create\n  decide ada {0} role=reviewer\n}}\n'


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        ("reject", "reject"),
        ("aproved", "aproved"),
        ("Approved", "Approved"),
        ('"change_requested"', '"change_requested"'),
        ("approved", None),
        ("rejected", None),
        ("changes_requested", None),
        ("abstained", None),
        ("ok", None),
    ],
)
def test_a_verdict_that_only_looks_like_one_that_is_told_apart_is_told(verdict: str, told: str | None) -> None:
    text = board("a: start") + DECIDED.format(verdict)
    assert said(text) == ([] if told is None else [f"NW711 {told}"])


def test_where_no_guard_tells_verdicts_apart_any_word_is_as_good() -> None:
    words = "use nothing\ntype role = reviewer\naction page(role: role) on turn means seats(role)\n"
    words += "trigger turn\ndispatch { }\n"
    assert said(words + board("a: start; on turn { page(reviewer) }") + DECIDED.format("reject")) == []


TRIGGER = 'trigger {0}({1}: text)\n  operation "{2}"  means system\n'


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (("paid", "order", "order:{order}"), ("refunded", "id", "order:{id}"), True),
        (("paid", "order", "order:{order}"), ("refunded", "order", "refund:{order}"), False),
        (("paid", "order", "{order}"), ("refunded", "order", "{order}:x"), False),
        (("said", "text", "task_comment:{text}"), ("paid", "order", "paid:{order}"), True),
    ],
)
def test_ids_of_one_shape_are_told_whatever_their_fields_are_called(
    one: tuple[str, str, str], other: tuple[str, str, str], told: bool
) -> None:
    """The last of these has the shape of the standard `comment`."""
    codes = [finding.rule.code for finding in findings(TRIGGER.format(*one) + TRIGGER.format(*other))]
    assert ("NW710" in codes) is told


def test_a_key_and_a_second_shape_of_a_trigger_count_too() -> None:
    assert 'NW710 "paid:{order}"' in said(
        TRIGGER.format("paid", "id", "paid:{id}") + 'key due(order: text) "paid:{order}"\n'
    )
    two = TRIGGER.format("paid", "id", "paid:{id}").replace("  means", '\n  operation "paid:{id}"  means')
    (finding,) = findings(two)
    assert finding.message == "an operation id of `paid` can be one of another shape of it: this shape is never used"
