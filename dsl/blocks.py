"""Braces of blocks that are missing or too many, to the structure that was meant.

Two signs tell: a statement begins with a word that only an outer (or only an inner) block knows, and a closing brace
is not indented like the line of its opening one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from newel.dsl.findings import Related
from newel.dsl.rules import CLOSES_NOTHING, UNCLOSED_BLOCK
from newel.dsl.skip import indent, line_end, pieces
from newel.dsl.source import Span
from newel.dsl.tree import Name, On, Step, Workflow

if TYPE_CHECKING:
    from newel.dsl.recover import Recovery

HEADS = {
    "file": frozenset(
        "use text placeholder type extend setting trigger key group moves guard action dispatch exclude fragment workflow"
        " scenario".split()
    ),
    "workflow": frozenset({"step", "every"}),
    "step": frozenset({"on", "include"}),
    "on": frozenset({"->"}),
    "scenario": frozenset[str](),
}
INNER = {"file": "workflow", "workflow": "step", "step": "on"}
REOPENED = {"workflow": (Workflow, ("_WORKFLOW", "NAME")), "step": (Step, ("_STEP", "NAME")), "on": (On, ("_ON", "NAME"))}
SPACE = re.compile(r"\s*")


def head(text: str, opener: int) -> str:
    """The line of a brace up to it: what the block is called in a message."""
    return text[text.rfind("\n", 0, opener) + 1 : opener].strip()[-60:]


def suspect(recovery: Recovery) -> int:
    """The opening brace that most likely was not closed: one inside the innermost open block whose closing brace is
    indented otherwise, else that block's own."""
    driver = recovery.driver
    own = next(each.start for each in reversed(driver.opened) if each.block)
    return next((start for start, end in reversed(driver.closed) if start > own and odd(recovery.text, start, end)), own)


def odd(text: str, start: int, end: int) -> bool:
    """Whether two braces on different lines are indented differently."""
    return text.find("\n", start, end) >= 0 and indent(text, start) != indent(text, end)


def close(recovery: Recovery) -> None:
    """Close the innermost block here."""
    driver = recovery.driver
    if driver.states[-1] not in driver.table.boundaries and not driver.takes("RBRACE"):
        recovery.abandon()
    driver.feed("RBRACE", driver.end, driver.end)


def brace_left_out(recovery: Recovery, _kind: str, _start: int, _end: int) -> int | None:
    """A statement begins with a word that only an outer block knows, and no deeper than the block's own line."""
    begin = recovery.statement()
    blocks = [each for each in recovery.driver.opened if each.block]
    if begin is None or not blocks:
        return None
    word = recovery.word(begin)
    outer = ["file", *(each.block for each in blocks)]
    here = outer.pop()
    up = next((up for up, each in enumerate(reversed(outer), 1) if word in HEADS[each]), 0)
    if not up or word in HEADS[here] or indent(recovery.text, begin) > indent(recovery.text, blocks[-1].start):
        return None
    _say_left_out(recovery, word, here, begin)
    recovery.abandon()
    for _ in range(up):
        close(recovery)
        recovery.driver.feed("_NL", begin, begin)
    return begin


def _say_left_out(recovery: Recovery, word: str, here: str, begin: int) -> None:
    from newel.dsl.recover import HERE

    source = recovery.driver.source
    opener = suspect(recovery)
    recovery.driver.report(
        UNCLOSED_BLOCK,
        opener,
        opener + 1,
        related=(Related(f"`{word}` cannot stand {HERE[here]}", Span(source, begin, begin + len(word))),),
        hint=f"add `}}` before line {source.line_of(begin)}",
        wound=(opener, begin),
        head=head(recovery.text, opener),
    )


def closed_too_early(recovery: Recovery, _kind: str, start: int, _end: int) -> int | None:
    """A statement begins with a word that only an inner block knows, right after such a block was closed."""
    begin = recovery.statement()
    begin = start if begin is None else begin
    here = recovery.block()
    word = recovery.word(begin) or recovery.text[begin : begin + 2]
    path = [here]
    while word not in HEADS[path[-1]]:
        if path[-1] not in INNER:
            return None
        path.append(INNER[path[-1]])
    again = path[1:]
    if not again or not _ends_in(recovery, again):
        return None
    _say_too_early(recovery, begin)
    recovery.abandon()
    for block in again:
        for terminal in (*REOPENED[block][1], "LBRACE"):
            recovery.driver.feed(terminal, begin, begin)
    return begin


def _ends_in(recovery: Recovery, again: list[str]) -> bool:
    """Whether the statement before is a block of the first kind that ends in one of the next, and so on."""
    below = recovery.driver.values[: recovery.boundary()]
    lines = next((each for each in reversed(below) if isinstance(each, list)), None)
    for block in again:
        if not lines or not isinstance(lines[-1], REOPENED[block][0]):
            return False
        lines = lines[-1].body
    return True


def _say_too_early(recovery: Recovery, begin: int) -> None:
    text = recovery.text
    closed = recovery.driver.closed
    last = closed[-1][1] if closed else begin
    at = next((end for start, end in closed[-3:] if odd(text, start, end)), last)
    recovery.driver.report(CLOSES_NOTHING, at, at + 1, wound=(at, begin), sign="}")


def broken_header(recovery: Recovery, start: int) -> int | None:
    """The line should open a block: go on at its brace, or put one in where there is none."""
    driver = recovery.driver
    if "LBRACE" not in driver.accepts() or recovery.flat():
        return None
    stop = line_end(recovery.text, start)
    for piece in pieces(recovery.text, start, stop):
        if piece[0] == "{":
            return piece.start()
        if piece.lastgroup in ("open", "close"):
            break
    if recovery.word(recovery.statement()) not in ("workflow", "every", "step", "on", "fragment", "scenario"):
        return None
    if driver.takes("_NL"):
        return None
    driver.feed("LBRACE", driver.end, driver.end)
    return start


def is_reopened(node: object) -> bool:
    """Whether a block stands for the rest of the one before, which a brace too many has closed."""
    name = node.trigger if isinstance(node, On) else getattr(node, "name", None)
    return isinstance(node, Workflow | Step | On) and isinstance(name, Name) and name.start == name.end


def join(body: list[object]) -> None:
    """Give the rest of a block that was closed too early back to it, all the way down."""
    whole: list[object] = []
    for node in body:
        if is_reopened(node) and whole and type(whole[-1]) is type(node):
            before = whole[-1]
            before.body.extend(node.body)  # type: ignore[attr-defined]  # both are blocks
            before.end = node.end  # type: ignore[attr-defined]  # both are blocks
        else:
            whole.append(node)
    body[:] = whole
    for node in body:
        if isinstance(node, Workflow | Step):
            join(node.body)  # type: ignore[arg-type]  # a list of nodes, whatever their kind
