"""Values, calls and guards are written as the language writes them."""

from __future__ import annotations

import pytest

from newel.compiler.exports import words
from newel.compiler.program import Guard, TypeRef
from tests.compiler.exports.boards import VOCABULARY, asked, both, either, no, said

A, B, C = (asked("any_reject", role=role) for role in ("a", "b", "c"))


@pytest.mark.parametrize(
    ("seconds", "text"), [(90, "90s"), (900, "15m"), (86400, "1d"), (7200, "2h"), (0, "0s"), (5400, "90m")]
)
def test_durations_are_in_the_largest_unit_that_fits(seconds: int, text: str) -> None:
    """As one would have written them."""
    assert words.duration(seconds) == text


def test_a_call_leaves_out_what_is_at_its_default() -> None:
    """The first argument by position, the rest by name, and nothing that need not be said."""
    action = said("queue_run", target="primary", reason="again", payload={"a": [1, "x"], "b": None})
    written = 'queue_run(reason="again", payload={ a: [1, "x"], b: null })'
    assert words.action(action, VOCABULARY) == written
    assert words.action(said("queue_run", target="primary"), VOCABULARY) == "queue_run"


def test_cases_and_records_are_calls_of_their_own() -> None:
    """A case with fields, a case without, a record."""
    action = said("queue_run", target={"case": "participant", "role": "reviewer"})
    assert words.action(action, VOCABULARY) == "queue_run(participant(reviewer))"
    assert words.action(said("queue_run", target="ceo_agent"), VOCABULARY) == "queue_run(ceo_agent)"
    record = {"name": "Ada", "model": "opus"}
    assert words.value(record, TypeRef(name="agent"), VOCABULARY) == 'agent("Ada", model="opus")'


def test_durations_and_flags_inside_a_value() -> None:
    """The type decides how a value is written."""
    assert words.action(said("run_script", command="make", timeout=5400), VOCABULARY) == (
        'run_script("make", timeout=90m)'
    )
    of = TypeRef(name="list", of=TypeRef(name="flag"))
    assert words.value([True, False, None], of, VOCABULARY) == "[true, false, none]"


@pytest.mark.parametrize(
    ("guard", "text"),
    [
        (both(A, either(B, C)), "any_reject(a) and (any_reject(b) or any_reject(c))"),
        (either(both(A, B), C), "any_reject(a) and any_reject(b) or any_reject(c)"),
        (no(both(A, B)), "not (any_reject(a) and any_reject(b))"),
        (both(no(A), B), "not any_reject(a) and any_reject(b)"),
        (asked("n_approve", role="a", count=2), "n_approve(a, count=2)"),
    ],
)
def test_guards_have_brackets_where_they_need_them(guard: Guard, text: str) -> None:
    """`not` binds before `and`, `and` before `or`."""
    assert words.guard(guard, VOCABULARY) == text


def test_types_are_written_with_bounds_and_elements() -> None:
    """As they are declared."""
    assert words.type_name(TypeRef(name="int", minimum=1)) == "int(1..)"
    assert words.type_name(TypeRef(name="duration", minimum=1, maximum=86400)) == "duration(1s..1d)"
    assert words.type_name(TypeRef(name="list", of=TypeRef(name="role"), optional=True)) == "list(role)?"
