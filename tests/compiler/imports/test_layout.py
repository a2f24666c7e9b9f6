"""A draft is written in one layout, and what is read back from it is what stood in the draft."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newel.compiler.imports.draft import Call, Draft, Long, Move, Step, Time, Value, Word, Workflow
from newel.compiler.imports.layout import layout, quoted, written
from newel.compiler.imports.names import NAME, NO_STEP_IS_CALLED, Names
from newel.dsl import parse
from newel.dsl.layout import laid_out
from newel.dsl.limits import NAME_LENGTH
from newel.dsl.tree import Setting, Text
from newel.dsl.tree import Step as StepNode
from newel.dsl.tree import Workflow as WorkflowNode

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
LINES = st.lists(st.sampled_from(['"""', '""""', '"', " ", "\t", "\r", "\n", "\\", "{{x}}", "a", "é", "\u2028", "🎉"]))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (3, "3"),
        (0.00001, "0.00001"),
        (2.5, "2.5"),
        ("a", '"a"'),
        ("\x1b\u202e\u2028é🎉", '"\\u001b\\u202e\\u2028é🎉"'),
        (Long("a\nb"), '"a\\nb"'),
        (Word("null"), "null"),
        (Time(7200), "2h"),
        (Time(60), "1m"),
        (Time(61), "61s"),
        ([1, "a"], '[1, "a"]'),
        ({"a": {"b c": []}}, '{a: {"b c": []}}'),
        (Call("f"), "f"),
        (Call("f", (("", Word("x")), ("y", 2))), "f(x, y=2)"),
    ],
)
def test_a_value_stands_on_one_line(value: Value, text: str) -> None:
    assert written(value) == text


def test_steps_and_workflows_are_told_apart_by_a_blank_line() -> None:
    steps = [
        Step("a", "A", [("start", True), ("manual_move", False), ("prompt", Long("x\n\ny"))]),
        Step("b", "", on=[("enter", [Call("f")]), ("exit", [Call("f"), Move("a", True, Call("g"))])]),
        Step("c", "C"),
    ]
    one = Workflow("v", "V", [("agent", Call("", (("", "C"), ("model", "m"))))], steps)
    assert layout(Draft(["x", "y"], [one, Workflow("w", "W", [], [Step("a", "A")])])) == (
        "placeholder x\nplaceholder y\n\n"
        'workflow v "V" {\n  agent("C", model="m")\n\n'
        '  step a "A" {\n    start\n    manual_move false\n    prompt """\n      x\n\n      y\n      """\n  }\n\n'
        "  step b {\n    on enter { f }\n    on exit {\n      f\n      -> a requires approval when g\n    }\n  }\n\n"
        '  step c "C" {}\n}\n\n'
        'workflow w "W" {\n  step a "A" {}\n}\n'
    )


def test_what_is_written_is_what_fmt_writes() -> None:
    """Braces set below each other, and what does not fit on one line broken."""
    long = Call("f", tuple((f"argument_{number}", {"a": [number]}) for number in range(6)))
    step = Step("a", "A", on=[("enter", [Call("g")]), ("turn_start", [Call("g")]), ("exit", [long])])
    text = layout(Draft([], [Workflow("w", "W", [], [step])]))
    assert "    on enter      { g }\n    on turn_start { g }\n    on exit {\n      f(\n" in text
    assert "        argument_5={ a: [5] },\n" in text
    assert laid_out(text) == text


def read_back(text: str) -> tuple[str, str]:
    """The title of the first step and its prompt."""
    file, findings = parse(text)
    assert findings == []
    (workflow,) = file.items
    assert isinstance(workflow, WorkflowNode)
    (step,) = workflow.body
    assert isinstance(step, StepNode)
    assert isinstance(step.title, Text)
    (setting,) = step.body
    assert isinstance(setting, Setting)
    assert isinstance(setting.value, Text)
    return step.title.value, setting.value.value


@given(TEXTS | LINES.map("".join), TEXTS | LINES.map("".join))
def test_whatever_a_text_holds_is_read_back_as_it_was(title: str, prompt: str) -> None:
    """Quotes, fences, line breaks of every kind, control characters: in quotes or between fences."""
    step = Step("a", title or "A", [("prompt", Long(prompt))])
    assert read_back(layout(Draft([], [Workflow("w", "W", [], [step])]))) == (title or "A", prompt)


@given(TEXTS)
def test_nothing_that_acts_on_a_terminal_is_left_in_a_quoted_text(text: str) -> None:
    assert all(character.isprintable() or ord(character) > 0xFFFF for character in quoted(text))


@given(st.lists(st.text(max_size=120) | st.sampled_from(["a", "a_2", "A", "next"]), max_size=8))
def test_names_are_valid_short_and_each_once(texts: list[str]) -> None:
    taken = Names("step")
    names = [taken.take(text) for text in texts]
    assert len(set(names)) == len(names)
    assert all(NAME.fullmatch(name) and len(name) <= NAME_LENGTH for name in names)
    assert not NO_STEP_IS_CALLED & set(names)


@given(st.from_regex(NAME, fullmatch=True).filter(lambda name: len(name) <= NAME_LENGTH))
def test_a_valid_name_is_kept(name: str) -> None:
    assert Names("step").take(name) == name or name in NO_STEP_IS_CALLED
