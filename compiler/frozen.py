"""JSON values to ones that cannot be changed: lists and objects that refuse, and else are what they were."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, NoReturn


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("a compiled program cannot be changed")


class FrozenList(list[Any]):
    """A list that cannot be changed; equal to a list of the same items, and written to JSON like one."""

    append = extend = insert = remove = clear = sort = reverse = _refuse
    pop = __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse


class FrozenDict(dict[str, Any]):
    """An object that cannot be changed; equal to a dict of the same items, and written to JSON like one."""

    clear = update = _refuse
    pop = popitem = setdefault = __setitem__ = __delitem__ = __ior__ = _refuse


def frozen(value: Any) -> Any:
    """A JSON value, with all that is in it frozen."""
    if isinstance(value, list):
        return FrozenList(map(frozen, value))
    if isinstance(value, dict):
        return FrozenDict((key, frozen(each)) for key, each in value.items())
    return value


def thawed(value: Any) -> Any:
    """A JSON value, with all that is in it as it was before it was frozen."""
    if isinstance(value, list):
        return list(map(thawed, value))
    return {key: thawed(each) for key, each in value.items()} if isinstance(value, dict) else value


def frozen_map(value: dict[str, Any]) -> MappingProxyType[str, Any]:
    """A map of JSON values, frozen all through."""
    items = value.items()
    return MappingProxyType({key: frozen(each) if isinstance(each, list | dict) else each for key, each in items})
