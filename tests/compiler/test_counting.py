"""What is counted is said as one says it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from newel.compiler.counting import counted
from newel.compiler.docs.forms import FORMS, Form
from newel.compiler.docs.render import pages
from newel.compiler.docs.view import site
from newel.compiler.exports.picture import picture
from newel.compiler.program import GuardDef, TriggerDef, TypeDef, Vocabulary
from tests.compiler.exports.boards import program, step, workflow

ROOT = Path(__file__).parents[2]


def test_one_is_no_plural() -> None:
    assert [counted(number, "step") for number in (0, 1, 2)] == ["0 steps", "1 step", "2 steps"]


@pytest.mark.parametrize("room", ["compiler", "runtime", "dsl", "docs"])
def test_nobody_else_makes_a_plural(room: str) -> None:
    """A plural made by hand somewhere is one that will be forgotten elsewhere."""
    made = re.compile(r"""['"]['"] if [^\n]+ == 1 else ['"]s['"]""")
    found = [path for path in (ROOT / room).rglob("*.py") if made.search(path.read_text("utf-8"))]
    assert [path.name for path in found if path.name != "counting.py"] == []


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_site_of_one_of_each_says_so(form: Form) -> None:
    """On the first page, of the workflow and of the vocabulary; and in the picture's summary."""
    vocabulary = Vocabulary(
        types={"a": TypeDef(name="a")},
        settings=(),
        triggers={"go": TriggerDef(name="go")},
        keys={},
        guards={"g": GuardDef(name="g")},
        kinds={},
    )
    board = workflow("w", "W", [step("only", "Only", start=True)])
    made = program(board, vocabulary=vocabulary)
    text = pages(site(made, form=form), form)[f"{form.index}{form.suffix}"]
    assert "0 kinds of action, 3 triggers, 1 guard, 0 settings and 1 type." in text
    assert "1 step, from" in text
    assert picture(made, board).summary == "1 step, starts at Only."
