"""Texts as written to their values, and back to places."""

from __future__ import annotations

from typing import Any

import pytest

from newel.dsl import parse
from newel.dsl.texts import place_in
from newel.dsl.tree import Text


def text_of(written: str) -> Text:
    """The value of a shared text."""
    file, findings = parse(f"text t {written}\n")
    assert findings == []
    declaration: Any = file.items[0]
    assert isinstance(declaration.value, Text)
    return declaration.value


def found(written: str) -> list[tuple[str, str]]:
    """Code and covered text of what is wrong with a shared text."""
    return [(each.rule.code, each.span.text) for each in parse(f"text t {written}\n")[1]]


def test_the_escapes_are_those_of_json() -> None:
    assert text_of(r'"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"').value == '"\\/\b\f\n\r\té\U0001f600'


@pytest.mark.parametrize(
    ("written", "piece"),
    [
        (r'"a\qb"', r"\q"),
        (r'"\u12g4"', r"\u"),
        ('"tab\there"', "\t"),
        (r'"\ud83d"', r"\ud83d"),
        (r'"\ude00 x"', r"\ude00"),
        (r'"\ud83d\ud83d\ude00"', r"\ud83d"),
        (r'"\\ud83d\ude00"', r"\ude00"),
        (r'"\u0000"', r"\u0000"),
    ],
)
def test_what_is_no_escape_is_found_where_it_stands(written: str, piece: str) -> None:
    ((code, covered),) = found(written)
    assert code == "NW007"
    assert covered.startswith(piece)


def test_an_escaped_backslash_before_a_code_is_no_half_of_a_pair() -> None:
    assert text_of(r'"\\ud83d"').value == r"\ud83d"


def test_the_margin_of_a_long_text_is_taken_off_every_line() -> None:
    text = text_of('"""\n    a\n      b\n\n  \n    c\n    """')
    assert text.value == "a\n  b\n\n\nc"
    assert text.long


def test_a_long_text_may_be_empty_and_without_margin() -> None:
    assert text_of('"""\n"""').value == ""
    assert text_of('"""\na\n"""').value == "a"
    assert text_of('"""\n\n"""').value == ""


def test_a_long_text_has_no_escapes() -> None:
    assert text_of('"""\n  C:\\new "x" \\u00e9 # no comment\n  """').value == 'C:\\new "x" \\u00e9 # no comment'


def test_a_longer_fence_holds_a_shorter_one() -> None:
    assert text_of('""""\n  """\n  a\n  """\n  """"').value == '"""\na\n"""'


def test_what_follows_the_closing_fence_is_read_on() -> None:
    file, findings = parse('workflow w { step s { on enter { run("""\n  a\n  """, 2) } } }')
    assert findings == []
    assert not file.broken


def test_a_line_short_of_the_margin_is_found_once_a_text_and_read_without_its_white_space() -> None:
    file, findings = parse('text t """\n    a\n  b\n c\n    """\n')
    assert [(each.rule.code, each.span.first.line) for each in findings] == [("NW009", 3)]
    declaration: Any = file.items[0]
    assert declaration.value.value == "a\nb\nc"


def test_tabs_where_the_fence_has_spaces_are_told_apart() -> None:
    (finding,) = parse('text t """\n\ta\n  """\n')[1]
    assert "tabs and spaces" in finding.advice


def test_a_text_that_is_not_closed_does_not_take_the_closing_fence_of_the_next() -> None:
    text = 'workflow w {\n  step a {\n    prompt """\n      x\n  }\n'
    text += '  step b {\n    prompt """\n      y\n      """\n  }\n}\n'
    file, findings = parse(text)
    assert [(each.rule.code, each.span.first.line) for each in findings] == [("NW002", 3)]
    workflow: Any = file.items[0]
    assert [step.name.text for step in workflow.body if hasattr(step, "name")] == ["a", "b"]


@pytest.mark.parametrize(
    "written",
    [
        '"plain {{x}} here"',
        r'"esc \n\u00e9\ud83d\ude00 {{x}}"',
        '"""\n    one\n      {{x}}\n    """',
        '"""\n\n\n    {{x}}\n    """',
        '"""\r\n    one\r\n    two {{x}}\r\n    """',
    ],
)
def test_a_place_in_a_value_leads_back_to_the_file(written: str) -> None:
    source = f"text t {written}\n"
    text = text_of(written)
    at = place_in(text, text.value.index("{{x}}"), source)
    assert source[at:].startswith("{{x}}")
