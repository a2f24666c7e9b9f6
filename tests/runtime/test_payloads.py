"""Payloads against what their trigger declares."""

from __future__ import annotations

import math
from typing import Any

import pytest

from newel.compiler.program import Parameter, TriggerDef, TypeRef
from newel.runtime.errors import PayloadError
from newel.runtime.payloads import fitted
from tests.runtime.boards import Make, board
from tests.runtime.handmade import program, step

MODEL = program(step("a"), step("b"))


def fit(type_: TypeRef, value: Any, **more: Any) -> Any:
    field = Parameter(name="x", type=type_, required=more.pop("required", True), **more)
    given = {} if value is ... else {"x": value}
    return fitted(MODEL, "w", TriggerDef(name="t", payload=(field,)), given)["x"]


def ref(name: str, **more: Any) -> TypeRef:
    return TypeRef(name=name, **more)


GOOD = [
    (ref("text"), ""),
    (ref("int"), -3),
    (ref("int", minimum=1, maximum=5), 5),
    (ref("number"), 1.5),
    (ref("number"), 2),
    (ref("duration", minimum=1), 60),
    (ref("flag"), False),
    (ref("step"), "b"),
    (ref("workflow"), "w"),
    (ref("list", of=ref("int")), [1, 2]),
    (ref("list"), [1, "x"]),
    (ref("map"), {"a": [1, {"b": None}]}),
    (ref("map", of=ref("flag")), {"a": True}),
    (ref("role"), "approver"),
    (ref("target"), {"case": "primary"}),
    (ref("target"), {"case": "agent", "id": "ada"}),
    (ref("seat"), {"role": "reviewer", "agent": "ada", "required": False}),
]
BAD = [
    (ref("text"), 1, "a text"),
    (ref("int"), True, "whole number"),
    (ref("int"), 1.0, "whole number"),
    (ref("int"), "1", "whole number"),
    (ref("int", minimum=1), 0, "less than 1"),
    (ref("int", maximum=5), 6, "more than 5"),
    (ref("number"), math.nan, "a number"),
    (ref("number"), False, "a number"),
    (ref("duration", maximum=86400), 86401, "more than"),
    (ref("flag"), 1, "true or false"),
    (ref("step"), "gone", "step"),
    (ref("workflow"), "x", "workflow"),
    (ref("list", of=ref("int")), [1, "2"], r"\[1\]"),
    (ref("list", of=ref("text")), "ab", "a list"),
    (ref("map"), [], "an object"),
    (ref("map"), {1: 2}, "an object"),
    (ref("map", of=ref("int")), {"a": "b"}, "a: "),
    (ref("role"), "boss", "reviewer, approver"),
    (ref("role"), ["reviewer"], "one of"),
    (ref("target"), "primary", "case"),
    (ref("target"), {"case": "nobody"}, "primary, agent"),
    (ref("target"), {"case": "agent"}, "'id' must be given"),
    (ref("target"), {"case": "primary", "id": "x"}, "no field 'id'"),
    (ref("seat"), {"role": "reviewer"}, "agent"),
    (ref("seat"), "ada", "an object"),
    (
        ref("text"),
        "a\0b",
        r"t: x: a text without NUL characters is needed, not 'a\\x00b'; there is one at 1",
    ),
    (
        ref("text"),
        "torn \udcff",
        "t: x: a text that can be written as UTF-8 is needed.*at 5: replace it",
    ),
    (ref("list", of=ref("text")), ["a", "\0"], r"t: x: \[1\]: a text without NUL"),
    (ref("list"), ["a", [{"b": ("c", "\udcff")}]], "t: x: a text that can be written as UTF-8"),
    (ref("map"), {"a": {"b\0": 1}}, "t: x: a text without NUL"),
    (ref("map", of=ref("int")), {"\udcff": 1}, "t: x: a text that can be written as UTF-8"),
    (ref("seat"), {"role": "reviewer", "agent": "\0"}, "t: x: agent: a text without NUL"),
]


@pytest.mark.parametrize(("type_", "value"), GOOD)
def test_a_value_of_its_type_passes(type_: TypeRef, value: Any) -> None:
    assert fit(type_, value) == value


@pytest.mark.parametrize(("type_", "value", "says"), BAD)
def test_a_value_of_another_type_is_refused_with_its_field(type_: TypeRef, value: Any, says: str) -> None:
    with pytest.raises(PayloadError, match=says) as refused:
        fit(type_, value)
    assert str(refused.value).startswith("t: x: ")


def test_what_is_left_out_is_its_default_or_none() -> None:
    assert fit(ref("text", optional=True), ..., required=False) is None
    assert fit(ref("int"), ..., required=False, default=7) == 7
    assert fit(ref("int"), None, required=False, default=7) == 7
    assert fit(ref("seat"), {"role": "reviewer", "agent": "ada"})["required"] is True


def test_a_required_field_must_be_given() -> None:
    for value in (..., None):
        with pytest.raises(PayloadError, match="'x' must be given"):
            fit(ref("text"), value)


def test_an_unknown_field_is_refused_with_the_nearest_name() -> None:
    trigger = TriggerDef(name="t", payload=(Parameter(name="comment", type=ref("text"), required=True),))
    with pytest.raises(PayloadError, match="did you mean 'comment'"):
        fitted(MODEL, "w", trigger, {"coment": "x"})
    with pytest.raises(PayloadError, match="'x'"):
        fitted(MODEL, "w", TriggerDef(name="t"), {"x": 1})


def test_a_payload_is_an_object_that_nobody_changes_later() -> None:
    trigger = TriggerDef(name="t", payload=(Parameter(name="x", type=ref("text"), required=True),))
    given = {"x": "a"}
    kept: Any = fitted(MODEL, "w", trigger, given)
    given["x"] = "b"
    assert kept["x"] == "a"
    with pytest.raises(TypeError):
        kept["x"] = "c"
    anything: Any = ["x"]
    with pytest.raises(PayloadError):
        fitted(MODEL, "w", trigger, anything)
    assert fitted(MODEL, "w", TriggerDef(name="t"), None) == {}


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(PayloadError) as refused:
        fit(ref("int"), "x" * 10_000)
    assert len(str(refused.value)) < 200


def test_a_value_inside_itself_and_one_without_end_are_looked_through() -> None:
    knot: list[Any] = [{"a": "b"}]
    knot.append(knot)
    assert fit(ref("list"), knot)[0] == {"a": "b"}
    deep: Any = "\0"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(PayloadError, match="a text without NUL"):
        fit(ref("list"), deep)


def test_what_no_database_can_hold_is_refused_before_anything_runs(make: Make) -> None:
    rig = make(board(a="on comment {\npage\nqueue_run(primary)\n}"))
    rig.service.create("T", "w")
    for text in ("a\0b", "torn \udcff"):
        with pytest.raises(PayloadError, match="comment: comment_id: a text"):
            rig.service.handle("T", "comment", payload={"comment_id": text})
    assert (rig.paged, rig.service.runs()) == ([], ())
