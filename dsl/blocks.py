"""Braces of blocks that are missing or too many, to the structure that was meant.

Two signs tell: a statement begins with a word that only an outer (or only an inner) block knows, and a closing brace
is not indented like the line of its opening one.
"""

from __future__ import annotations

import re
from itertools import takewhile

from newel.dsl.findings import Related
from newel.dsl.mending import Block, inner
from newel.dsl.recovery import HERE, Recovery
from newel.dsl.rules import CLOSES_NOTHING, UNCLOSED_BLOCK, UNEXPECTED
from newel.dsl.skip import indent, line_end, pieces
from newel.dsl.source import Span
from newel.dsl.tree import Every, Fragment, On, Scenario, Step, Text, Workflow
from newel.dsl.trial import Trial

HEADS = {
    "file": frozenset(
        [
            "use",
            "text",
            "placeholder",
            "type",
            "extend",
            "setting",
            "trigger",
            "key",
            "group",
            "moves",
            "guard",
            "action",
            "dispatch",
            "exclude",
            "fragment",
            "workflow",
            "scenario",
        ]
    ),
    "workflow": frozenset({"step", "every"}),
    "step": frozenset({"on", "include"}),
    "on": frozenset({"->"}),
    "scenario": frozenset(
        ["create", "seat", "decide", "fire", "move", "approve", "reject", "switch", "redispatch", "given", "expect"]
    ),
}
KINDS = {Workflow: "workflow", Step: "step", Every: "step", Fragment: "step", On: "on", Scenario: "scenario"}
HEADERS = {
    Workflow: ("_WORKFLOW", "NAME"),
    Step: ("_STEP", "NAME"),
    Every: ("_EVERY", "_STEP"),
    Fragment: ("_FRAGMENT", "NAME"),
    On: ("_ON", "NAME"),
    Scenario: ("_SCENARIO", "STRING", "_FOR", "NAME"),
}
KEYWORDS = {"file": ("_WORKFLOW", "_FRAGMENT"), "workflow": ("_STEP",), "step": ("_ON",)}
TITLE = Text(0, 0, "", False, 0)
JOINED = re.compile(r"on(_|-|(?=[A-Z]))")
HEAD = 60
OPENERS = frozenset({"workflow", "every", "step", "on", "fragment", "scenario"})


def head(text: str, opener: int) -> str:
    """The line of a brace up to it, from the brace before it on: what the block is called in a message. Of a long one
    the beginning is said, since that tells what it is."""
    start = text.rfind("\n", 0, opener) + 1
    braces = (piece.end() for piece in pieces(text, start, opener) if piece[0] in ("{", "}"))
    said = text[max(braces, default=start) : opener].strip()
    return said if len(said) <= HEAD else f"{said[: HEAD - 3]}..."


def suspect(recovery: Recovery) -> int:
    """The opening brace that most likely was not closed: one inside the innermost open block whose closing brace is
    indented otherwise, else that block's own."""
    driver = recovery.driver
    own = next(each.start for each in reversed(driver.opened) if each.block)
    return next(
        (start for start, end in reversed(driver.closed) if start > own and odd(recovery.text, start, end)), own
    )


def odd(text: str, start: int, end: int) -> bool:
    """Whether two braces on different lines are indented differently."""
    return text.find("\n", start, end) >= 0 and indent(text, start) != indent(text, end)


def close(recovery: Recovery) -> None:
    """Close the innermost block here."""
    driver = recovery.driver
    if driver.states[-1] not in driver.table.boundaries and not driver.takes("RBRACE"):
        recovery.abandon()
    driver.feed("RBRACE", driver.end, driver.end)


def keyword_left_out(recovery: Recovery, _kind: str, start: int, _end: int) -> int | None:
    """A line that opens a block reads with `step`, `on` or `workflow` before it: read on as if that stood there."""
    driver = recovery.driver
    begin = recovery.statement()
    begin = start if begin is None else begin
    word = recovery.word(begin)
    drop = len(driver.values) - recovery.boundary()
    if not word or word in OPENERS | HEADS[recovery.block()] or begin in recovery.reopened:
        return None
    depth = len(driver.opened) - recovery.flat()
    line = recovery.text[begin : line_end(recovery.text, begin)].split("#")[0].rstrip()
    if "{" not in line:
        return None
    for terminal in KEYWORDS.get(recovery.block(), ()):
        trial = Trial(driver, drop)
        del trial.blocks[len(trial.blocks) - recovery.flat() :]
        if trial.feed(terminal) and trial.line(begin) and (line.endswith("{") or len(trial.blocks) == depth):
            _say_keyword(recovery, terminal.strip("_").lower(), word, begin)
            recovery.drop_statement()
            driver.feed(terminal, begin, begin)
            return begin
    return None


