"""The parsing table of the language: the grammar file, prepared by Lark once and kept in the user's cache.

The table is plain data. Reading it back needs neither Lark nor the compilation of the grammar, which together cost
more than reading a file of a thousand lines.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from newel.dsl import cache


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
    """The table again; raises KeyError, TypeError or ValueError where the data is none."""
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


def grammar_text() -> str:
    """The grammar, as it stands in `newel.grammars`."""
    return (_folder("newel.grammars") / "newel.lark").read_text(encoding="utf-8")


def fingerprint() -> str:
    """Names everything the table depends on: the grammar, Lark, Python and the code that makes the table."""
    digest = hashlib.sha256(sys.version.encode())
    for path in (
        _folder("newel.grammars") / "newel.lark",
        _folder("lark") / "__init__.py",
        _folder("newel.dsl") / "tablemaker.py",
        _folder("newel.dsl") / "table.py",
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _folder(package: str) -> Path:
    """Where a package lies, found without importing it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{package} is not installed as files", name=package)
    return Path(spec.origin).parent


@lru_cache(maxsize=1)
def load() -> Table:
    """The table of this process: out of the cache, else made anew and put there."""
    key = fingerprint()
    kept = cache.read(f"grammar-{key[:32]}")
    if kept is not None:
        try:
            return from_data(kept)
        except (KeyError, TypeError, ValueError):
            pass
    from newel.dsl.tablemaker import make

    table = make(grammar_text())
    cache.write(f"grammar-{key[:32]}", as_data(table))
    return table
