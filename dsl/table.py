"""The parsing table of the language: plain data that Lark has made of the grammar, and steps by it on states alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

REFUSED = -(1 << 30)
OPENING = frozenset({"LBRACE", "LPAR", "LSQB"})
CLOSING = frozenset({"RBRACE", "RPAR", "RSQB"})


@dataclass(frozen=True, slots=True)
class Production:
    """One rule of the grammar: so many symbols become one `origin`; `holes` are the slots of what was left out."""

    origin: str
    size: int
    holes: tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """What the driver needs: per state the action on a terminal (a state to go to, or `~n` to reduce by production n)
    and the state after a nonterminal; per state the words that are keywords there, and those that go on with a line.
    """

    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
    productions: list[Production]
    start: int
    keywords: list[dict[str, str]]
    continuations: list[frozenset[str]]
    patterns: list[tuple[str, str]]

    @cached_property
    def token(self) -> re.Pattern[str]:
        """Matches the next token, white space before it included; the name of the last group is its terminal."""
        return re.compile("[ \t]*(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in self.patterns) + ")")

    @cached_property
    def blocks(self) -> Mapping[int, str]:
        """The states right after the `{` of a block of statements, and which block it is."""
        return {state: block_of(self.gotos[state]) for state, row in enumerate(self.actions) if "ERROR" in row}

    @cached_property
    def boundaries(self) -> frozenset[int]:
        """The states in which a statement may begin: those that take an ERROR, which stands for any statement."""
        return frozenset(self.blocks)


def advance(table: Table, stack: list[int], kind: str) -> bool:
    """Reduce what a terminal ends and shift it, on the states alone; False where it cannot stand."""
    while (action := table.actions[stack[-1]].get(kind, REFUSED)) < 0:
        if action == REFUSED:
            return False
        production = table.productions[~action]
        if production.size:
            del stack[-production.size :]
        stack.append(table.gotos[stack[-1]][production.origin])
    stack.append(action)
    return True


BLOCK_SIGNS = {"scenario_line": "scenario", "on_line": "on", "step_line": "step", "workflow_line": "workflow"}


def block_of(gotos: Mapping[str, int]) -> str:
    """The block whose statements a state expects: `file`, `workflow`, `step`, `on` or `scenario`."""
    return next((block for sign, block in BLOCK_SIGNS.items() if sign in gotos), "file")


def as_data(table: Table) -> dict[str, Any]:
    """The table as JSON knows it."""
    return {
        "actions": table.actions,
        "gotos": table.gotos,
        "productions": [[each.origin, each.size, each.holes] for each in table.productions],
        "start": table.start,
        "keywords": table.keywords,
        "continuations": [sorted(each) for each in table.continuations],
        "patterns": table.patterns,
    }


def from_data(data: Mapping[str, Any]) -> Table:
    """The table again; raises AttributeError, KeyError, TypeError or ValueError where the data is none."""
    intern = sys.intern
    return Table(
        actions=[{intern(name): to for name, to in row.items()} for row in data["actions"]],
        gotos=data["gotos"],
        productions=[Production(origin, size, tuple(holes)) for origin, size, holes in data["productions"]],
        start=data["start"],
        keywords=data["keywords"],
        continuations=[frozenset(each) for each in data["continuations"]],
        patterns=[(name, pattern) for name, pattern in data["patterns"]],
    )
