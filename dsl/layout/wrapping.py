"""A statement to its lines: one where it fits, else broken where the language lets a line go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from newel.dsl.layout.lines import STEP, WIDTH, Writer
from newel.dsl.layout.pieces import JOINS, Piece
from newel.dsl.table import CLOSING, OPENING

GOES_ON = frozenset({"_OPERATION", "_ON_", "_WHEN", "_MEANS"})
ALTERNATIVES = frozenset({"_TYPE", "_EXTEND", "_GROUP"})


@dataclass(slots=True)
class Group:
    """What stands in a pair of brackets, between the commas."""

    opening: Piece
    items: list[list[Element]]
    closing: Piece

    @property
    def breakable(self) -> bool:
        """Whether it may stand on several lines: lists of any kind, and guards; not a type's argument."""
        return bool(self.items) and (self.closing.comma or any(_is(element, *JOINS) for element in self.items[0]))

    @property
    def spread(self) -> bool:
        """Whether it must stand on several lines: its author began a new one behind the bracket, or something in it
        has several."""
        by_hand = self.closing.comma and bool(self.items) and bool(next(flat(self.items[0])).breaks)
        return by_hand or any(map(is_spread, self.items))


Element: TypeAlias = "Piece | Group"


def grouped(pieces: Sequence[Piece]) -> list[Element]:
    """Pieces with everything in brackets taken together."""
    whole = Group(pieces[0], [[]], pieces[0])
    open_groups = [whole]
    for piece in pieces:
        inner = open_groups[-1]
        if piece.kind in OPENING:
            open_groups.append(Group(piece, [[]], piece))
        elif piece.kind in CLOSING:
            inner.closing = piece
            inner.items = [item for item in inner.items if item]
            open_groups.pop()
            open_groups[-1].items[-1].append(inner)
        elif piece.kind == "COMMA" and inner is not whole:
            inner.items.append([])
        else:
            inner.items[-1].append(piece)
    return whole.items[0]


COMMA = Piece("COMMA", ",", 0)


def flat(elements: Sequence[Element]) -> Iterator[Piece]:
    """The pieces as they stand on one line."""
    for element in elements:
        if isinstance(element, Piece):
            yield element
            continue
        yield element.opening
        for number, item in enumerate(element.items):
            if number:
                yield COMMA
            yield from flat(item)
        yield element.closing


def is_spread(elements: Sequence[Element]) -> bool:
    """Whether something in it needs several lines."""
    return any(each.spread if isinstance(each, Group) else each.kind == "LONG_STRING" for each in elements)


def _is(element: Element, *kinds: str) -> bool:
    return isinstance(element, Piece) and element.kind in kinds


def segments(elements: Sequence[Element], words: frozenset[str]) -> list[list[Element]]:
    """Elements cut before each of some words."""
    found: list[list[Element]] = [[]]
    for element in elements:
        if isinstance(element, Piece) and element.kind in words and found[-1]:
            found.append([])
        found[-1].append(element)
    return found


# ---------------------------------------------------------------- statements


def wrap(writer: Writer, pieces: Sequence[Piece], after: int = 0) -> None:
    """Write a statement, or what stands before its block; so many columns come after it."""
    elements = grouped(pieces)
    operations = any(piece.kind == "_OPERATION" for piece in pieces)
    if not is_spread(elements) and not operations and fits(writer, elements, after):
        put_flat(writer, elements)
    elif pieces[0].kind in ALTERNATIVES:
        _alternatives(writer, elements)
    else:
        head, *rest = segments(elements, GOES_ON)
        put(writer, head, after)
        _rest(writer, rest, operations)


def fits(writer: Writer, elements: Sequence[Element], after: int = 0) -> bool:
    """Whether elements that are not spread fit into the line at hand, with some columns after them."""
    trial = writer.trial()
    put_flat(trial, elements)
    return len(trial.text) + after <= WIDTH


