"""A file's text and the places in it.

Places are kept as character offsets, which cost nothing to carry; lines, columns and byte offsets are worked
out only for what is shown.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple


class Position(NamedTuple):
    """A place in a file: line and column from 1 (columns count characters), offset in UTF-8 bytes from 0."""

    line: int
    column: int
    offset: int


@dataclass(frozen=True, eq=False)
class Source:
    """The text of one file, under the path it is reported by.

    `path` is shown to people and written into findings: relative to the project root, with `/`; `<stdin>` for
    standard input. `text` has no byte order mark; `bom` is its length in bytes where one was skipped, so that byte
    offsets stay those of the file. Two sources are equal only when they are the same object.
    """

    path: str
    text: str
    bom: int = field(default=0)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    @cached_property
    def _ascii(self) -> bool:
        return self.text.isascii()

    def line_of(self, offset: int) -> int:
        """The line, from 1, of a character offset."""
        return bisect_right(self._starts, offset)

    def line_column(self, offset: int) -> tuple[int, int]:
        """The line and column, from 1, of a character offset: cheaper than its whole position."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def position(self, offset: int) -> Position:
        """The line, column and byte offset of a character offset."""
        line = self.line_of(offset)
        start = self._starts[line - 1]
        bytes_before = offset if self._ascii else len(self.text[:offset].encode("utf-8", "surrogatepass"))
        return Position(line, offset - start + 1, bytes_before + self.bom)

    def offset(self, line: int, column: int) -> int:
        """The character offset of a line and column, both from 1."""
        return self._starts[line - 1] + column - 1

    def line(self, number: int) -> str:
        """The text of a line, from 1, without its line break."""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].removesuffix("\r")

    @property
    def lines(self) -> int:
        """How many lines the text has; an empty text has one."""
        return len(self._starts)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file, from one character offset up to another."""

    source: Source
    start: int
    end: int

    @property
    def first(self) -> Position:
        """Where it begins."""
        return self.source.position(self.start)

    @property
    def last(self) -> Position:
        """Where it ends: the place after its last character."""
        return self.source.position(self.end)

    @property
    def text(self) -> str:
        """The characters it covers."""
        return self.source.text[self.start : self.end]
