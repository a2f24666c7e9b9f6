"""A token that cannot stand, or text that is no token, to a finding and the place where reading goes on.

Each way out leaves the driver's stacks as if the file had been right: what was left out is put in, what is too much is
left out, and where neither helps the statement is dropped and one ERROR fed in its place, which any block takes. The
order of the attempts, from the surest to the plainest, is that of ATTEMPTS.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from newel.dsl import blocks, brackets, characters, quotes, slips
from newel.dsl.expected import words
from newel.dsl.rules import NESTED_TOO_DEEP, UNCLOSED_BLOCK, UNEXPECTED
from newel.dsl.skip import Statement, indent, line_end
from newel.dsl.trial import Trial

if TYPE_CHECKING:
    from newel.dsl.driver import Driver

WORD = re.compile(r"[A-Za-z_][\w-]*")
HERE = {
    "file": "at the top of a file",
    "workflow": "in a workflow",
    "step": "in a step",
    "on": "under `on`",
    "scenario": "in a scenario",
}
ATTEMPTS = (
    quotes.missing,
    slips.mend,
    blocks.keyword_left_out,
    blocks.brace_left_out,
    blocks.closed_too_early,
    brackets.left_open,
    brackets.too_many,
    quotes.fence_left_out,
)


class Recovery:
    """What the driver asks when it cannot go on. Every way returns the place to go on at; -1 when all is read."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.text = driver.text
        self.reopened: set[int] = set()  # where a block was opened again; once a place

    # ------------------------------------------------------------ the three questions

    def unexpected(self, kind: str, start: int, end: int) -> int:
        """A token that cannot stand here."""
        self.driver.settle()
        for attempt in ATTEMPTS:
            at = attempt(self, kind, start, end)
            if at is not None:
                return at
        reads = (kind != "LBRACE" or not self.opens_lines(end)) and self.reads_without(end)
        begin = self.statement()
        self.say_unexpected(kind, start, end)
        if reads:
            self.driver.doubts.append((start if begin is None else begin, end))
            return end
        at = blocks.broken_header(self, start)
        return self.give_up(start) if at is None else at

    def reads_without(self, end: int) -> bool:
        """Whether what ends here is junk: it does not stand alone, and without it the rest of the line reads."""
        if self.statement() is None and not self.text[end : line_end(self.text, end)].split("#")[0].strip():
            return self.opens(end)
        return Trial(self.driver).line(end)

    def opens_lines(self, end: int) -> bool:
        """Whether a `{` that ends here ends its line, and deeper lines follow."""
        stop = line_end(self.text, end)
        below = len(self.text[end:stop]) + end + 1
        while self.text[below : line_end(self.text, below)].strip() == "" and below < len(self.text):
            below = line_end(self.text, below) + 1
        blank = not self.text[end:stop].split("#")[0].strip()
        return blank and self.statement() is not None and indent(self.text, below) > indent(self.text, end)

    def opens(self, end: int) -> bool:
        """Whether a place follows the `{` of a block on its line."""
        opened = self.driver.opened
        return bool(opened) and self.text.find("\n", opened[-1].start, end) < 0

    def no_token(self, pos: int) -> int:
        """The end of the text, or a character that begins no token."""
        self.driver.settle()
        while pos < len(self.text) and self.text[pos] in " \t":
            pos += 1
        return characters.read(self, pos) if pos < len(self.text) else self.at_end()

    def too_deep(self, start: int) -> int:
        """One bracket more than may be open."""
        driver = self.driver
        driver.report(NESTED_TOO_DEEP, start, start + 1, limit=driver.limits.nesting)
        return self.give_up(start + 1)

    # ------------------------------------------------------------ where we are

    def boundary(self) -> int:
        """How many symbols lie below the statement at hand."""
        driver = self.driver
        at = len(driver.starts)
        while driver.states[at] not in driver.table.boundaries:
            at -= 1
        return at

    def statement(self) -> int | None:
        """Where the half-read statement begins; None between statements."""
        at = self.boundary()
        return self.driver.starts[at] if at < len(self.driver.starts) else None

    def word(self, at: int | None) -> str:
        """The word at a place."""
        found = WORD.match(self.text, at) if at is not None else None
        return found[0] if found else ""

    def block(self) -> str:
        """The kind of block we are in."""
        return self.driver.block()

    def flat(self) -> int:
        """How many brackets of values are open."""
        count = 0
        for each in reversed(self.driver.opened):
            if each.block:
                break
            count += 1
        return count

    # ------------------------------------------------------------ ways out

    def abandon(self) -> int | None:
        """Drop the half-read statement, unless it could end here: then it is kept. Where the dropped one begins."""
        driver = self.driver
        if driver.states[-1] not in driver.table.boundaries and driver.takes("_NL"):
            driver.feed("_NL", driver.end, driver.end)
            return None
        start = self.statement()
        self.drop_statement()
        return start

    def drop_statement(self) -> None:
        """Take what is read of the statement at hand off the stacks."""
        driver = self.driver
        at = self.boundary()
        del driver.states[at + 1 :], driver.values[at:], driver.starts[at:]
        while driver.opened and not driver.opened[-1].block:
            driver.opened.pop()

    def put_broken(self, start: int, end: int) -> None:
        """Let a broken statement stand for a stretch of text."""
        self.driver.feed("ERROR", start, end)

    def give_up(self, start: int) -> int:
        """Drop the statement at hand and skip the rest of it; an error stands for both."""
        begin = self.statement()
        margin = indent(self.text, start if begin is None else begin)
        end = Statement(self.flat(), margin, self.block()).end(self.text, start, self.driver.comments)
        dropped = self.abandon()
        self.put_broken(start if dropped is None else dropped, end)
        return end

    def give_up_line(self, end: int) -> int:
        """Drop the statement at hand up to a place on its line and go on at the end of that line."""
        stop = line_end(self.text, end)
        dropped = self.abandon()
        if dropped is not None:
            self.put_broken(dropped, stop)
        return stop

    # ------------------------------------------------------------ the plain message

    def say_unexpected(self, kind: str, start: int, end: int) -> None:
        """`expected this or that, found x`, with the best hint there is."""
        driver = self.driver
        begin = self.statement()
        accepts = driver.accepts()
        found = self.found(kind, start, end)
        if begin is None or begin == start:
            problem = f"{found} cannot stand {HERE[self.block()]}"
        else:
            problem = f"expected {words(accepts)}, found {found}"
        hint = slips.hint(self, kind, start, end, accepts)
        if kind == "_NL":
            start = end = driver.end
        driver.report(UNEXPECTED, start, end, problem=problem, hint=hint)

    def found(self, kind: str, start: int, end: int) -> str:
        """A token in the words of a message."""
        if kind == "_NL":
            return "the end of the line"
        if kind == "LONG_STRING":
            return "a long text"
        written = self.text[start:end]
        return f"`{written}`" if len(written) <= 40 else f"`{written[:37]}...`"

    # ------------------------------------------------------------ the end

    def at_end(self) -> int:
        """Close what is open, with one finding, and reduce to the whole file."""
        driver = self.driver
        n = len(self.text)
        if self.flat():
            at = brackets.left_open(self, "$END", n, n)
            if at is None:
                self.say_end()
        elif driver.states[-1] not in driver.table.boundaries and not any(map(driver.takes, ("_NL", "RBRACE", "$END"))):
            self.say_end()
        if driver.opened:
            self.close_blocks()
        driver.finish()
        return -1

    def say_end(self) -> None:
        """The file ends inside a statement."""
        driver = self.driver
        problem = f"expected {words(driver.accepts())}, found the end of the file"
        driver.report(UNEXPECTED, driver.end, driver.end, problem=problem)
        start = self.abandon()
        self.put_broken(driver.end if start is None else start, len(self.text))

    def close_blocks(self) -> None:
        """The file ends inside a block: one finding, however many are open."""
        driver = self.driver
        opener = blocks.suspect(self)
        driver.report(UNCLOSED_BLOCK, opener, opener + 1, head=blocks.head(self.text, opener))
        while driver.opened:
            blocks.close(self)
