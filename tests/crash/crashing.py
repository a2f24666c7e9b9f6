"""A child process that dies at a chosen point of an arrival, on a file that its parent opens again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from newel.runtime.ledgers.sqlite import SqliteTransaction
from tests.runtime.boards import REVIEW, Rig, board, entering

DIED = 9
PROGRAM = board(
    a='on exit {\npage("out")\nnote_it(text="left a")\n}',
    b=entering(
        REVIEW, 'note_it(text="in b")', 'page("in")', "queue_run", 'page("again")', 'note_it(text="still in b")'
    ),
)


class Watched(Rig):
    """A service whose outside actions leave a mark in a file beside its database."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, PROGRAM)
        self.on_page = self._mark

    def _mark(self, action: Any, context: Any) -> None:
        with self.path.with_suffix(".pages").open("a") as pages:
            pages.write(f"{action.who} {context.idempotency_key}\n")

    def pages(self) -> list[str]:
        marks = self.path.with_suffix(".pages")
        return marks.read_text().splitlines() if marks.exists() else []


def die_at(point: int) -> Callable[[], int]:
    """Let this process end before its nth step from now on: a statement, and each side of a commit. How many so far."""
    passed = [0]

    def step() -> None:
        passed[0] += 1
        if passed[0] == point:
            os._exit(DIED)

    def stepping(original: Any) -> Any:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            step()
            result = original(*args, **kwargs)
            step()
            return result

        return wrapper

    for name in ("__enter__", "_all", "execute", "_commit"):
        setattr(SqliteTransaction, name, stepping(getattr(SqliteTransaction, name)))
    return lambda: passed[0]


def in_child(act: Callable[[], None]) -> int:
    """The exit code of a forked child that does something."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
