"""Where a process can die: before each statement of a call, and after each of its commits, by name."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from newel.runtime.ledgers import postgres_transaction, sqlite

DIED = 9
Transactions = (sqlite.SqliteTransaction, postgres_transaction.PostgresTransaction)
_RUNS = ("_all", "_insert", "_many", "execute")
"""The methods through which every statement of a transaction goes, beside its begin and its commit."""


def _names(transactions: Any) -> dict[str, str]:
    statements = transactions.sql
    named: dict[str, str] = {}
    for field in fields(statements):
        said = getattr(statements, field.name)
        for text in (said,) if isinstance(said, str) else said or ():
            named.setdefault(text, field.name)
    return named


class Points:
    """The points that a call of this process passes, from now on. `at` is told of each by its name."""

    def __init__(self, at: Callable[[str], None]) -> None:
        self._at, self._inside = at, 0
        for transactions in Transactions:
            self._watch(transactions, _names(transactions))

    def _watch(self, transactions: Any, named: dict[str, str]) -> None:
        def statement(original: Any) -> Any:
            def run(tx: Any, sql: str, *rest: Any) -> Any:
                self._pass(named.get(sql) or sql.split()[0].lower())
                self._inside += 1  # one that is made of others is one point
                try:
                    return original(tx, sql, *rest)
                finally:
                    self._inside -= 1

            return run

        def boundary(name: str, original: Any, after: bool = False) -> Any:
            def run(tx: Any, *rest: Any) -> Any:
                self._pass(name)
                result = original(tx, *rest)
                if after:
                    self._pass("after the commit")
                return result

            return run

        for method in _RUNS:
            if hasattr(transactions, method):
                setattr(transactions, method, statement(getattr(transactions, method)))
        transactions.__enter__ = boundary("begin", transactions.__enter__)
        transactions._commit = boundary("commit", transactions._commit, after=True)

    def _pass(self, name: str) -> None:
        if not self._inside:
            self._at(name)


def die_at(point: int) -> None:
    """Let this process end at the nth point it passes from now on."""
    passed = [0]

    def at(name: str) -> None:
        passed[0] += 1
        if passed[0] == point:
            os._exit(DIED)

    Points(at)


def in_child(act: Callable[[], object]) -> int:
    """The exit code of a forked child that does something."""
    pid = os.fork()
    if pid == 0:
        gc.disable()  # else it looks at, and so copies, all that the parent has
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def told_by_child(act: Callable[[], list[str]]) -> list[str]:
    """What a forked child finds out."""
    reading, writing = os.pipe()

    def tell() -> None:
        os.close(reading)
        with os.fdopen(writing, "w") as pipe:
            pipe.write("\n".join(act()))

    pid = os.fork()
    if pid == 0:
        gc.disable()  # else it looks at, and so copies, all that the parent has
        code = 1
        try:
            tell()
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        found = pipe.read()
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    return found.splitlines()
