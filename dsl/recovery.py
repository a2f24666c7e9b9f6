"""Where reading has stopped, and the ways to leave the driver's stacks as if the file had been right."""

from __future__ import annotations

import re

from newel.dsl.driver import Driver
from newel.dsl.skip import Statement, indent, line_end
from newel.dsl.trial import Trial

WORD = re.compile(r"[A-Za-z_][\w-]*")
HERE = {
    "file": "at the top of a file",
    "workflow": "in a workflow",
    "step": "in a step",
    "on": "under `on`",
    "scenario": "in a scenario",
}


class Recovery:
    """A driver that has stopped, looked at and mended by the modules that know what people get wrong."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.text = driver.text
        self.reopened: set[int] = set()  # where a block was opened again; once a place
        self.put_in: set[int] = set()  # where a `{` was put in that is missing: that it is not closed is told with that

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

    def brackets(self) -> tuple[str, ...]:
        """The brackets of values that are open, from outside in."""
        opened = self.driver.opened
        return tuple(each.sign for each in opened[len(opened) - self.flat() :])

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
        end = Statement(self.brackets(), margin, self.block()).end(self.text, start, self.driver.comments)
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

    # ------------------------------------------------------------ what would read

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

    def found(self, kind: str, start: int, end: int) -> str:
        """A token in the words of a message."""
        if kind == "_NL":
            return "the end of the line"
        if kind == "LONG_STRING":
            return "a long text"
        written = self.text[start:end]
        return f"`{written}`" if len(written) <= 40 else f"`{written[:37]}...`"