def _say_keyword(recovery: Recovery, keyword: str, word: str, begin: int) -> None:
    recovery.reopened.add(begin)
    problem = f"`{word}` cannot stand {HERE[recovery.block()]}"
    joined = JOINED.match(word) if keyword == "on" else None
    meant = word[joined.end() :].lower() if joined else word
    recovery.driver.report(UNEXPECTED, begin, begin + len(word), problem=problem, hint=f"write `{keyword} {meant}`")


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
    recovery.drop_statement()  # it is read again, in the block it belongs to
    for _ in range(up):
        close(recovery)
        recovery.driver.feed("_NL", begin, begin)
    return begin


def _say_left_out(recovery: Recovery, word: str, here: str, begin: int) -> None:
    source = recovery.driver.source
    opener = suspect(recovery)
    if opener in recovery.put_in:
        recovery.driver.wounds.append((opener, begin))
        return
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
    """A statement that only an inner block can hold, right after such a block was closed: go on inside it."""
    driver = recovery.driver
    statement = recovery.statement()
    half_read = statement is not None and not driver.takes("_NL")
    for begin in (statement, None if half_read else start):
        again = _chain(recovery, begin, begin == statement) if begin is not None else []
        if begin is None or not again or begin in recovery.reopened:
            continue
        recovery.reopened.add(begin)
        _say_too_early(recovery, begin)
        if begin == statement:
            recovery.drop_statement()
        else:
            recovery.abandon()
        for block in again:
            for terminal in (*HEADERS[type(block)], "LBRACE"):
                driver.feed(terminal, begin, begin, TITLE if terminal == "STRING" else None)
        return begin
    return None


def _chain(recovery: Recovery, begin: int, whole: bool) -> list[Block]:
    """The blocks just closed, from outside in, down to the one that holds statements beginning with the word; where the
    word says nothing, the one closed on this very line, if the line reads inside it."""
    word = recovery.word(begin) or recovery.text[begin : begin + 2]
    if word in HEADS[recovery.block()]:
        return []
    chain: list[Block] = []
    node = _last(recovery, whole)
    while isinstance(node, Block):
        chain.append(node)
        if word in HEADS[KINDS[type(node)]]:
            return chain
        node = _last_of(node)
    driver = recovery.driver
    closed_here = recovery.text.find("\n", driver.end, begin) < 0 and recovery.text[driver.end - 1 : driver.end] == "}"
    if closed_here and chain and not whole:
        trial = Trial(driver)
        if trial.feed("_NL") and all(map(trial.feed, (*HEADERS[type(chain[0])], "LBRACE"))) and trial.line(begin):
            return chain[:1]
    return []


def _last(recovery: Recovery, whole: bool) -> object:
    """The statement before the one at hand, or the one at hand where it is complete and something follows it."""
    driver = recovery.driver
    at = recovery.boundary()
    if not whole and at < len(driver.values) and driver.takes("_NL"):
        return driver.values[-1]
    here = takewhile(lambda each: each != "LBRACE", reversed(driver.values[:at]))  # not what stands before the block
    lines = next((each for each in here if isinstance(each, list)), None)
    return lines[-1] if lines else None


def _last_of(block: Block) -> object:
    body = inner(block)
    return body[-1] if body else None


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
    brace = _brace_of_line(recovery.text, start)
    if brace is not None:
        return brace
    trial = Trial(driver)
    if driver.takes("_NL") or not (trial.feed("LBRACE") and trial.blocks[-1]):
        return None
    recovery.put_in.add(driver.end)
    driver.feed("LBRACE", driver.end, driver.end)
    return start


def _brace_of_line(text: str, start: int) -> int | None:
    """The `{` that ends a line, or the first one where no other bracket comes before it."""
    stop = line_end(text, start)
    found = list(pieces(text, start, stop))
    code = [piece for piece in found if piece.lastgroup != "comment" and piece[0].strip()]
    if code and code[-1][0] == "{":
        return code[-1].start()
    first = next((piece for piece in code if piece.lastgroup in ("open", "close")), None)
    return first.start() if first is not None and first[0] == "{" else None
