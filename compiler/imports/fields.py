"""Values under the keys of workflows and steps: read as the client's typed reader does, and written so that it reads
them back. Nothing is bent to fit."""

from __future__ import annotations

from collections.abc import Mapping as ReadOnly
from dataclasses import dataclass
from typing import Protocol

from newel.compiler.imports.document import Document, Mapping, Scalar
from newel.compiler.imports.document_rules import KEY_NOT_CARRIED
from newel.compiler.imports.draft import Call, Long, Time, Value, Word
from newel.compiler.imports.reading import Reading, quote
from newel.compiler.model import Json

_YES_NO: ReadOnly[str, bool] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False),
}
# What Go's strings.TrimSpace takes off; Python's strip takes more.
_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
MOST_HOURS = 200_000


@dataclass(frozen=True, slots=True)
class Unsayable:
    """Why the client has no words for a value."""

    why: str


NO_EMPTY_TEXT = Unsayable("an empty text means nothing given there")
NO_SUCH_VALUE = Unsayable("the client has no such value")


class Codec(Protocol):
    """How the value of a key becomes a value of the language, and the other way."""

    def read(self, reading: Reading, key: str, node: Document) -> Value | None:
        """The value; None where there is nothing to write, with a finding where something is wrong."""
        ...

    def write(self, value: Json) -> Json | Unsayable:
        """The bound value as the client reads it; None where the key is left out."""
        ...


@dataclass(frozen=True, slots=True)
class Flag:
    """A truth value. Unlike in a configuration, `yes` and `on` count."""

    def read(self, reading: Reading, key: str, node: Document) -> bool | None:
        """The truth value."""
        value = node.value if isinstance(node, Scalar) else None
        if isinstance(node, Scalar) and node.plain and isinstance(value, str):
            value = _YES_NO.get(value)
        if isinstance(value, bool):
            return value
        reading.wrong(key, node, "true or false")
        return None

    def write(self, value: Json) -> Json | Unsayable:
        """The truth value."""
        return value if isinstance(value, bool) else NO_SUCH_VALUE


@dataclass(frozen=True, slots=True)
class Line:
    """A short text; a number or truth value without quotes is the text it stands as."""

    def read(self, reading: Reading, key: str, node: Document) -> str | None:
        """The text; None for an empty one."""
        if isinstance(node, Scalar):
            return reading.text(key, node, node.text) or None
        reading.wrong(key, node, "a text")
        return None

    def write(self, value: Json) -> Json | Unsayable:
        """The text."""
        if isinstance(value, str):
            return value or NO_EMPTY_TEXT
        return NO_SUCH_VALUE


@dataclass(frozen=True, slots=True)
class Prose:
    """A long text, white space at its ends taken off."""

    def read(self, reading: Reading, key: str, node: Document) -> Long | None:
        """The text; None for a blank one."""
        if not isinstance(node, Scalar):
            reading.wrong(key, node, "a text")
            return None
        text = node.text.strip(_SPACE)
        return Long(reading.text(key, node, text, long=True)) if text else None

    def write(self, value: Json) -> Json | Unsayable:
        """The text as it comes back; None for a blank one."""
        return value.strip(_SPACE) or None if isinstance(value, str) else NO_SUCH_VALUE


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds. 2.0 is one; 2.7 is not, and neither is a text."""

    least: int
    most: int

    def read(self, reading: Reading, key: str, node: Document) -> int | None:
        """The number."""
        value = node.value if isinstance(node, Scalar) else None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        reading.wrong(key, node, f"a whole number from {self.least} to {self.most}")
        return None

    def write(self, value: Json) -> Json | Unsayable:
        """The number."""
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        return Unsayable(f"only whole numbers from {self.least} to {self.most} can be said")


@dataclass(frozen=True, slots=True)
class Hours:
    """A number of hours; 0 is none, and so, with a finding, is less."""

    def read(self, reading: Reading, key: str, node: Document) -> Time | None:
        """The time; None for no hours."""
        hours = Whole(-MOST_HOURS, MOST_HOURS).read(reading, key, node)
        if hours is not None and hours < 0:
            reading.report(KEY_NOT_CARRIED, node, key=key, owner="the step", why="less than no hours is never")
        return Time(hours * 3600) if hours and hours > 0 else None

    def write(self, value: Json) -> Json | Unsayable:
        """The hours of a time in seconds."""
        if isinstance(value, int) and 0 < value <= MOST_HOURS * 3600 and value % 3600 == 0:
            return value // 3600
        return Unsayable(f"only whole hours from 1 to {MOST_HOURS} can be said")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words; a blank one is the client's own default."""

    words: tuple[str, ...]

    def read(self, reading: Reading, key: str, node: Document) -> Word | None:
        """The word; None for a blank one."""
        text = node.text if isinstance(node, Scalar) else None
        if text == "":
            return None
        if text in self.words:
            return Word(text)
        hint = reading.nearest(text, self.words) if text else None
        reading.wrong(key, node, f"one of {quote(self.words)}", hint)
        return None

    def write(self, value: Json) -> Json | Unsayable:
        """The word."""
        return value if value in self.words else Unsayable(f"only {quote(self.words)} can be said")


@dataclass(frozen=True, slots=True)
class Profile:
    """An agent as another installation can find it again. `name` is the record it becomes, "" for a setting's own."""

    name: str = ""

    def read(self, reading: Reading, key: str, node: Document) -> Call | None:
        """The record; None where nothing is in it."""
        if not isinstance(node, Mapping):
            reading.wrong(key, node, "a map")
            return None
        for other, _ in node.pairs:
            if other.text not in _PROFILE:
                why = "an agent has a name, a model and a mode"
                reading.report(KEY_NOT_CARRIED, other, key=other.text, owner="the agent profile", why=why)
        given = {name: self._part(reading, node, name) for name in _PROFILE}
        if not any(given.values()):
            return None
        if not given["agent_name"]:
            reading.missing("agent_name", node, "the agent profile")
        args = [(argument, given[name]) for name, argument in _PROFILE.items()]
        return Call(self.name, tuple((argument, value) for argument, value in args if value))

    def _part(self, reading: Reading, node: Mapping, name: str) -> str | None:
        part = node.get(name)
        return None if part is None else Line().read(reading, name, part)

    def write(self, value: Json) -> Json | Unsayable:
        """The map of an agent's name, model and mode."""
        if not isinstance(value, dict):
            return NO_SUCH_VALUE
        given = {key: value.get(argument or "name") for key, argument in _PROFILE.items()}
        written: dict[str, Json] = {key: part for key, part in given.items() if part is not None}
        return NO_EMPTY_TEXT if "" in written.values() else written


_PROFILE = {"agent_name": "", "model": "model", "mode": "mode"}
