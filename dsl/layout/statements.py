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
    """What stands in the braces of a statement; `remark` is the comment behind the opening one."""

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
        for before, entry in zip([None, *block.entries], block.entries, strict=False):
            if isinstance(entry, Statement):
                entry.kept |= _allows(entry.remark) or (_is_allowance(block, entry, before) and not _whole(entry, top))
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
        first = self.pieces[self.at]
        found = Statement([], first.breaks > 1 and bool(around.entries))
        while (piece := self.peek()) and piece.kind != END and not _closes(piece) and not self.is_behind():
            self.at += 1
            if piece.block:
                found.block = self.block()
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
        start = self.at
        block = self.entries(Block())
        self.at += 1
        block.one_line = not any(piece.breaks for piece in self.pieces[start : self.at])
        return block


def _closes(piece: Piece) -> bool:
    return piece.block and piece.kind == "RBRACE"


def _allows(comment: str) -> bool:
    """Whether a comment speaks to the checks, which go by lines."""
    return "newel:" in comment.lower()


def _whole(entry: Statement, top: bool) -> bool:
    """Whether a suppression before a statement covers all of it, however many lines it has."""
    return top and entry.block is None


def _is_allowance(block: Block, entry: Statement, before: Entry | None) -> bool:
    """Whether a suppression stands among the comments right above a statement."""
    if entry.gap or not isinstance(before, Remark):
        return False
    at = next(index for index, each in enumerate(block.entries) if each is entry)
    while at and isinstance(above := block.entries[at - 1], Remark):
        if _allows(above.text):
            return True
        if above.gap:
            return False
        at -= 1
    return False
