"""A class with fields to a dataclass with slots that is cheap to define: `newel check` defines a hundred of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(field_specifiers=(field,))
def slotted(cls: type[Made]) -> type[Made]:
    """Like `dataclass(slots=True)`. What that would write for each class and compile at each start, equality and repr,
    is the same code for all here; only `__init__` is the class's own, since it is called for every node of a file."""
    made: Any = dataclass(slots=True, eq=False, repr=False)(cls)
    made.__eq__ = _equal
    made.__hash__ = None
    if "__repr__" not in cls.__dict__:
        made.__repr__ = _shown
    return made  # type: ignore[no-any-return]  # the class that was given, made anew with slots


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return all(getattr(self, name) == getattr(other, name) for name in self.__dataclass_fields__)


@recursive_repr()
def _shown(self: Any) -> str:
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__dataclass_fields__)
    return f"{self.__class__.__qualname__}({fields})"
