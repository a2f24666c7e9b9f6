"""A token that cannot stand, or text that is no token, to a finding and the place where reading goes on.

What was left out is put in, what is too much is left out, and where neither helps the statement is dropped and one
ERROR fed in its place, which any block takes. The order of the attempts is that of ATTEMPTS.
"""

from __future__ import annotations

from newel.dsl import blocks, brackets, characters, habits, keywords, quotes, slips
from newel.dsl.expected import words
from newel.dsl.recovery import Recovery
from newel.dsl.rules import NESTED_TOO_DEEP, UNCLOSED_BLOCK, UNEXPECTED

ATTEMPTS = (
    quotes.missing,
    slips.mend,
    habits.mend,
    keywords.misspelt,
    blocks.keyword_left_out,
    blocks.brace_left_out,
    keywords.too_deep,
    blocks.closed_too_early,
    keywords.not_deep_enough,
    brackets.left_open,
    brackets.too_many,
    quotes.fence_left_out,
)


class Rescue(Recovery):
    """What the driver asks when it cannot go on. Every way returns the place to go on at; -1 when all is read."""

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
        slips.say_unexpected(self, kind, start, end)
        if reads:
            self.driver.doubts.append((start if begin is None else begin, end))
            return end
        at = blocks.broken_header(self, start)
        return self.give_up(start) if at is None else at

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

    # ------------------------------------------------------------ the end

    def at_end(self) -> int:
        """Close what is open, with one finding."""
        driver = self.driver
        n = len(self.text)
        if self.flat():
            at = brackets.left_open(self, "$END", n, n)
            if at is None:
                self.say_end()
        elif driver.states[-1] not in driver.table.boundaries and not any(map(driver.takes, ("_NL", "RBRACE"))):
            self.say_end()
        if driver.opened:
            self.close_blocks()
        return -1

    def say_end(self) -> None:
        """The file ends inside a statement."""
        driver = self.driver
        problem = f"expected {words(driver.accepts())}, found the end of the file"
        driver.report(UNEXPECTED, driver.end, driver.end, problem=problem, hint="finish the statement")
        start = self.abandon()
        self.put_broken(driver.end if start is None else start, len(self.text))

    def close_blocks(self) -> None:
        """The file ends inside a block: one finding, however many are open."""
        driver = self.driver
        opener = blocks.suspect(self)
        if opener not in self.put_in:
            driver.report(UNCLOSED_BLOCK, opener, opener + 1, head=blocks.head(self.text, opener))
        while driver.opened:
            blocks.close(self)
