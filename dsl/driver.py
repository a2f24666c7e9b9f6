"""Text and table to a list of items: the loop that reads tokens, reduces and shifts.

What the file gets wrong is handed to a rescue, which says where to go on. The three stacks belong together:
a state stands above the one it came from, with the value of its symbol and the place where that begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from newel.dsl.build import BUILD
from newel.dsl.findings import Finding, Fix, Related, Rule
from newel.dsl.limits import Limits
from newel.dsl.rules import OVER_LIMIT
from newel.dsl.source import Source, Span
from newel.dsl.table import CLOSING, OPENING, REFUSED, Table, advance
from newel.dsl.texts import Fault, read_text, runs_on
from newel.dsl.tree import Broken, Duration, Name, Number, Text

PATIENCE = 100_000  # tokens read on trial in one file
CLOSED_BY = {"{": "RBRACE", "(": "RPAR", "[": "RSQB"}
BLANK = re.compile(r"[ \t]*\Z")
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(slots=True)
class Open:
    """A bracket that is open: `block` names the kind of block, or is empty where line breaks do not count."""

    start: int
    sign: str
    block: str


class Stop(Exception):  # not an error: the way out of the loop when a file has too many findings
    """Reading ends here."""


class Asked(Protocol):
    """What knows a way on where the table has none: each answers with the place to go on at, -1 when all is read."""

    def unexpected(self, kind: str, start: int, end: int) -> int:
        """A token that cannot stand here."""
        ...

    def no_token(self, pos: int) -> int:
        """The end of the text, or a character that begins no token."""
        ...

    def too_deep(self, start: int) -> int:
        """One bracket more than may be open."""
        ...


class Driver:
    """One reading of one file."""

    def __init__(self, source: Source, table: Table, limits: Limits, make_rescue: Callable[[Driver], Asked]) -> None:
        self.source = source
        self.text = source.text
        self.table = table
        self.limits = limits
        self.make_rescue = make_rescue
        self.states = [table.start]
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.opened: list[Open] = []
        self.closed: list[tuple[int, int]] = []  # blocks that were closed: their two braces
        self.end = 0  # of the last token
        self.comments: dict[int, int] = {}
        self.findings: list[Finding] = []
        self.wounds: list[tuple[int, int]] = []  # text that was mended or read as something else
        self.doubts: list[tuple[int, int]] = []  # statements that read only by a guess
        self.patience = PATIENCE
        self.productions = [(BUILD.get(p.origin), p.size, p.origin, p.holes) for p in table.productions]

    # ------------------------------------------------------------ the loop

    def run(self) -> list[Any]:
        """Read the whole text; the items of the file."""
        text, match, states, opened = self.text, self.table.token.match, self.states, self.opened
        keywords, continuations, feed = self.table.keywords, self.table.continuations, self.feed
        nesting = self.limits.nesting
        pos = 0
        while pos >= 0:
            token = match(text, pos)
            if token is None:
                pos = -1 if self.is_whole(pos) else self.rescue.no_token(pos)
                continue
            kind = token.lastgroup or ""
            start, end = token.span(kind)
            if kind == "NAME":
                key = keywords[states[-1]].get(text[start:end])
                if key is not None and self.takes(key):
                    kind = key
            elif kind == "_NL":
                if text.find("#", start, end) >= 0:
                    self.remark(start, end)
                if (opened and not opened[-1].block) or (continuations[states[-1]] and self.goes_on(end)):
                    pos = end
                    continue
            elif kind == "LONG_STRING" and runs_on(text, start, end):
                pos = self.rescue.no_token(start)
                continue
            elif kind == "COMMENT":
                self.remark(start, end)
                pos = end
                continue
            pos = end if feed(kind, start, end) else self.rescue.unexpected(kind, start, end)
            if len(opened) > nesting:
                pos = self.rescue.too_deep(start)
        return self.finish()

    def is_whole(self, pos: int) -> bool:
        """Whether nothing follows and nothing is missing."""
        whole = self.states[-1] in self.table.boundaries or self.takes("_NL")
        return whole and not self.opened and BLANK.match(self.text, pos) is not None

    @cached_property
    def rescue(self) -> Asked:
        """What knows a way on; made when it is first needed, since most files never need it."""
        return self.make_rescue(self)

    def feed(self, kind: str, start: int, end: int, value: object = None) -> bool:
        """Reduce what a token ends and shift it; False where it cannot stand. A value given is taken as it is."""
        actions, states = self.table.actions, self.states
        if kind in CLOSING and not (self.opened and CLOSED_BY[self.opened[-1].sign] == kind):
            return False  # before anything is reduced for it
        while (action := actions[states[-1]].get(kind, REFUSED)) < 0:
            if action == REFUSED:
                return False
            self.reduce(~action)
        states.append(action)
        self.starts.append(start)
        make = MAKE.get(kind) if value is None else None
        self.values.append(make(self, start, end) if make is not None else value or kind)
        self.end = end
        if kind in OPENING:
            self.opened.append(Open(start, self.text[start:end] or "{", self.table.blocks.get(action, "")))
        elif kind in CLOSING:
            bracket = self.opened.pop()
            if bracket.block and start < end:
                self.closed.append((bracket.start, start))
        return True

    def reduce(self, number: int) -> None:
        """Replace the symbols of a production by what it makes of them."""
        build, size, origin, holes = self.productions[number]
        states, values, starts = self.states, self.values, self.starts
        if build is not None:
            if size:
                symbols = values[-size:]
                del values[-size:]
                start = starts[-size]
                del states[-size:], starts[-size:]
            else:
                symbols, start = [], self.end
            for hole in holes:
                symbols.insert(hole, None)
            values.append(build(symbols, start, self.end))
            starts.append(start)
        else:
            states.pop()
        states.append(self.table.gotos[states[-1]][origin])

    def settle(self) -> None:
        """Reduce a block that has just been closed, so that no state of its inside is on the stack."""
        actions, states = self.table.actions, self.states
        if self.values and self.values[-1] == "RBRACE" and self.takes("_NL"):
            while actions[states[-1]]["_NL"] < 0:
                self.reduce(~actions[states[-1]]["_NL"])

    def finish(self) -> list[Any]:
        """Reduce to the whole file; what is open has been closed."""
        actions, states = self.table.actions, self.states
        while REFUSED < (action := actions[states[-1]].get("$END", REFUSED)) < 0:
            self.reduce(~action)
        return self.values[0]  # type: ignore[no-any-return]  # what the start rule made

    # ------------------------------------------------------------ what can follow

    def takes(self, kind: str) -> bool:
        """Whether a terminal can really stand here: the table alone also says so of some that cannot."""
        action = self.table.actions[self.states[-1]].get(kind, REFUSED)
        if action >= 0 or action == REFUSED:
            return action >= 0
        return advance(self.table, self.states[:], kind)

    def block(self) -> str:
        """The kind of block we are in."""
        return next((each.block for each in reversed(self.opened) if each.block), "file")

    def accepts(self) -> set[str]:
        """All terminals that can stand here."""
        return {kind for kind in self.table.actions[self.states[-1]] if self.takes(kind)}

    def goes_on(self, pos: int) -> bool:
        """Whether the line that begins here goes on with the statement before."""
        token = self.table.token.match(self.text, pos)
        if token is None:
            return False
        kind = token.lastgroup or ""
        word = token[kind]
        if word not in self.table.continuations[self.states[-1]]:
            return False
        return self.takes(self.table.keywords[self.states[-1]].get(word, kind))

    # ------------------------------------------------------------ values and what is said about them

    def name(self, start: int, end: int) -> Name:
        """A name."""
        if end - start > self.limits.name_length:
            self.over("name", start, end, self.limits.name_length, "characters")
        return Name(start, end, self.text[start:end])

    def text_value(self, start: int, end: int) -> Text:
        """A text, quoted or long, with its faults reported."""
        if end - start > self.limits.text_length:
            self.over("text", start, end, self.limits.text_length, "characters")
        faults: list[Fault] = []
        value = read_text(self.text, start, end, faults)
        for fault in faults[:1]:
            self.report(fault.rule, fault.start, fault.end, (), fault.hint, None, None, **fault.fields)
        return value

    def number(self, start: int, end: int) -> Number:
        """A number."""
        written = self.text[start:end]
        if end - start > self.limits.digits and sum(map(str.isdigit, written)) > self.limits.digits:
            self.over("number", start, end, self.limits.digits, "digits")
            return Number(start, end, 0)
        return Number(start, end, float(written) if "." in written else int(written))

    def duration(self, start: int, end: int) -> Duration:
        """A duration."""
        if end - start - 1 > self.limits.duration_digits:
            self.over("duration", start, end, self.limits.duration_digits, "digits")
            return Duration(start, end, 0)
        return Duration(start, end, int(self.text[start : end - 1]) * SECONDS[self.text[end - 1]])

    def broken(self, start: int, end: int) -> Broken:
        """What stands where a statement could not be read."""
        return Broken(start, end)

    def remark(self, start: int, end: int) -> None:
        """Keep the comments in a stretch that holds nothing but white space and comments."""
        text = self.text
        while (start := text.find("#", start, end)) >= 0:
            stop = text.find("\n", start, end)
            stop = end if stop < 0 else stop
            self.comments[start] = stop - (text[stop - 1] == "\r")
            start = stop

    def over(self, what: str, start: int, end: int, limit: int, unit: str) -> None:
        """Report that something is larger than its limit."""
        self.report(OVER_LIMIT, start, end, what=what, limit=limit, unit=unit)

    def report(
        self,
        rule: Rule,
        start: int,
        end: int,
        related: tuple[Related, ...] = (),
        hint: str | None = None,
        wound: tuple[int, int] | None = None,
        fix: Fix | None = None,
        **fields: object,
    ) -> None:
        """Keep a finding, and the text that is not read as it was meant (else: its place)."""
        self.findings.append(Finding(rule, Span(self.source, start, end), fields, related, hint, fix))
        self.wounds.append(wound or (start, end))
        if len(self.findings) >= self.limits.findings:
            raise Stop


MAKE = {
    "NAME": Driver.name,
    "STRING": Driver.text_value,
    "LONG_STRING": Driver.text_value,
    "NUMBER": Driver.number,
    "DURATION": Driver.duration,
    "ERROR": Driver.broken,
}
