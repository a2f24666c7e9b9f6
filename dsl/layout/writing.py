"""A text without syntax errors to the same text in the one layout of the language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from newel.dsl.layout.aligning import align
from newel.dsl.layout.keeping import keep
from newel.dsl.layout.lines import STEP, WIDTH, Line, Writer
from newel.dsl.layout.pieces import pieces
from newel.dsl.layout.statements import Entry, Remark, Statement, statements
from newel.dsl.layout.wrapping import wrap


def laid_out(text: str) -> str:
    """The text in its layout, with the line breaks of its first line; a long text keeps its own."""
    lines = list(_entries(statements(pieces(text)), 0))
    align(lines)
    first = text.find("\n")
    end = "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
    return "".join(line.text + ("\n" if line.raw else end) for line in lines)


def _entries(entries: Sequence[Entry], indent: int) -> Iterator[Line]:
    for entry in entries:
        if entry.gap:
            yield Line("")
        if isinstance(entry, Remark):
            yield Line(" " * indent + entry.text)
        else:
            yield from _statement(entry, indent)


def _statement(statement: Statement, indent: int) -> Iterator[Line]:
    line = _one_line(statement, indent)
    if line is not None:
        line.remark = statement.remark
        yield line
        return
    lines = _head(statement, indent)
    block = statement.block
    if block is None:
        lines[-1].remark = statement.remark
        yield from lines
        return
    lines[-1].text += " {"
    lines[-1].remark = block.remark
    yield from lines
    yield from _entries(block.entries, indent + STEP)
    yield Line(" " * indent + "}", statement.remark)


def _head(statement: Statement, indent: int) -> list[Line]:
    """A statement, or what stands before its block."""
    writer = Writer(indent)
    if statement.kept:
        keep(writer, statement.pieces)
    else:
        wrap(writer, statement.pieces, after=len(" {}") if statement.block else 0)
    return writer.finished()


def _one_line(statement: Statement, indent: int) -> Line | None:
    """A statement on one line, with its block if that was on one line and fits."""
    head, *more = _head(statement, indent)
    block = statement.block
    if more:
        return None
    if block is None:
        return _move(statement, head, indent)
    if not block.entries and not block.remark and (block.one_line or not statement.kept):
        return Line(head.text + " {}")
    if not block.one_line or len(block.entries) > 1 or not isinstance(block.entries[0], Statement):
        return None
    inner = _one_line(block.entries[0], 0)
    if inner is None:
        return None
    line = Line(f"{head.text} {{ {inner.text} }}")
    if statement.pieces[0].kind == "_ON":
        line.align, line.column = "{", len(head.text) + 1
    return line if len(line.text) <= WIDTH or statement.kept else None


def _move(statement: Statement, line: Line, indent: int) -> Line:
    """A line that may be a move; then its `when` is set below that of its neighbours."""
    before = Writer(indent)
    for piece in statement.pieces:
        if piece.kind == "_WHEN":
            line.align, line.column = "when", len(before.text) + 1
            break
        before.put(piece)
    return line
