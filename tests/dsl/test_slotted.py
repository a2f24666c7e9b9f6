"""What `slotted` and `frozen` make is what dataclasses makes, but for the cost of it."""

from __future__ import annotations

import inspect
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from newel.dsl.slotted import frozen, settled, slotted


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


@frozen
class Row:
    """What is frozen."""

    id: int
    name: str = "x"
    tags: list[str] = field(default_factory=list)
    more: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.id < 0:
            raise ValueError("no such row")


@frozen
class Longer(Row):
    last: int = 0


@dataclass(frozen=True, slots=True)
class Plain:
    id: int
    name: str = "x"
    tags: list[str] = field(default_factory=list)
    more: dict[str, int] = field(default_factory=dict)


def test_a_frozen_one_is_made_shown_compared_and_hashed_like_a_frozen_dataclass() -> None:
    assert inspect.signature(Row) == inspect.signature(Plain)
    assert repr(Row(1, tags=["a"])) == repr(Plain(1, tags=["a"])).replace("Plain", "Row")
    assert Row(1) == Row(1, "x", [], {}) != Row(2)
    assert Row(1).tags is not Row(1).tags
    assert replace(Row(1), name="y") == Row(1, "y")
    assert hash(Coordinates(1)) == hash(Coordinates(1, 2))
    assert (Longer(1, "y", last=3).name, Longer(1).last) == ("y", 0)
    with pytest.raises(TypeError, match=r"__init__\(\) missing 1 required positional argument: 'id'"):
        Row()  # type: ignore[call-arg]  # just that is shown


@frozen
class Coordinates:
    x: int
    y: int = 2


def test_a_frozen_one_cannot_be_changed_and_checks_itself() -> None:
    with pytest.raises(FrozenInstanceError):
        Row(1).name = "y"  # type: ignore[misc]  # just that is shown
    with pytest.raises(FrozenInstanceError):
        del Row(1).name  # pyright: ignore[reportAttributeAccessIssue]  # just that is shown
    with pytest.raises(ValueError, match="no such row"):
        Row(-1)


def test_a_settled_one_is_made_and_compared_like_a_dataclass() -> None:
    """That nothing is assigned to it is the type checker's to see."""
    assert Place(1) == Place(1, "x") != Place(2)
    assert repr(Place(1)) == "Place(x=1, name='x')"
    assert Place.__slots__ == ("x", "name")  # type: ignore[attr-defined]  # made when it runs


@settled
class Place:
    x: int
    name: str = "x"
