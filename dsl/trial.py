"""How a text would read from here: the driver's states, walked on without building anything."""

from __future__ import annotations

from newel.dsl.driver import Driver
from newel.dsl.skip import CONTINUATIONS
from newel.dsl.skip import WORD as CONTINUES
from newel.dsl.table import CLOSING, OPENING, advance


class Trial:
    """A reading that can be thrown away; `drop` symbols at the top are taken off first."""

    def __init__(self, driver: Driver, drop: int = 0) -> None:
        self.driver = driver
        self.table = driver.table
        self.stack = driver.states[: len(driver.states) - drop]
        self.blocks = [bool(each.block) for each in driver.opened]

    def feed(self, kind: str) -> bool:
        """One terminal."""
        if not advance(self.table, self.stack, kind):
            return False
        if kind in OPENING:
            self.blocks.append(kind == "LBRACE" and self.stack[-1] in self.table.blocks)
        elif kind in CLOSING and self.blocks:
            self.blocks.pop()
        return True

    def line(self, pos: int) -> bool:
        """Whether the text reads without a fault up to the end of the line, or of the brackets it leaves open."""
        text, match = self.driver.text, self.table.token.match
        while (token := match(text, pos)) and self.driver.patience > 0:
            self.driver.patience -= 1
            kind = token.lastgroup or ""
            if kind == "_NL":
                if not self.blocks or self.blocks[-1]:
                    return self.goes_on(token.end()) or (self.ends() and not self.cut_off(token.end()))
                pos = token.end()
                continue
            if kind == "NAME":
                key = self.table.keywords[self.stack[-1]].get(token[kind])
                kind = key if key is not None and advance(self.table, self.stack[:], key) else kind
            if kind != "COMMENT" and not self.feed(kind):
                return False
            pos = token.end()
        return not text[pos : pos + 80].strip(" \t") and self.ends()

    def ends(self) -> bool:
        """Whether a statement can end here."""
        return self.stack[-1] in self.table.boundaries or advance(self.table, self.stack[:], "_NL")

    def cut_off(self, pos: int) -> bool:
        """Whether the next line wants to go on with something that has ended."""
        block = self.table.blocks.get(self.stack[-1]) or self.driver.block()
        word = CONTINUES.match(self.driver.text, pos)
        return word is not None and word[0] in CONTINUATIONS.get(block, ())

    def goes_on(self, pos: int) -> bool:
        """Whether the next line begins with a word that goes on with this one."""
        token = self.table.token.match(self.driver.text, pos)
        return token is not None and token[token.lastgroup or ""] in self.table.continuations[self.stack[-1]]
