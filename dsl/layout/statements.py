"""Pieces to what a file is made of: statements, blocks of statements, and comments on lines of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from newel.dsl.layout.pieces import COMMENT, END, Piece


@dataclass(slots=True)
class Remark:
    """A comment on a line of its own; `gap` where an empty line stands before it."""

    text: str
    gap: bool


@dataclass(slots=True)
class Statement:
    """A statement up to its block; `remark` is the comment behind it.

    `kept` says that its lines stay as the author has broken them: a comment stands inside, or a suppression covers
    single lines of it.
    """

    pieces: list[Piece]
    gap: bool
    block: Block | None = None
    remark: str = ""
    kept: bool = False


@dataclass(slots=True)
class Block:
    """What stands in the braces of a statement; `remark` is the comment behind the opening one, and `one_line` says
    that all of the statement was on one."""

    entries: list[Entry] = field(default_factory=list)
    remark: str = ""
    one_line: bool = True


Entry: TypeAlias = "Remark | Statement"


def statements(pieces: list[Piece]) -> list[Entry]:
    """The entries of a whole file."""
    return _Reader(pieces).entries(Block(), top=True).entries


class _Reader:
    """Goes through the pieces once."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        self.at = 0

    def peek(self) -> Piece | None:
        """The piece at hand."""
        return self.pieces[self.at] if self.at < len(self.pieces) else None

    def entries(self, block: Block, *, top: bool = False) -> Block:
        """Fill a block with its entries, up to its closing brace."""
        while (piece := self.peek()) and not _closes(piece):
            if piece.kind == END:
                self.at += 1
            elif piece.kind == COMMENT:
                self.at += 1
                self.comment(block, piece, first=top and self.at == 1)
            else:
                block.entries.append(self.statement(block))
        _keep_allowed(block, top)
        return block

    def comment(self, block: Block, piece: Piece, *, first: bool) -> None:
        """A comment between statements: behind the last one, behind the opening brace, or on a line of its own."""
        if piece.breaks or first:
            block.entries.append(Remark(piece.text, piece.breaks > 1 and bool(block.entries)))
        elif block.entries and isinstance(last := block.entries[-1], Statement):
            last.remark = piece.text
        else:
            block.remark = piece.text

    def statement(self, around: Block) -> Statement:
        """One statement, with its block."""
        start, first = self.at, self.pieces[self.at]
        found = Statement([], first.breaks > 1 and bool(around.entries))
        while (piece := self.peek()) and piece.kind != END and not _closes(piece) and not self.is_behind():
            self.at += 1
            if piece.block:
                found.block = self.block()
                lines = any(each.breaks or each.kind == "LONG_STRING" for each in self.pieces[start + 1 : self.at])
                found.block.one_line = not lines
            else:
                found.pieces.append(piece)
                found.kept |= piece.kind == COMMENT
        return found

    def is_behind(self) -> bool:
        """Whether only comments stand between here and the end of the statement."""
        at = self.at
        while at < len(self.pieces) and self.pieces[at].kind == COMMENT:
            at += 1
        return at == len(self.pieces) or self.pieces[at].kind == END

    def block(self) -> Block:
        """The block whose opening brace has just been read."""
        block = self.entries(Block())
        self.at += 1
        return block


def _closes(piece: Piece) -> bool:
    return piece.block and piece.kind == "RBRACE"


def _allows(comment: str) -> bool:
    """Whether a comment speaks to the checks, which go by lines."""
    return "newel:" in comment.lower()


def _keep_allowed(block: Block, top: bool) -> None:
    """Keep the lines of the statements that a suppression covers: the one it stands behind, and the one it stands
    above, unless that is a declaration, which is covered however many lines it has."""
    above = False
    for entry in block.entries:
        if isinstance(entry, Remark):
            above = _allows(entry.text) or (above and not entry.gap)
        else:
            covered = above and not entry.gap and not (top and entry.block is None)
            if covered or _allows(entry.remark) or (entry.block and _allows(entry.block.remark)):
                _keep(entry)
            above = False


def _keep(entry: Entry) -> None:
    """Keep the lines of a statement, and of what stands on the same line in its block."""
    if isinstance(entry, Statement):
        entry.kept = True
        for inner in entry.block.entries if entry.block and entry.block.one_line else ():
            _keep(inner)
