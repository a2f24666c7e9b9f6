"""What `slotted` makes is what `dataclass(slots=True)` makes, but for the cost of making it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import pytest

from newel.dsl.slotted import slotted


@slotted
class Point:
    x: int
    tags: list[str] = field(default_factory=list)


@slotted
class Named(Point):
    name: object = None


@slotted
class Other(Point):
    name: object = None

    def __repr__(self) -> str:
        return "other"


@dataclass(slots=True)
class Same:
    x: int
    tags: list[str] = field(default_factory=list)


def test_it_has_fields_slots_defaults_and_patterns_like_a_dataclass() -> None:
    assert [each.name for each in fields(Named)] == ["x", "tags", "name"]
    assert Point.__slots__ == Same.__slots__ == ("x", "tags")  # type: ignore[attr-defined]  # made when it runs
    assert Point(1).tags is not Point(1).tags
    match Named(1, ["a"], name=2):
        case Named(x, _, name):
            assert (x, name) == (1, 2)
    with pytest.raises(AttributeError):
        Point(1).y = 2  # type: ignore[attr-defined]  # what the slots are there to refuse


def test_two_are_equal_when_class_and_fields_are() -> None:
    assert Point(1, ["a"]) == Point(1, ["a"])
    assert Point(1) != Point(2)
    assert Named(1) != Other(1)  # type: ignore[comparison-overlap]  # just that is shown
    assert Point(1) != Named(1)
    assert Point(1) != (1, [])  # type: ignore[comparison-overlap]  # just that is shown


def test_they_can_be_changed_so_they_have_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Point(1))


def test_they_are_shown_like_a_dataclass_and_a_circle_comes_to_an_end() -> None:
    assert repr(Point(1, ["a"])) == repr(Same(1, ["a"])).replace("Same", "Point")
    assert repr(Other(1)) == "other"
    circle = Named(1)
    circle.name = circle
    assert repr(circle) == "Named(x=1, tags=[], name=...)"
