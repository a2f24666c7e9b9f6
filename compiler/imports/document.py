"""A YAML or JSON document as nodes that know their places, its plain words read as the client's own reader does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Plain: TypeAlias = "str | int | float | bool | None"

_WORDS: dict[str, Plain] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_INTEGER = re.compile(r"([+-]?)(?:0([xX][0-9a-fA-F]+|[bB][01]+|[oO]?[0-7]+)|([1-9][0-9]*|0))")
_BASES = {"x": 16, "b": 2, "o": 8}
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_WIDEST = 2**64


def plain_value(text: str) -> Plain:
    """What a word without quotes stands for: YAML 1.2 with the octal and binary numbers of Go's yaml.v3.

    `yes`, `no`, `on` and `off` are texts; dates stay texts too. A number outside 64 bits is a decimal, as it is there.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789" or len(text) > 400:
        return text
    number = text.replace("_", "")
    match = _INTEGER.fullmatch(number)
    if match:
        whole = _integer(*match.groups())
        if -_WIDEST // 2 <= whole < _WIDEST:
            return whole
    return float(number) if _FLOAT.fullmatch(number) else text


def _integer(sign: str, prefixed: str | None, decimal: str | None) -> int:
    if prefixed is None:
        size = int(decimal or "0")
    else:
        letter = prefixed[0].lower()
        size = int(prefixed[1:], _BASES[letter]) if letter in _BASES else int(prefixed, 8)
    return -size if sign == "-" else size


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of the document from character `start` up to `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scalar(Node):
    """A single value: its text, and whether it stood without quotes."""

    text: str
    plain: bool

    @property
    def value(self) -> Plain:
        """The value it stands for."""
        return plain_value(self.text) if self.plain else self.text

    @property
    def absent(self) -> bool:
        """Whether it is written as nothing: `null`, `~`, or an empty place."""
        return self.plain and plain_value(self.text) is None


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """A list."""

    items: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class Mapping(Node):
    """A map; its keys are texts, each once, in the order of the file."""

    pairs: tuple[tuple[Scalar, Document], ...]

    def get(self, key: str) -> Document | None:
        """The value under a key; None where the key is missing or its value is written as nothing."""
        node = self.raw(key)
        return None if isinstance(node, Scalar) and node.absent else node

    def raw(self, key: str) -> Document | None:
        """The value under a key; None only where the key is missing."""
        return next((value for name, value in self.pairs if name.text == key), None)

    def key(self, key: str) -> Scalar:
        """The node of a key that is there."""
        return next(name for name, _ in self.pairs if name.text == key)


Document: TypeAlias = "Scalar | Sequence | Mapping"


def shown(text: str, most: int = 200) -> str:
    """A text as a message can hold it: on one line, short, and only of characters that print."""
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[: most + 1])
    return line if len(line) <= most else line[: most - 1] + "…"


def kind_of(node: Document) -> str:
    """What a node is, in the reader's words."""
    match node:
        case Mapping():
            return "a map"
        case Sequence():
            return "a list"
        case Scalar(text=text, plain=True) if plain_value(text) is None:
            return "nothing"
        case Scalar(text=text):
            return f"`{shown(text, 40)}`" if node.plain else f"the text `{shown(text, 40)}`"


def scalars(node: Document) -> Iterator[Scalar]:
    """Every scalar of a document, keys included, in the order of the file."""
    todo: list[Document] = [node]
    while todo:
        match todo.pop():
            case Scalar() as scalar:
                yield scalar
            case Sequence(items=items):
                todo.extend(reversed(items))
            case Mapping(pairs=pairs):
                for key, value in reversed(pairs):
                    todo += [value, key]
