"""Canonical JSON: sorted but for steps, read back only where it is what was compiled."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from newel.compiler import Program, compile_text
from newel.compiler.canonical import revision_of

TEXT = """
workflow zoo "Zoo" {
  step z "Z" {
    start
    prompt "é \\u2028 </script>"
    on enter {
      auto_start_agent
      queue_run(payload={ z: 1, a: { y: 1, b: 2.50 } })
    }
    on comment { -> a when n_approve(approver, count=2) and (any_reject(approver) or not all_decide(approver)) }
  }
  step a "A" { end }
}
workflow ark "Ark" {
  step only "Only" {
    start
    end
  }
}
"""


@pytest.fixture(scope="module")
def text() -> str:
    return compile_text(TEXT).require().to_json()


def ordered(value: Any, path: tuple[str, ...] = ()) -> None:
    """Asserts that keys are sorted everywhere but among steps."""
    if isinstance(value, dict):
        if path[-1:] != ("steps",):
            assert list(value) == sorted(value), path
        for key, each in value.items():
            ordered(each, (*path, key))
    elif isinstance(value, list):
        for each in value:
            ordered(each, (*path, "[]"))


def test_keys_are_sorted_but_those_of_steps(text: str) -> None:
    plain = json.loads(text)
    ordered(plain)
    assert list(plain["workflows"]) == ["ark", "zoo"]
    assert list(plain["workflows"]["zoo"]["steps"]) == ["z", "a"]


def test_it_is_ascii_without_white_space_outside_of_texts(text: str) -> None:
    assert text.isascii()
    assert json.dumps(json.loads(text), separators=(",", ":")) == text


def test_a_program_is_read_back_with_its_classes(text: str) -> None:
    program = Program.from_json(text)
    assert program == compile_text(TEXT).require()
    assert [type(item).__name__ for item in program.workflows["zoo"].steps["z"].on["enter"]] == [
        "AutoStartAgent",
        "QueueRun",
    ]
    assert program.to_json() == text


def test_order_and_white_space_of_the_text_that_is_read_do_not_matter(text: str) -> None:
    plain = json.loads(text)
    turned = json.dumps(dict(reversed(plain.items())), indent=2, ensure_ascii=False)
    assert Program.from_json(turned).to_json() == text


def test_the_revision_is_that_of_what_the_program_holds(text: str) -> None:
    program = Program.from_json(text)
    assert program.revision == revision_of(program)
    assert len(program.revision) == 64


Change = Callable[[dict[str, Any]], None]
CHANGES: dict[str, Change] = {
    "another title": lambda plain: plain["workflows"]["zoo"].update(title="Other"),
    "another order of steps": lambda plain: plain["workflows"]["zoo"].update(
        steps=dict(reversed(plain["workflows"]["zoo"]["steps"].items()))
    ),
    "another format": lambda plain: plain.update(format_version="2.0"),
    "no format": lambda plain: plain.pop("format_version"),
    "no vocabulary": lambda plain: plain.pop("vocabulary"),
    "an unknown field": lambda plain: plain.update(extra=1),
    "an unknown kind": lambda plain: plain["workflows"]["zoo"]["steps"]["z"]["on"]["enter"][0].update(kind="x"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_text_that_was_changed_is_refused(text: str, change: Change) -> None:
    plain = json.loads(text)
    change(plain)
    with pytest.raises(ValueError, match=r"program|validation"):
        Program.from_json(json.dumps(plain))


@pytest.mark.parametrize("other", ["", "[]", "3", "{}", "{", '"vocabulary"'])
def test_a_text_that_is_no_program_is_refused(other: str) -> None:
    with pytest.raises(ValueError):
        Program.from_json(other)


def test_documentation_and_places_are_read_but_not_in_the_revision(text: str) -> None:
    plain = json.loads(text)
    plain["workflows"]["zoo"]["doc"] = "Animals."
    plain["vocabulary"]["kinds"]["queue_run"]["place"] = None
    program = Program.from_json(json.dumps(plain))
    assert program.workflows["zoo"].doc == "Animals."
