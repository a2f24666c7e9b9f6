"""Pieces put one behind the other to lines, with the space the language is written with between them."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field

from newel.dsl.layout.pieces import Piece

WIDTH = 100
"""Columns a line should not go beyond; comments do not count."""
MEANS = 50
"""Columns before `means`, where there is so much room."""
STEP = 2
"""Columns of one level of indentation."""

TIGHT_BEFORE = frozenset({"COMMA", "RPAR", "RSQB", "COLON", "OPTIONAL", "DOT", "_DOTS", "NAMED"})
TIGHT_AFTER = frozenset({"LPAR", "LSQB", "DOT", "_DOTS", "NAMED"})


@dataclass(slots=True)
class Line:
    """A line of the result, with the comment behind it. `align` and `column` say what is set below that of the lines
    next to it, and where it begins; `raw` is a line of a long text."""

    text: str
    remark: str = ""
    align: str = ""
    column: int = 0
    raw: bool = False


@dataclass(slots=True)
class Writer:
    """Lines being written: those that are finished, and the one at hand."""

    indent: int
    lines: list[Line] = field(default_factory=list)
    text: str = ""
    remark: str = ""
    last: Piece | None = None

    def __post_init__(self) -> None:
        self.text = " " * self.indent

    def trial(self) -> Writer:
        """The line at hand alone, to see how long it would get."""
        other = copy(self)
        other.lines = []
        return other

    def put(self, piece: Piece) -> None:
        """A token behind the last one."""
        if piece.kind == "_MEANS" and self.last:
            self.text = self.text.ljust(max(MEANS, len(self.text) + STEP))
        elif self.last and spaced(self.last, piece):
            self.text += " "
        if piece.kind == "LONG_STRING":
            self.long(piece.text)
        else:
            self.text += piece.text
        self.last = piece

    def long(self, text: str) -> None:
        """A long text: its margin moves along with the statement, what stands behind the margin stays to the byte."""
        first, *body, last = text.split("\n")
        fence = last.lstrip(" \t")
        old, new = last.removesuffix(fence), " " * (self.indent + STEP)
        self.text += first.rstrip(" \t\r")
        self.newline(self.indent)
        for line in body:
            rest = line.removesuffix("\r")
            rest = rest[len(old) :] if rest.startswith(old) else ""
            end = "\r" if line.endswith("\r") else ""
            self.lines.append(Line((new + rest if rest else "") + end, raw=True))
        self.text = new + fence

    def newline(self, indent: int, *, gap: bool = False) -> None:
        """Finish the line at hand and begin one."""
        self.lines.append(Line(self.text, self.remark))
        if gap:
            self.lines.append(Line(""))
        self.indent = indent
        self.text = " " * indent
        self.remark = ""
        self.last = None

    def finished(self) -> list[Line]:
        """All lines, the one at hand too."""
        return [*self.lines, Line(self.text)]


def spaced(last: Piece, piece: Piece) -> bool:
    """Whether a space stands between two tokens on a line."""
    if last.kind in TIGHT_AFTER or piece.kind in TIGHT_BEFORE:
        return False
    if piece.kind == "LPAR":
        return last.kind != "NAME"  # around guards, behind `when`, `and`, `or` and `not`
    return not (last.kind == "LBRACE" and piece.kind == "RBRACE")
