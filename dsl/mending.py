"""A tree that was read with mistakes to one whose blocks are whole again and whose mended places are marked."""

from __future__ import annotations

from typing import Any, TypeAlias

from newel.dsl.tree import Broken, Every, Fragment, Name, On, Scenario, Step, Workflow

Block: TypeAlias = Workflow | Step | Every | Fragment | On | Scenario


def mend(items: list[Any], doubts: list[tuple[int, int]], wounds: list[tuple[int, int]]) -> None:
    """Join what a brace too many has parted; a Broken for every statement in doubt and every place that was mended."""
    join(items)
    for start, end in doubts:
        _mark_doubted(items, start, end)
    for start, end in wounds:
        _mark(items, start, end)


def is_reopened(node: object) -> bool:
    """Whether a block stands for the rest of the one before, which a brace too many has closed: it has no header."""
    match node:
        case Every():
            return bool(node.body) and node.body[0].start == node.start
        case Scenario():
            name: Name = node.workflow
        case On():
            name = node.trigger
        case Workflow() | Step() | Fragment():
            name = node.name
        case _:
            return False
    return name.start == name.end


def join(body: list[Any]) -> None:
    """Give the rest of a block that was closed too early back to it, all the way down."""
    whole: list[Any] = []
    for node in body:
        if is_reopened(node) and whole and type(whole[-1]) is type(node):
            inner(whole[-1]).extend(inner(node))
            whole[-1].end = node.end
        else:
            whole.append(node)
    body[:] = whole
    for node in body:
        if isinstance(node, Block):
            join(inner(node))


def inner(block: Block) -> list[Any]:
    """The statements of a block."""
    return block.lines if isinstance(block, Scenario) else block.body


def _body_at(items: list[Any], start: int) -> list[Any]:
    """The innermost body whose block holds a place."""
    for item in items:
        if isinstance(item, Block) and item.start <= start < item.end:
            statements = inner(item)
            return _body_at(statements, start) if statements and statements[0].start <= start else statements
    return items


def _mark_doubted(items: list[Any], start: int, end: int) -> None:
    """Put a Broken in the place of the statement that begins here and of all up to `end`, unless it is a block."""
    body = _body_at(items, start)
    for at, node in enumerate(body):
        if node.start == start and not isinstance(node, Block):
            last = at + 1
            while last < len(body) and body[last].end <= end:
                last += 1
            body[at:last] = [Broken(start, max(node.end, end))]
            return


def _mark(items: list[Any], start: int, end: int) -> None:
    """Put a Broken for a place that was mended into the body it stands in, unless one covers it."""
    body = _body_at(items, start)
    for at, node in enumerate(body):
        if isinstance(node, Broken) and node.start <= start and end <= node.end:
            return
        if node.start > start:
            body.insert(at, Broken(start, end))
            return
    body.append(Broken(start, end))
