"""A statement to lines broken where its author has broken them: where comments stand inside, or are about lines."""

from __future__ import annotations

from collections.abc import Sequence

from newel.dsl.layout.lines import STEP, Writer
from newel.dsl.layout.pieces import COMMENT, JOINS, Piece
from newel.dsl.table import CLOSING, OPENING


def keep(writer: Writer, pieces: Sequence[Piece]) -> None:
    """Write a statement, or what stands before its block."""
    deeper = bar = writer.indent + STEP
    opened: list[int] = []  # how far the lines are indented that hold the open brackets
    last = ""
    for at, piece in enumerate(pieces):
        if at and piece.breaks:
            gap = piece.breaks > 1 and last not in OPENING and piece.kind not in CLOSING
            if opened:
                indent = opened[-1] + (0 if piece.kind in CLOSING else STEP)
            else:
                word = _next_token(pieces, at)
                indent = bar if word == "_BAR" else deeper + (STEP if word in JOINS else 0)
            writer.newline(indent, gap=gap)
        if piece.kind == COMMENT and not piece.breaks:
            writer.remark = piece.text
            continue
        writer.put(piece)
        if piece.kind in OPENING:
            opened.append(writer.indent)
        elif piece.kind in CLOSING:
            opened.pop()
        elif piece.kind == "EQUAL" and not opened:
            bar = len(writer.text) - 1
        last = piece.kind


def _next_token(pieces: Sequence[Piece], at: int) -> str:
    """The kind of the first token from here on."""
    return next(piece.kind for piece in pieces[at:] if piece.kind != COMMENT)
