"""A class with fields to a dataclass with slots that costs less than one of the library's own: to define or to make."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(field_specifiers=(field,))
def slotted(cls: type[Made]) -> type[Made]:
    """Like `dataclass(slots=True)`, for trees: `newel check` defines a hundred of them. What that would write for each
    class and compile at each start, equality and repr, is the same code for all here; only `__init__` is the class's
    own, since it is called for every node of a file."""
    made: Any = dataclass(slots=True, eq=False, repr=False)(cls)
    made.__eq__ = _equal
    made.__hash__ = None
    if "__repr__" not in cls.__dict__:
        made.__repr__ = _shown
    return made  # type: ignore[no-any-return]  # the class that was given, made anew with slots


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Made]) -> type[Made]:
    """Like `dataclass(frozen=True, slots=True)`, for what an arrival makes by the dozen: `__init__` sets each slot by
    its own descriptor, in half the time that `object.__setattr__` takes to find it by name."""
    made: Any = dataclass(frozen=True, slots=True)(cls)
    made.__init__ = _quick(made)
    return made  # type: ignore[no-any-return]  # the class that was given, made anew with slots


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def settled(cls: type[Made]) -> type[Made]:
    """Like `frozen` to a type checker alone, for what never leaves a call: made in a fifth of the time."""
    return dataclass(slots=True)(cls)


def _quick(made: Any) -> Any:
    """The `__init__` of a frozen dataclass again, in other words; parameters, defaults and annotations are its own.

    While its fields are set, an object is one of a class that has the same slots and is open: an attribute that the
    interpreter may set itself costs a tenth of one that its descriptor is called for. Nobody else has it by then.
    """
    plain, names = made.__init__, [each.name for each in fields(made)]
    defaults = plain.__defaults__ or ()
    unset = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    known: dict[str, Any] = {"closed": made, "become": object.__dict__["__class__"].__set__}
    known["opened"] = type(made.__name__, (), {"__slots__": made.__slots__}) if made.__bases__ == (object,) else None
    values = {name: name for name in names}
    for each in fields(made):
        name = each.name
        known[f"_set_{name}"] = getattr(made, name).__set__
        if each.default_factory is not MISSING:
            known |= {f"_new_{name}": each.default_factory, f"_unset_{name}": unset[name]}
            values[name] = f"_new_{name}() if {name} is _unset_{name} else {name}"
    lines = [
        f"def __init__(self, {', '.join(names)}):",
        " if opened is not None and self.__class__ is closed:",
        "  become(self, opened)",
        *(f"  self.{name} = {value}" for name, value in values.items()),
        "  self.__class__ = closed",
        " else:",
        *(f"  _set_{name}(self, {value})" for name, value in values.items()),
    ]
    if hasattr(made, "__post_init__"):
        lines.append(" self.__post_init__()")
    body = "\n ".join(lines)
    found: dict[str, Any] = {}
    exec(f"def make({', '.join(known)}):\n {body}\n return __init__", found)  # noqa: S102 - only names of fields
    quick = found["make"](**known)
    quick.__defaults__, quick.__annotations__ = plain.__defaults__, plain.__annotations__
    quick.__qualname__, quick.__module__ = plain.__qualname__, made.__module__
    return quick


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return all(getattr(self, name) == getattr(other, name) for name in self.__dataclass_fields__)


@recursive_repr()
def _shown(self: Any) -> str:
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__dataclass_fields__)
    return f"{self.__class__.__qualname__}({fields})"
