"""Values and arguments: what a type takes, what it refuses, and what a program then holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newel.compiler import compile_text
from newel.compiler.model import Model

Found = Callable[[str], list[tuple[str, str]]]
Bound = Callable[[str], Model]

TYPES = """
type size = small | large
type box = plain | wrapped(paper: text, size: size = large, ribbon: text?)
type seatlike(role: role, size: size = small)
"""


def setting(type_: str, value: str, *, more: str = "") -> str:
    """A text in which a setting of some type is given a value."""
    return f'{TYPES}{more}\nsetting step it: {type_}?\nworkflow w "W" {{\n  step a "A" {{\n    it {value}\n  }}\n}}\n'


def value(model: Model) -> object:
    return model.workflows["w"].steps["a"].settings["it"].value


GOOD = [
    ("text", '"a \\u00e9 \\n"', "a é \n"),
    ("text", '"""\n      two\n        lines\n      """', "two\n  lines"),
    ("int", "-3", -3),
    ("int(0..)", "0", 0),
    ("int(0..100)", "100", 100),
    ("number", "3", 3.0),
    ("number", "-2.5", -2.5),
    ("flag", "true", True),
    ("flag", "false", False),
    ("duration", "90s", 90),
    ("duration", "15m", 900),
    ("duration", "24h", 86400),
    ("duration", "7d", 604800),
    ("duration(1s..24h)", "24h", 86400),
    ("step", "a", "a"),
    ("workflow", "w", "w"),
    ("list(int)", "[]", []),
    ("list(size)", "[small, large,]", ["small", "large"]),
    ("list(list(int))", "[[1], [2, 3]]", [[1], [2, 3]]),
    ("map(int)", '{ a: 1, "b c": 2 }', {"a": 1, "b c": 2}),
    ("map", "{ a: [1, 2.5, true, false, null, {b: \"c\"}] }", {"a": [1, 2.5, True, False, None, {"b": "c"}]}),
    ("size", "large", "large"),
    ("size", "size.large", "large"),
    ("box", "plain", {"case": "plain"}),
    ("box", 'wrapped("red")', {"case": "wrapped", "paper": "red", "size": "large"}),
    ("box", 'wrapped(size=small, paper="red", ribbon="x")',
     {"case": "wrapped", "paper": "red", "size": "small", "ribbon": "x"}),
    ("seatlike", "seatlike(reviewer)", {"role": "reviewer", "size": "small"}),
    ("seatlike", "(reviewer, size=large)", {"role": "reviewer", "size": "large"}),
    ("list(seatlike)", "[seatlike(reviewer)]", [{"role": "reviewer", "size": "small"}]),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "written", "expected"), GOOD, ids=[f"{t} {v}" for t, v, _ in GOOD])
def test_a_value_becomes_plain_data(bound: Bound, type_: str, written: str, expected: object) -> None:
    found = value(bound(setting(type_, written)))
    assert found == expected
    assert type(found) is type(expected)


WRONG = [
    ("text", "3", "NW201", "3"),
    ("text", "small", "NW201", "small"),
    ("int", '"3"', "NW201", '"3"'),
    ("int", "3.5", "NW201", "3.5"),
    ("int", "15m", "NW201", "15m"),
    ("number", "true", "NW201", "true"),
    ("flag", "1", "NW201", "1"),
    ("flag", "yes", "NW201", "yes"),
    ("flag", '"true"', "NW201", '"true"'),
    ("duration", "90", "NW201", "90"),
    ("duration", '"15m"', "NW201", '"15m"'),
    ("int(0..100)", "101", "NW205", "101"),
    ("int(1..)", "0", "NW205", "0"),
    ("duration(1m..1h)", "59s", "NW205", "59s"),
    ("step", "b", "NW103", "b"),
    ("step", "next", "NW103", "next"),
    ("step", '"a"', "NW201", '"a"'),
    ("workflow", "v", "NW107", "v"),
    ("workflow", "3", "NW201", "3"),
    ("list(int)", "1", "NW201", "1"),
    ("list(int)", '[1, "2"]', "NW201", '"2"'),
    ("map(int)", "[1]", "NW201", "[1]"),
    ("map(int)", '{ a: "1" }', "NW201", '"1"'),
    ("map(int)", "{ a: 1, a: 2 }", "NW211", "a"),
    ("map", "{ a: word }", "NW201", "word"),
    ("map", "{ a: 15m }", "NW201", "15m"),
    ("map", "{ a: { b: 1, b: 2 } }", "NW211", "b"),
    ("size", "medium", "NW206", "medium"),
    ("size", '"small"', "NW201", '"small"'),
    ("size", "box.small", "NW201", "box.small"),
    ("size", "small(3)", "NW207", "3"),
    ("size", "medium(3)", "NW201", "medium(3)"),
    ("box", "wrapped", "NW202", "wrapped"),
    ("box", "wrapped(3)", "NW201", "3"),
    ("box", 'wrapped("a", paper="b")', "NW204", "paper"),
    ("box", 'wrapped("a", "b")', "NW207", '"b"'),
    ("box", 'wrapped("a", ribon="b")', "NW203", "ribon"),
    ("seatlike", "reviewer", "NW201", "reviewer"),
    ("seatlike", "seatlike", "NW202", "seatlike"),
    ("seatlike", "seatlike(role=reviewr)", "NW206", "reviewr"),
]


@pytest.mark.parametrize(("type_", "written", "code", "place"), WRONG, ids=[f"{t} {v}" for t, v, _, _ in WRONG])
def test_a_value_of_another_type_is_refused_where_it_stands(
    found: Found, type_: str, written: str, code: str, place: str
) -> None:
    assert found(setting(type_, written)) == [(code, place)]


def test_a_case_in_quotes_is_told_to_lose_them() -> None:
    finding = next(f for f in compile_text(setting("size", '"small"')).findings if f.rule.code == "NW201")
    assert finding.message == "`it` takes a value of type `size`, not a text"
    assert finding.advice == "write it without quotes: `small`"


ACTION = 'action act(%s) on enter\ndispatch { act }\nworkflow w "W" {\n  step a "A" {\n    on enter { act%s }\n  }\n}\n'

CALLS: list[tuple[str, str, list[tuple[str, str]]]] = [
    ("a: int, b: text?", "(1)", []),
    ("a: int, b: text?", '(1, b="x")', []),
    ("a: int, b: text?", '(b="x", a=1)', []),
    ("a: int = 1", "", []),
    ("", "()", []),
    ("a: int", "", [("NW202", "act")]),
    ("a: int, b: text", "", [("NW202", "act"), ("NW202", "act")]),
    ("a: int, b: text?", '(1, "x")', [("NW207", '"x"')]),
    ("a: int, b: text?", '(b="x", 1)', [("NW207", "1")]),
    ("a: int", "(1, a=2)", [("NW204", "a")]),
    ("a: int, b: text", "(1, a=2)", [("NW202", "act"), ("NW204", "a")]),
    ("a: int, b: text", '(1, c="x")', [("NW203", "c")]),
    ("a: int", "(1, c=2)", [("NW203", "c")]),
    ("", "(1)", [("NW207", "1")]),
]


@pytest.mark.parametrize(("parameters", "arguments", "expected"), CALLS)
def test_arguments_are_named_but_the_first(
    found: Found, parameters: str, arguments: str, expected: list[tuple[str, str]]
) -> None:
    assert sorted(found(ACTION % (parameters, arguments))) == sorted(expected)


def test_what_is_not_given_has_its_default_and_what_may_be_left_out_is_left_out(bound: Bound) -> None:
    model = bound(ACTION % ('a: int = 7, b: text?, c: list(text) = ["x"]', ""))
    action = model.workflows["w"].steps["a"].actions()[0]
    assert action.args == {"a": 7, "c": ["x"]}
    assert action.given == {}


def test_the_places_of_arguments_are_kept(bound: Bound) -> None:
    action = bound(ACTION % ("a: int, b: text?", '(1, b="x")')).workflows["w"].steps["a"].actions()[0]
    assert {name: span.text for name, span in action.given.items()} == {"a": "1", "b": '"x"'}
