"""Declarations: names, types, triggers, marks, shapes and defaults, right and wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newel.compiler import check_text
from newel.compiler.bind.marks import MARKS
from newel.compiler.bind.triggers import OWN
from newel.compiler.bind.types import BUILT_IN
from newel.compiler.model import Model

Found = Callable[[str], list[tuple[str, str]]]
Bound = Callable[[str], Model]
Wrong = list[tuple[str, str]]

# ---------------------------------------------------------------- names

TWICE = {
    "type": "type {0} = a",
    "record": "type {0}(a: text)",
    "trigger": "trigger {0}",
    "group": "group {0} = comment",
    "key": 'key {0}(a: text) "k:{{a}}"',
    "guard": "guard {0}",
    "kind": "action {0} on comment",
    "step setting": "setting step {0}: flag",
    "workflow setting": "setting workflow {0}: flag",
    "placeholder": "placeholder {0}",
    "text": 'text {0} "x"',
    "fragment": "fragment {0} {{}}",
    "workflow": 'workflow {0} "W" {{}}',
}


@pytest.mark.parametrize("form", TWICE.values(), ids=TWICE)
def test_a_name_is_declared_once(found: Found, form: str) -> None:
    text = form.format("thing")
    assert found(text) == []
    assert found(f"{text}\n{text}") == [("NW115", "thing")]


SHARED = [("type", "record"), ("trigger", "group"), ("trigger", "key"), ("text", "placeholder")]


@pytest.mark.parametrize(("one", "other"), [*SHARED, *(pair[::-1] for pair in SHARED)])
def test_names_that_are_looked_up_in_one_place_are_told_apart(found: Found, one: str, other: str) -> None:
    assert found(f"{TWICE[one].format('thing')}\n{TWICE[other].format('thing')}") == [("NW115", "thing")]


def test_names_that_are_looked_up_in_different_places_may_be_the_same(found: Found) -> None:
    forms = ("type", "trigger", "guard", "kind", "step setting", "workflow setting", "text", "fragment", "workflow")
    assert found("\n".join(TWICE[form].format("thing") for form in forms)) == []


def test_a_name_of_the_standard_vocabulary_is_taken(found: Found) -> None:
    assert found("action queue_run on enter") == [("NW115", "queue_run")]
    assert found("use nothing\naction queue_run on enter") == []


CONDITIONS = ("when", "requires", "and", "or")
FORBIDDEN = [
    *(("step", name) for name in ("next", "previous")),
    *(("step setting", name) for name in ("step", "every", "on", "include", "start", "end", *CONDITIONS)),
    *(("workflow setting", name) for name in ("step", "every", "on", "include", "start", "end", *CONDITIONS)),
    *(("kind", name) for name in CONDITIONS),
    *(("guard", name) for name in ("not", *CONDITIONS)),
    *(("trigger", name) for name in OWN),
    *(("group", name) for name in OWN),
    *(("key", name) for name in OWN),
    *(("type", name) for name in BUILT_IN),
]


@pytest.mark.parametrize(("form", "name"), FORBIDDEN)
def test_the_few_forbidden_names_are_findings(found: Found, form: str, name: str) -> None:
    text = f'workflow w "W" {{\n  step {name} "S" {{}}\n}}\n' if form == "step" else TWICE[form].format(name)
    assert found(text) == [("NW114", name)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("action a(kind: text) on comment", "kind"),
        ("action a(place: text) on comment", "place"),
        ("guard g(kind: text)", "kind"),
        ("type t = a | b(case: text)", "case"),
        ("trigger t(task: text)", "task"),
        ("trigger t(step: text)", "step"),
        ("trigger t(workflow: text)", "workflow"),
    ],
)
def test_names_that_are_taken_beside_parameters_are_findings(found: Found, text: str, name: str) -> None:
    assert found(text) == [("NW114", name)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("action a(x: text, x: int) on comment", "x"),
        ("type t(x: text, x: int)", "x"),
        ("type t = x | x", "x"),
        ("extend type role = reviewer", "reviewer"),
        ("action a on comment, comment", "comment"),
        ("group g = comment | comment", "comment"),
        ("trigger t means person, person", "person"),
    ],
)
def test_parts_of_a_declaration_are_told_apart(found: Found, text: str, name: str) -> None:
    assert found(text) == [("NW117", name)]


def test_the_type_of_a_field_given_twice_is_used(found: Found) -> None:
    """One mistake is one finding: the type is not said to be used nowhere on top."""
    text = "type size = big\ntrigger sold(size: text, size: size)\nworkflow w { step a { start } }\n"
    assert found(text) == [("NW117", "size")]


# ---------------------------------------------------------------- types


def test_a_type_grows_in_another_place(bound: Bound) -> None:
    model = bound("extend type role = judge | clerk(desk: text)\n")
    role = model.vocabulary.types["role"]
    assert list(role.cases)[-2:] == ["judge", "clerk"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("extend type nothing = a", [("NW104", "nothing")]),
        ("extend type seat = a", [("NW213", "seat")]),
        ("setting step s: rol?", [("NW104", "rol")]),
        ("setting step s: list?", [("NW208", "list?")]),
        ("setting step s: list(1..2)?", [("NW208", "list(1..2)?")]),
        ("setting step s: list(text?)?", [("NW208", "text?")]),
        ("setting step s: text(int)?", [("NW208", "text(int)?")]),
        ("setting step s: role(int)?", [("NW208", "role(int)?")]),
        ("setting step s: int(5..1)?", [("NW208", "int(5..1)?")]),
        ("setting step s: int(1s..)?", [("NW208", "int(1s..)?")]),
        ("setting step s: int(1.5..)?", [("NW208", "int(1.5..)?")]),
        ("setting step s: int(1..2s)?", [("NW208", "int(1..2s)?")]),
        ("setting step s: duration(1..)?", [("NW208", "duration(1..)?")]),
        ("setting board s: flag", [("NW123", "board")]),
        ("type a(b: a)", [("NW209", "a")]),
        ("type a(b: list(a))", [("NW209", "a")]),
        ("type a(b: b)\ntype b = x(c: map(c))\ntype c(a: a?)", [("NW209", "a")]),
    ],
)
def test_a_type_that_is_none(found: Found, text: str, expected: Wrong) -> None:
    assert [code for code, _ in found(text)] == [code for code, _ in expected]
    if expected[0][0] != "NW209":
        assert found(text) == expected


def test_a_circle_of_types_is_told_with_its_way() -> None:
    (finding,) = check_text("type a(b: b)\ntype b(c: c)\ntype c(a: a)\n").findings
    assert finding.message in {
        f"the type `{x}` holds itself: {x} -> {y} -> {z} -> {x}" for x, y, z in ("abc", "bca", "cab")
    }


# ---------------------------------------------------------------- defaults


def test_defaults_are_bound_whatever_the_order_of_the_text(bound: Bound) -> None:
    model = bound(
        "action act(outer: outer = outer()) on comment\n"
        "type outer(inner: inner = filled(7), more: list(inner) = [empty])\n"
        "type inner = empty | filled(size: int = 3, word: word = yes)\n"
        "type word = yes | no\n"
    )
    assert model.vocabulary.kinds["act"].parameters["outer"].default == {
        "inner": {"case": "filled", "size": 7, "word": "yes"},
        "more": [{"case": "empty"}],
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('action a(x: int = "1") on comment', [("NW201", '"1"')]),
        ("action a(x: int(1..) = 0) on comment", [("NW205", "0")]),
        ("action a(x: role = nobody) on comment", [("NW206", "nobody")]),
        ("setting step s: step = a", [("NW212", "a")]),
        ("setting step s: list(step) = [a]", [("NW212", "[a]")]),
        ("action a(x: workflow = w) on comment", [("NW212", "w")]),
    ],
)
def test_a_default_that_does_not_fit(found: Found, text: str, expected: Wrong) -> None:
    assert found(text) == expected


# ---------------------------------------------------------------- triggers and moves


def test_groups_are_resolved_and_moves_marked(bound: Bound) -> None:
    model = bound(
        "trigger a\ntrigger b\ngroup both = a | b\naction act on both, exit\nguard g on both\nmoves on a\n"
        "moves guarded on b means in_turn\n"
    )
    v = model.vocabulary
    assert v.kinds["act"].triggers == ("a", "b", "exit")
    assert v.guards["g"].triggers == ("a", "b")
    flags = {name: (v.triggers[name].moves, v.triggers[name].guarded, v.triggers[name].in_turn) for name in "ab"}
    assert flags == {"a": (True, False, False), "b": (True, True, True)}
    assert model.used["group"] >= {"both"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("action a on nowhere", [("NW102", "nowhere")]),
        ("guard g on nowhere", [("NW102", "nowhere")]),
        ("group g = nowhere", [("NW102", "nowhere")]),
        ("group g = event", [("NW102", "event")]),
        ("moves on nowhere", [("NW102", "nowhere")]),
        ("moves on enter", [("NW410", "enter")]),
        ("group g = comment | exit\nmoves on g", [("NW410", "g")]),
        ('workflow w "W" {\n  step a "A" {\n    on event { clear_decisions }\n  }\n}', [("NW102", "event")]),
    ],
)
def test_a_list_of_triggers_that_is_wrong(found: Found, text: str, expected: Wrong) -> None:
    assert found(text) == expected


# ---------------------------------------------------------------- marks

BEARERS = {
    "action": "action thing(role: role, count: int) on comment means {}",
    "guard": "guard thing(role: role, count: int) means {}",
    "trigger": "trigger thing means {}",
    "setting": "setting step thing: {1} means {0}",
    "moves": "trigger thing\nmoves on thing means {}",
}
NEEDS = {"limit": "int = 0", "pull": "step?", "prompt": "text?", "agent": "text?", "seats": "list(seat)?"}


def bearing(bearer: str, mark: str, *, written: str | None = None) -> str:
    return BEARERS[bearer].format(written or mark, NEEDS.get(mark, "flag"))


ALL = [(bearer, mark) for bearer, marks in MARKS.items() for mark in marks]


@pytest.mark.parametrize(("bearer", "mark"), ALL)
def test_each_mark_may_be_carried_by_its_declaration(found: Found, bearer: str, mark: str) -> None:
    known = MARKS[bearer][mark]  # type: ignore[index]  # the keys are the bearers
    for amount in range(known.least, len(known.parameters) + 1):
        names = ", ".join(known.parameters[:amount])
        assert found(bearing(bearer, mark, written=f"{mark}({names})" if names else mark)) == []


@pytest.mark.parametrize(("bearer", "mark"), [(b, m) for b in MARKS for _, m in ALL if m not in MARKS[b]])
def test_no_mark_may_be_carried_by_another(found: Found, bearer: str, mark: str) -> None:
    assert found(bearing(bearer, mark)) == [("NW119", mark)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("trigger t means nobody", [("NW118", "nobody")]),
        ("guard g(role: role) means approval", [("NW120", "approval")]),
        ("guard g(role: role) means approval(who)", [("NW120", "who")]),
        ("guard g(role: text) means approval(role)", [("NW120", "role")]),
        ("guard g(role: role?) means approval(role)", [("NW120", "role")]),
        ("guard g(role: seat) means approval(role)", [("NW120", "role")]),
        ("guard g(role: role, n: text) means approval(role, n)", [("NW120", "n")]),
        ("guard g(role: role, n: int) means decision(role, n)", [("NW120", "decision(role, n)")]),
        ("action a(role: role) on comment means starts(role)", [("NW120", "starts(role)")]),
        ("setting step s: text? means signal", [("NW119", "signal")]),
        ("setting workflow s: flag means signal", [("NW119", "signal")]),
        ("setting step s: list(text)? means seats", [("NW119", "seats")]),
    ],
)
def test_a_mark_that_cannot_mean_anything(found: Found, text: str, expected: Wrong) -> None:
    assert found(text) == expected


# ---------------------------------------------------------------- operation shapes


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ("t:{a}", []),
        ("t:{a}[:{b}]:{task}{step}{workflow}", []),
        ("t:{a}:{digest(rows)}", []),
        ("t:{digest(rows)}", []),
        ("t:{task}", [("NW406", '"t:{task}"')]),
        ("t[:{a}]", [("NW406", '"t[:{a}]"')]),
        ("t:{a}:{c}", [("NW121", "c")]),
        ("t:{a}:{digest(c)}", [("NW121", "c")]),
        ("t:{a}:{digest(task)}", [("NW121", "task")]),
        ("t:{a}:{rows}", [("NW122", "rows")]),
        ("t:{a}:{seat}", [("NW122", "seat")]),
        ("t:{a}:{digest(b)}", [("NW122", "b")]),
        ("t:{a", [("NW122", "{")]),
        ("t:{a}}", [("NW122", "}")]),
        ("t:{a}]", [("NW122", "]")]),
        ("t:{a}[:{b}", [("NW122", "[")]),
        ("t:{a}[x]", [("NW122", "[")]),
        ("t:{a}[[{b}]]", [("NW122", "[")]),
        ("t:{a b}", [("NW122", "{")]),
    ],
)
def test_the_shape_of_an_operation_id(found: Found, shape: str, expected: Wrong) -> None:
    text = f'trigger t(a: text, b: text?, rows: list(text), seat: seat?) operation "{shape}"'
    assert found(text) == expected


def test_a_key_knows_its_own_parameters_alone(found: Found) -> None:
    assert found('key k(a: text) "k:{a}"') == []
    assert found('key k(a: text) "k:{a}:{task}"') == [("NW121", "task")]
    assert found('key k(task: text) "k:{task}"') == []


def test_a_role_that_another_file_gives_fields_names_that_case() -> None:
    """The mark stands in the standard vocabulary; what breaks it stands in the reader's file."""
    findings = check_text("extend type role = clerk(desk: text)\n").findings
    assert {finding.rule.code for finding in findings} == {"NW120"}
    assert {related.span.text for finding in findings for related in finding.related} == {"clerk"}
