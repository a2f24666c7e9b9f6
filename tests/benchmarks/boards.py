"""Texts to services on ledgers that live as long as a `with` block."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from newel.compiler import compile_text
from newel.compiler.program import Program
from newel.runtime.casting import StaticAgents
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.base import Ledger
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.sqlite import SqliteLedger
from newel.runtime.service import Service

AGENTS = StaticAgents("ada", candidates=[("eve", ["reviewer"])])


@cache
def compiled(text: str) -> Program:
    """The program of a text."""
    return compile_text(text).require()


@contextmanager
def sqlite_ledger() -> Iterator[SqliteLedger]:
    """A new ledger in a file, with the embedded default: WAL, synchronous=FULL."""
    with tempfile.TemporaryDirectory(prefix="newel-bench-") as folder:
        ledger = open_ledger(f"sqlite:///{folder}/ledger.db")
        assert isinstance(ledger, SqliteLedger)
        try:
            yield ledger
        finally:
            ledger.close()


def service(text: str, ledger: Ledger, handlers: Handlers | None = None) -> Service:
    """A service on a ledger, with agents, and a task `t` at the start of the workflow `board`."""
    made = Service(compiled(text), ledger, handlers, AGENTS)
    made.create("t", "board")
    return made
