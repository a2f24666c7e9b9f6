"""What an import is going to write: workflows, steps and statements in the words of the language, before layout."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Word:
    """A name used as a value: a case, a step, `null`."""

    text: str


@dataclass(frozen=True, slots=True)
class Long:
    """A text that is written between fences wherever they can hold it."""

    text: str


@dataclass(frozen=True, slots=True)
class Time:
    """A length of time, in seconds; hours are the largest unit it is written in."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Call:
    """A kind, guard, case or record with its arguments; the name of an argument is "" where it goes by position."""

    name: str
    args: tuple[tuple[str, Value], ...] = ()


Value: TypeAlias = "Word | Long | Time | Call | str | int | float | bool | list[Value] | dict[str, Value]"


@dataclass(frozen=True, slots=True)
class Move:
    """`-> to requires approval when guard`."""

    to: str
    approval: bool = False
    guard: Call | None = None


Statement: TypeAlias = "Call | Move"


@dataclass(slots=True)
class Step:
    """A step. Settings stand in the order they are written in; a True is a flag without a value."""

    name: str
    title: str
    settings: list[tuple[str, Value]] = field(default_factory=list)
    on: list[tuple[str, list[Statement]]] = field(default_factory=list)


@dataclass(slots=True)
class Workflow:
    """A workflow and its steps, in the order of the board."""

    name: str
    title: str
    settings: list[tuple[str, Value]] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)


@dataclass(slots=True)
class Draft:
    """A whole file: placeholders that the standard vocabulary has not, and workflows."""

    placeholders: list[str] = field(default_factory=list)
    workflows: list[Workflow] = field(default_factory=list)
