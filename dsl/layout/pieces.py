"""A text without syntax errors to its pieces: every token and comment in order, and where statements end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from newel.dsl.loading import load
from newel.dsl.table import CLOSING, OPENING, Table, advance

COMMENT = "COMMENT"
END = "_NL"
JOINS = frozenset({"_AND", "_OR"})
EQUALS_SPACED_AFTER = frozenset({"COLON", "_TYPE", "_GROUP"})


@dataclass(slots=True)
class Piece:
    """A token or a comment; `breaks` counts the line breaks between it and the piece before.

    `block` marks the braces around statements, `comma` a closing bracket that may have a comma before it. The kind of
    a token is its terminal, but `=` in a named argument is `NAMED`.
    """

    kind: str
    text: str
    breaks: int
    block: bool = False
    comma: bool = False


def pieces(text: str) -> list[Piece]:
    """The pieces of a text; END stands where a line break ends a statement."""
    return list(_Walk(text).run())


class _Walk:
    """One walk over a text by the parsing table, on its states alone."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.table: Table = load()
        self.states = [self.table.start]
        self.opened: list[bool] = []
        self.kinds = ["", ""]  # of the last two tokens
        self.end = 0

    def run(self) -> Iterator[Piece]:
        """The pieces, in the order of the text."""
        pos = 0
        while token := self.table.token.match(self.text, pos):
            kind = token.lastgroup or ""
            start, pos = token.span(kind)
            if kind == COMMENT:
                yield from self.comments(start, pos)
            elif kind == END:
                if not self.goes_on(pos):
                    advance(self.table, self.states, END)
                    yield Piece(END, "", 0)
                yield from self.comments(start, pos)
            else:
                yield self.token(self.keyword(kind, self.text[start:pos]), start, pos)

    def keyword(self, kind: str, word: str) -> str:
        """The terminal a word stands for here."""
        key = self.table.keywords[self.states[-1]].get(word) if kind == "NAME" else None
        return key if key and advance(self.table, self.states[:], key) else kind

    def goes_on(self, pos: int) -> bool:
        """Whether a line break does not end the statement: inside brackets, or before what goes on with the line."""
        if self.opened and not self.opened[-1]:
            return True
        token = self.table.token.match(self.text, pos)
        kind, word = (token.lastgroup or "", token[token.lastgroup or 0]) if token else ("", "")
        if word not in self.table.continuations[self.states[-1]]:
            return False
        return advance(self.table, self.states[:], self.table.keywords[self.states[-1]].get(word, kind))

    def token(self, kind: str, start: int, end: int) -> Piece:
        """Take one token."""
        piece = Piece(kind, self.text[start:end], self.breaks(start, end))
        if kind in CLOSING:
            piece.block = self.opened.pop()
            piece.comma = not piece.block and self.takes_comma(kind)
        advance(self.table, self.states, kind)
        if kind in OPENING:
            piece.block = kind == "LBRACE" and self.states[-1] in self.table.blocks
            self.opened.append(piece.block)
        elif kind == "EQUAL" and self.kinds[1] == "NAME" and self.kinds[0] not in EQUALS_SPACED_AFTER:
            piece.kind = "NAMED"
        self.kinds = [self.kinds[1], kind]
        return piece

    def takes_comma(self, kind: str) -> bool:
        """Whether the bracket closed here has something in it that a comma could end."""
        states = self.states[:]
        last = self.kinds[1]
        return last == "COMMA" or (advance(self.table, states, "COMMA") and advance(self.table, states, kind))

    def comments(self, start: int, end: int) -> Iterator[Piece]:
        """The comments in a stretch that holds nothing but white space and comments."""
        while (start := self.text.find("#", start, end)) >= 0:
            stop = self.text.find("\n", start, end)
            stop = end if stop < 0 else stop
            yield Piece(COMMENT, self.text[start:stop].rstrip(" \t\r"), self.breaks(start, stop))
            start = stop

    def breaks(self, start: int, end: int) -> int:
        """The line breaks since the last piece."""
        count = self.text.count("\n", self.end, start)
        self.end = end
        return count
