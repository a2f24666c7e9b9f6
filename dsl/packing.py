"""Nodes to plain data and back, so that a tree can be kept in a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from newel.dsl import tree

LIST, TUPLE = -1, -2


def packed(nodes: Iterable[tree.Node]) -> dict[str, Any]:
    """Nodes as JSON knows them: a node is `[class, field, ...]` with the number of its class, a list `[-1, item, ...]`,
    a tuple `[-2, item, ...]`; everything else stands for itself."""
    numbers: dict[str, int] = {}

    def pack(value: Any) -> Any:
        if isinstance(value, tree.Node):
            number = numbers.setdefault(type(value).__name__, len(numbers))
            return [number, *(pack(getattr(value, name)) for name in value.__dataclass_fields__)]
        if isinstance(value, list | tuple):
            return [TUPLE if isinstance(value, tuple) else LIST, *map(pack, value)]
        return value

    items = [pack(node) for node in nodes]
    return {"classes": list(numbers), "items": items}


def unpacked(data: dict[str, Any]) -> list[Any]:
    """The nodes again. Raises IndexError, KeyError, TypeError or ValueError where the data is none of `packed`."""
    classes = [_class(name) for name in data["classes"]]

    def unpack(value: list[Any]) -> Any:
        number, *fields = value
        whole = [unpack(field) if field.__class__ is list else field for field in fields]
        if number >= 0:
            return classes[number](*whole)
        return whole if number == LIST else tuple(whole)

    return [unpack(item) for item in data["items"]]


def _class(name: str) -> type[Any]:
    """A class of the tree, and nothing else that might bear that name."""
    found: type[Any] = vars(tree)[name]
    if not issubclass(found, tree.Node):
        raise TypeError(f"`{name}` is no node")
    return found
