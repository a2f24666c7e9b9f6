"""The text of an operation id's shape to its parts: `agent_error:session:{session_id}[:{execution_id}]`.

    shape    = { part | "[" { part } "]" }
    part     = literal | "{" name "}" | "{digest(" name ")}"

`[...]` is left out when a field in it is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(
    r"(?P<literal>[^{}\[\]]+)|\{(?P<field>[A-Za-z_][\w-]*)\}|\{digest\((?P<digest>[A-Za-z_][\w-]*)\)\}"
    r"|(?P<open>\[)|(?P<close>\])",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Literal:
    """Text that stands in the id as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field whose value stands in the id, or the digest of the list it holds; `start` is where its name begins."""

    name: str
    digest: bool
    start: int


@dataclass(frozen=True, slots=True)
class Optional:
    """Parts that are left out when a field in them is missing."""

    parts: tuple[Literal | Field, ...]


Part = Literal | Field | Optional


class ShapeError(ValueError):
    """The text is no shape; `offset` is where it stops being one."""

    def __init__(self, problem: str, offset: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.offset = offset


@lru_cache(maxsize=1024)
def parse_shape(text: str) -> tuple[Part, ...]:
    """The parts of a shape. Raises `ShapeError`."""
    parts: list[Part] = []
    inner: list[Literal | Field] | None = None
    opened = at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise ShapeError("a `{` or `}` that is no `{field}` or `{digest(field)}`", at)
        if token["open"]:
            if inner is not None:
                raise ShapeError("a `[` inside `[...]`", at)
            inner, opened = [], at
        elif token["close"]:
            if inner is None:
                raise ShapeError("a `]` without its `[`", at)
            if not any(isinstance(part, Field) for part in inner):
                raise ShapeError("a `[...]` without a field in it, so it is never left out", opened)
            parts.append(Optional(tuple(inner)))
            inner = None
        else:
            (parts if inner is None else inner).append(_plain(token))
        at = token.end()
    if inner is not None:
        raise ShapeError("a `[` without its `]`", opened)
    return tuple(parts)


def _plain(token: re.Match[str]) -> Literal | Field:
    if token["literal"] is not None:
        return Literal(token["literal"])
    group = "field" if token["field"] is not None else "digest"
    return Field(token[group], group == "digest", token.start(group))


def fields_of(parts: tuple[Part, ...]) -> Iterator[Field]:
    """All fields of a shape in the order of the text, those of optional parts included."""
    for part in parts:
        if isinstance(part, Field):
            yield part
        elif isinstance(part, Optional):
            yield from (inner for inner in part.parts if isinstance(inner, Field))