def put_flat(writer: Writer, elements: Sequence[Element]) -> None:
    """Write elements on the line at hand."""
    for piece in flat(elements):
        writer.put(piece)


def _alternatives(writer: Writer, elements: Sequence[Element]) -> None:
    """One alternative a line, each `|` below the `=`."""
    first, *others = segments(elements, frozenset({"_BAR"}))
    indent, column = writer.indent, writer.indent
    for at, element in enumerate(first):
        if _is(element, "EQUAL"):
            put_flat(writer, first[: at + 1])
            column, first = len(writer.text) - 1, first[at + 1 :]
            break
    put(writer, first)
    for other in others:
        writer.newline(column)
        put(writer, other)
    writer.indent = indent


def _rest(writer: Writer, rest: Sequence[Sequence[Element]], operations: bool) -> None:
    """What goes on with a line: every operation on its own, else all on one line if it fits, else each on its own."""
    deeper = writer.indent + STEP
    whole = [element for segment in rest for element in segment]
    together = not operations and not is_spread(whole)
    if together and writer.lines and fits(writer, whole):
        put_flat(writer, whole)
        return
    together = together and fits(Writer(deeper), whole)
    for number, segment in enumerate(rest):
        if number and (together or (_is(segment[0], "_MEANS") and fits(writer, segment))):
            put_flat(writer, segment)
        else:
            writer.newline(deeper)
            _guards(writer, segment, deeper + STEP)


def _guards(writer: Writer, elements: Sequence[Element], indent: int) -> None:
    """Write guards; where they do not fit, each `or` begins a line, and where that does not help, each `and`."""
    word = next((word for word in ("_OR", "_AND") if any(_is(each, word) for each in elements[1:])), "")
    if not word or (not is_spread(elements) and fits(writer, elements)):
        put(writer, elements)
        return
    first, *others = segments(elements, frozenset({word}))
    _guards(writer, first, indent + STEP)
    for other in others:
        writer.newline(indent)
        _guards(writer, other, indent + STEP)


# ---------------------------------------------------------------- brackets


def put(writer: Writer, elements: Sequence[Element], after: int = 0) -> None:
    """Write elements, with what is in brackets on several lines where it does not fit."""
    for at, element in enumerate(elements):
        if isinstance(element, Piece):
            writer.put(element)
        elif element.breakable and (element.spread or not fits(writer, _lead(elements[at:]), after)):
            _spread(writer, element)
        else:
            put_flat(writer, [element])


def _lead(elements: Sequence[Element]) -> list[Element]:
    """The first of some elements, and the others up to where the line can be broken."""
    lead: list[Element] = [elements[0]]
    for element in elements[1:]:
        if isinstance(element, Group) and element.breakable:
            return [*lead, element.opening]
        if is_spread([element]):
            return lead
        lead.append(element)
    return lead


def _spread(writer: Writer, group: Group) -> None:
    """Brackets on several lines, one item a line; where the only item ends in brackets or a long text, that alone."""
    indent = writer.indent
    writer.put(group.opening)
    if len(group.items) == 1 and _ends_open(group.items[0]):
        *first, last = group.items[0]
        put_flat(writer, first)
        if isinstance(last, Group):
            _spread(writer, last)
        else:
            writer.put(last)
    else:
        for number, item in enumerate(group.items):
            gap = number > 0 and next(flat(item)).breaks > 1
            writer.newline(indent + STEP, gap=gap)
            if group.closing.comma:
                put(writer, item, after=1)
                writer.put(COMMA)
            else:
                _guards(writer, item, indent + STEP)
        writer.newline(indent)
    writer.put(group.closing)


def _ends_open(item: Sequence[Element]) -> bool:
    """Whether an item ends in something that stands on several lines by itself."""
    *first, last = item
    open_end = last.breakable if isinstance(last, Group) else last.kind == "LONG_STRING"
    return open_end and not is_spread(first)
