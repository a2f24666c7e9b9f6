"""What is written in a workflow is found, down to arguments, cases, seats and agents."""

from __future__ import annotations

import json
from typing import Any

import pytest

from newel.compiler import compile_text
from newel.compiler.docs import search
from newel.compiler.docs.view import site

BOARD = """\
workflow desk "Desk" {
  step work "Work" {
    start
    seats [seat(counsel, agent="ada")]
    on enter { queue_run_for_each_participant(counsel, reason="please_judge") }
    on turn_complete {
      run_script("make test")
      -> done when any_reject(counsel)
    }
    on comment { queue_run(ceo_agent, payload={ urgent: "very" }) }
  }
  step done "Done" { end }
}
extend type role = counsel
"""


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    """What is searched of each place, by its name."""
    index = search.files(site(compile_text(BOARD).require()))[search.INDEX]
    rows: list[Any] = json.loads(index.partition("=")[2].rpartition(";")[0])
    return {name.partition("(")[0]: text for _, name, _, _, text, _ in rows}


@pytest.mark.parametrize(
    "word",
    ["counsel", "ada", "please_judge", "make test", "any_reject(counsel)", "ceo_agent", "urgent", "very", "comment"],
)
def test_what_a_step_says_is_found_at_the_step(found: dict[str, str], word: str) -> None:
    assert word in found["work"]
    assert word not in found["done"]


@pytest.mark.parametrize(
    ("name", "word"), [("role", "counsel"), ("queue_run", "payload"), ("turn_complete", "work_done")]
)
def test_cases_parameters_and_marks_are_found_at_their_declaration(found: dict[str, str], name: str, word: str) -> None:
    assert word in found[name]


def test_a_value_of_any_size_makes_no_index_of_any_size() -> None:
    long = BOARD.replace("make test", "make test " * 10_000)
    assert len(search.files(site(compile_text(long).require()))[search.INDEX]) < 100_000
