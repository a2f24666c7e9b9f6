"""The text of an operation id's shape to its parts."""

import pytest

from newel.compiler.shapes import Field, Literal, Optional, ShapeError, fields_of, parse_shape


def test_a_shape_is_literals_fields_digests_and_optional_parts() -> None:
    parts = parse_shape("a:{b}[:{c-d}x]{digest(e)}")
    assert parts == (
        Literal("a:"),
        Field("b", False, 3),
        Optional((Literal(":"), Field("c-d", False, 8), Literal("x"))),
        Field("e", True, 22),
    )
    assert [field.name for field in fields_of(parts)] == ["b", "c-d", "e"]


def test_an_empty_shape_has_no_parts() -> None:
    assert parse_shape("") == ()


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("a{", 1),
        ("a}", 1),
        ("{a b}", 0),
        ("{}", 0),
        ("{digest()}", 0),
        ("[a]", 0),
        ("x[{a}", 1),
        ("]", 0),
        ("[{a}[", 4),
    ],
)
def test_a_shape_that_is_none_says_where(text: str, offset: int) -> None:
    with pytest.raises(ShapeError) as error:
        parse_shape(text)
    assert error.value.offset == offset
    assert error.value.problem
