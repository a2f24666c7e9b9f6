"""Scenarios: every word of every line is found to mean something, or is a finding at its own place."""

from __future__ import annotations

import pytest

from newel.compiler import compile_text
from newel.compiler.scenarios import FORMS, VERBS
from newel.compiler.scenarios.forms import expectations
from newel.compiler.scenarios.script import people
from newel.dsl.blocks import HEADS
from tests.compiler.bind.conftest import Bound, Found

BOARD = """
trigger paid(amount: int(1..), note: text?) operation "paid:{amount}" means system
moves guarded on paid
guard enough

workflow w "W" {
  step a "A" {
    start
    on enter         { clear_decisions }
    on turn_complete { -> b }
    on paid          { -> b when enough }
  }
  step b "B" { end }
}
workflow v "V" {
  step c "C" {
    start
    on turn_complete { -> d }
  }
  step d "D" { end }
}
"""


def scenario(*lines: str) -> str:
    return BOARD + 'scenario "s" for w {\n' + "".join(f"  {line}\n" for line in lines) + "}\n"


def test_every_form_is_bound_with_its_words(bound: Bound) -> None:
    script = (
        bound(
            scenario(
                "given enough true",
                "create step=a",
                'create task="T 2"',
                "create task=other",
                "seat ben role=reviewer step=b required=false",
                'decide "b.en" approved role=reviewer person=true note="fine"',
                'fire paid(3, note="cash") signalled=true cancelled=false',
                "move b",
                "approve to=b",
                "reject",
                "switch v step=d task=other",
                "redispatch",
                "expect at b",
                "expect waiting b",
                "expect dispatched clear_decisions",
                "expect excluded auto_start_agent",
                "expect ran queue_run",
                "expect queued 2",
                "expect pending 0",
                "expect refused",
                "expect nothing",
            )
        )
        .scenarios[0]
        .script
    )
    assert script is not None
    assert {line.form for line in script.lines} == set(FORMS)
    words = {line.form: dict(line.words) for line in script.lines}
    assert words["seat"] == {"agent": "ben", "role": "reviewer", "step": "b", "required": False}
    assert words["decide"]["who"] == "b.en"
    assert words["fire"] == {
        "trigger": "paid",
        "payload": {"amount": 3, "note": "cash"},
        "signalled": True,
        "cancelled": False,
    }
    assert words["switch"] == {"workflow": "v", "step": "d", "task": "other"}
    assert [line.task for line in script.lines if line.form == "create"] == ["task", "T 2", "other"]
    assert people(script.lines) == {}  # a person is no agent


@pytest.mark.parametrize(
    ("line", "code", "at"),
    [
        ("creat", "NW126", "creat"),
        ("expect att b", "NW127", "att"),
        ("expect", "NW202", "expect"),
        ("expect queued=1", "NW202", "queued=1"),
        ("expect at", "NW202", "expect"),
        ("expect at bb", "NW103", "bb"),
        ("expect at next", "NW103", "next"),
        ("move c", "NW103", "c"),
        ("switch x", "NW107", "x"),
        ("switch v step=b", "NW103", "b"),
        ("seat ben", "NW202", "seat"),
        ("seat ben role=reviwer", "NW206", "reviwer"),
        ("seat ben role=reviewer role=approver", "NW204", "role"),
        ("seat ben roll=reviewer", "NW203", "roll"),
        ("seat 3 role=reviewer", "NW201", "3"),
        ("decide ben approved extra role=reviewer", "NW207", "extra"),
        ('seat ben role="reviewer"', "NW201", '"reviewer"'),
        ('fire "paid"', "NW201", '"paid"'),
        ("expect ran 7", "NW201", "7"),
        ("move b task=[]", "NW201", "[]"),
        ("fire paidd(1)", "NW102", "paidd"),
        ("fire enter", "NW201", "enter"),
        ("fire paid", "NW202", "paid"),
        ("fire paid(0)", "NW205", "0"),
        ('fire paid("1")', "NW201", '"1"'),
        ("fire paid(1, nte=2)", "NW203", "nte"),
        ("fire turn_complete signalled=yes", "NW201", "yes"),
        ("given all_approve true", "NW201", "all_approve"),
        ("given enouh true", "NW106", "enouh"),
        ("given enough 1", "NW201", "1"),
        ("expect dispatched clear_decision", "NW101", "clear_decision"),
        ("expect queued -1", "NW205", "-1"),
        ("expect nothing b", "NW207", "b"),
    ],
)
def test_a_word_that_means_nothing_is_found_at_its_place(found: Found, line: str, code: str, at: str) -> None:
    assert found(scenario("create", line)) == [(code, at)]


def test_a_task_is_there_from_create_on(found: Found) -> None:
    """Each task by its own; where a line could not be read, it may have been the one that creates."""
    assert found(scenario("given enough true", "move b", "expect at b")) == [("NW128", "move")]
    assert found(scenario("create", "move b task=other")) == [("NW128", "move")]
    assert found(scenario("create task=other", "move b task=other")) == []
    assert found(scenario("create step=x", "move b")) == [("NW103", "x")]
    assert [code for code, _ in found(scenario("create ((", "move b"))] == ["NW003"]


def test_where_no_word_is_a_role_any_is_one(found: Found) -> None:
    text = "use nothing\ntrigger go means person\nmoves on go\n"
    text += 'workflow w "W" {\n  step a "A" {\n    start\n    on go { -> b }\n  }\n  step b "B" { end }\n}\n'
    assert found(text + 'scenario "s" for w {\n  create\n  seat ben role=whoever\n}\n') == []


def test_steps_are_looked_up_where_the_task_has_been_switched_to(found: Found) -> None:
    assert found(scenario("create", "switch v", "expect at c", "move d", "switch w", "expect at a")) == []
    assert found(scenario("create", "switch v", "expect at b")) == [("NW103", "b")]
    assert found(scenario("create", "create task=o", "switch v task=o", "expect at d task=o", "move c")) == [
        ("NW103", "c")
    ]


def test_a_scenario_does_not_change_the_revision() -> None:
    with_it, without = compile_text(scenario("create", "expect at a")), compile_text(BOARD)
    assert with_it.require().revision == without.require().revision
    assert with_it.require().to_json() == without.require().to_json()
    assert [script.title for script in with_it.scenarios] == ["s"]
    assert without.scenarios == ()


def test_a_scenario_for_no_workflow_has_no_script(bound: Bound, found: Found) -> None:
    text = scenario("creat").replace("for w", "for x")
    assert found(text) == [("NW107", "x")]


def test_the_recovery_of_the_parser_knows_the_verbs() -> None:
    assert HEADS["scenario"] == frozenset(VERBS)


def test_every_form_says_how_it_is_written_and_what_it_does() -> None:
    assert FORMS["seat"].usage == "seat AGENT role= [step=] [required=] [task=]"
    assert FORMS["fire"].usage == "fire TRIGGER(...) [signalled=] [cancelled=] [task=]"
    assert [f"expect {each}" for each in expectations()] == [name for name in FORMS if name.startswith("expect ")]
    assert all(form.says and not form.says.endswith(".") for form in FORMS.values())
