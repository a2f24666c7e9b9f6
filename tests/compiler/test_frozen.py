"""Lists and objects that refuse to be changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest

from newel.compiler import compile_text
from newel.compiler.frozen import FrozenDict, FrozenList, frozen

VALUE = {"a": [1, {"b": [None]}], "c": "d"}

CHANGES: dict[str, Callable[[Any], object]] = {
    **{
        f"a list's {name}": lambda value, name=name, args=args: getattr(value["a"], name)(*args)  # type: ignore[misc]  # bound early
        for name, args in {
            "append": (1,), "extend": ([1],), "insert": (0, 1), "remove": (1,), "clear": (), "sort": (), "reverse": (),
            "pop": (), "__setitem__": (0, 1), "__delitem__": (0,), "__iadd__": ([1],), "__imul__": (2,),
        }.items()
    },
    **{
        f"an object's {name}": lambda value, name=name, args=args: getattr(value, name)(*args)  # type: ignore[misc]  # bound early
        for name, args in {
            "clear": (), "update": ({"a": 1},), "pop": ("a",), "popitem": (), "setdefault": ("x", 1),
            "__setitem__": ("a", 1), "__delitem__": ("a",), "__ior__": ({"x": 1},),
        }.items()
    },
    "what is deep inside": lambda value: value["a"][1]["b"].append(1),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_way_to_change_it_is_refused(change: Callable[[Any], object]) -> None:
    value = frozen(VALUE)
    with pytest.raises(TypeError, match="cannot be changed"):
        change(value)
    assert value == VALUE


def test_no_way_to_change_a_list_or_dict_is_forgotten() -> None:
    """Every method of theirs that is not one of a tuple or of a read-only map is among the refused."""
    for base, kept, made in ((list, tuple, FrozenList), (dict, MappingProxyType, FrozenDict)):
        changing = {name for name in dir(base) if name not in dir(kept)} - {"__init__", "__reversed__", "fromkeys"}
        assert {name for name in changing if getattr(made, name) is getattr(base, name)} <= {"copy", "__sizeof__"}


def test_it_is_equal_to_what_it_was_and_written_the_same() -> None:
    assert frozen(VALUE) == VALUE
    assert json.dumps(frozen(VALUE)) == json.dumps(VALUE)


def test_c1_settings_and_maps_of_a_program_are_frozen_all_through() -> None:
    text = (
        'workflow w "W" {\n  step a "A" {\n    start\n    seats [seat(reviewer, agent="ada")]\n'
        "    on enter { queue_run(payload={ a: [1], b: { c: 1 } }) }\n  }\n}\n"
    )
    step: Any = compile_text(text).require().workflows["w"].steps["a"]
    seats, payload = step.settings["seats"], step.on["enter"][0].payload
    changes: list[Callable[[], object]] = [
        lambda: seats.append(1),
        lambda: seats[0].update(role="x"),
        lambda: payload["a"].append(2),
        lambda: payload["b"].pop("c"),
    ]
    for change in changes:
        with pytest.raises(TypeError, match="cannot be changed"):
            change()
