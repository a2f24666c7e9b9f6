"""Every limit, at it and one over; and files made to take long."""

from __future__ import annotations

import time

import pytest

from newel.dsl import Limits, limits, parse
from newel.dsl.tree import Placeholder

STEP = "workflow w {{ step s {{ {} }} }}"


def codes(text: str, at: Limits = limits.DEFAULT) -> list[str]:
    """The codes of what is found."""
    return [finding.rule.code for finding in parse(text, at)[1]]


@pytest.mark.parametrize(
    ("at", "over", "code"),
    [
        ("# " + "é" * 10, "# " + "é" * 20, "NW011"),
        ("\n" * 4, "\n" * 5, "NW011"),
        (STEP.format("a [1]"), STEP.format("a [[1]]"), "NW012"),
        ("placeholder abcdefghijk", "placeholder abcdefghijkl", "NW011"),
        ('text t "abcdef"', 'text t "abcdefg"', "NW011"),
        (STEP.format("a -1.34"), STEP.format("a -1.345"), "NW011"),
        (STEP.format("a 12d"), STEP.format("a 123d"), "NW011"),
    ],
)
def test_what_meets_a_limit_is_accepted_and_one_more_is_not(at: str, over: str, code: str) -> None:
    small = Limits(bytes=40, lines=5, nesting=3, name_length=11, text_length=8, digits=3, duration_digits=2)
    assert codes(at, small) == []
    assert codes(over, small) == [code]


@pytest.mark.parametrize(
    ("at", "over", "code"),
    [
        ("#" * limits.BYTES, "#" * (limits.BYTES + 1), "NW011"),
        ("\n" * (limits.LINES - 1), "\n" * limits.LINES, "NW011"),
        (STEP.format("a " + "[" * 62 + "]" * 62), STEP.format("a " + "[" * 63 + "]" * 63), "NW012"),
        ("placeholder " + "x" * limits.NAME_LENGTH, "placeholder x" + "x" * limits.NAME_LENGTH, "NW011"),
        (f'text t "{"x" * (limits.TEXT_LENGTH - 2)}"', f'text t "{"x" * limits.TEXT_LENGTH}"', "NW011"),
        (STEP.format("a " + "1" * limits.DIGITS), STEP.format("a 1" + "1" * limits.DIGITS), "NW011"),
        (
            STEP.format("a " + "9" * limits.DURATION_DIGITS + "d"),
            STEP.format("a 1" + "9" * limits.DURATION_DIGITS + "d"),
            "NW011",
        ),
    ],
    ids=["bytes", "lines", "nesting", "name", "text", "digits", "duration"],
)
def test_the_documented_limits_hold(at: str, over: str, code: str) -> None:
    assert codes(at) == []
    assert codes(over) == [code]


def test_after_so_many_findings_the_rest_is_not_read() -> None:
    file, findings = parse("placeholder x\n" + "?\n" * 5, Limits(findings=3))
    assert [finding.rule.code for finding in findings] == ["NW003", "NW003", "NW003", "NW011"]
    assert findings[-1].advice == "mend these first: the rest of the file was not read"
    assert isinstance(file.items[0], Placeholder)
    assert file.broken


@pytest.mark.parametrize("bracket", ["[", "(", "{"])
def test_a_hundred_thousand_brackets_are_one_finding(bracket: str) -> None:
    assert len(codes(bracket * 100_000)) == 1
    assert len(codes("workflow w {\n  a [" + bracket * 100_000 + "\n}\n")) == 1


N = 50_000
BLOCKS = "workflow w {\n step s {\n  on t {\n"
HARD = {
    "quotes": '"' * N,
    "growing fences": "\n".join('"' * count for count in range(3, 600)),
    "growing fences behind words": "\n".join("x " + '"' * count for count in range(3, 600)),
    "unclosed texts": "workflow w {\n" + ' a "b\n' * N + "}",
    "unclosed long texts": "workflow w {\n" + ' a """\n  b\n' * N,
    "fences without a beginning": "workflow w {\n" + ' a b c\n  d\n  """\n' * N,
    "many quotes on a line": "workflow w { a " + '"b ' * N,
    "open brackets on lines": "workflow w {\n" + "a (\n" * N,
    "open braces on lines": "workflow w {\n" + "a {\n" * N,
    "blank lines in brackets": "workflow w {\n a (" + "\n" * N + "x y",
    "blocks": BLOCKS * (N // 5),
    "not": BLOCKS + "-> x when " + "not " * N,
    "and": BLOCKS + "-> x when a" + " and a" * N,
    "list types": "type x = " + "list(" * N,
    "parameters": "action a(" + "b: c, " * N,
    "dots": "workflow w {\n a " + "b." * N,
    "blocks closed too early": "workflow w {\n" + "step s { end } }\n" * N,
    "keywords left out": "workflow w {\n" + 'foo "Foo" {\n' * N,
    "carriage returns": ("x" * 1000 + "\r") * 500,
    "documentation": "## x\n" * N,
    "spaces": " " * N * 10,
}


@pytest.mark.parametrize("name", HARD)
def test_a_file_made_to_take_long_does_not(name: str) -> None:
    """Two seconds are the promise; these take a tenth of that on an ordinary machine."""
    started = time.process_time()
    parse(HARD[name])
    assert time.process_time() - started < 2


@pytest.mark.parametrize("text", [")" * (limits.BYTES - 1), '"' * (limits.BYTES - 1)], ids=["brackets", "quotes"])
def test_a_line_of_a_whole_file_is_not_gone_through_for_each_finding(text: str) -> None:
    """It is no line that anybody wrote, so nobody left a quote out of it."""
    began = time.process_time()
    assert codes(text)
    assert time.process_time() - began < 4


def test_the_lines_of_a_file_with_too_many_are_not_looked_up() -> None:
    began = time.process_time()
    (finding,) = parse("\n" * (limits.BYTES - 1))[1]
    assert (finding.rule.code, finding.span.source.lines) == ("NW011", 1)
    assert time.process_time() - began < 1
