"""Files that are done to a bar on standard error, where somebody watches and it takes longer than a moment."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

AFTER = 1.0
"""Seconds without a bar: most runs are over by then."""


class Progress:
    """Call it with a number of files that are done; leave the block, and the bar is gone."""

    def __init__(self, total: int, *, quiet: bool = False) -> None:
        self._total, self._done = total, 0
        self._begun = time.monotonic()
        self._shown = not quiet and sys.stderr.isatty()
        self._stack = ExitStack()
        self._bar: Any = None

    def __call__(self, count: int) -> None:
        """So many more are done."""
        self._done += count
        if self._bar is not None:
            self._bar.update(count)
        elif self._shown and time.monotonic() - self._begun > AFTER:
            import click

            bar = click.progressbar(length=self._total, label="checking", file=sys.stderr, show_pos=True)
            self._bar = self._stack.enter_context(bar)
            self._bar.update(self._done)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stack.close()
        if self._bar is not None:
            sys.stderr.write("\x1b[1A\x1b[2K")  # the line of the bar, so that the report stands alone
