"""Work that is one transaction to its being done, also where another transaction stood in its way.

What such work does outside the ledger is done again with it, so it does nothing there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from newel.runtime.errors import Contended, LedgerUnavailable

P = ParamSpec("P")
T = TypeVar("T")

PAUSES = (0.0, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""Seconds before each new attempt. After the last one the caller is told."""


def again(work: Callable[[], T]) -> T:
    """Do the work, and do it anew as long as it is `Contended`."""
    for pause in PAUSES:
        try:
            return work()
        except Contended:
            time.sleep(pause)
    return work()


def besides(error: LedgerUnavailable, what: str) -> None:
    """Let the error of a transaction also say what the call had committed before that."""
    error.args = (f"{str(error).rstrip('.')}; {what}",)


def retried(function: Callable[P, T]) -> Callable[P, T]:
    """A function that is one transaction, done `again` where need be."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return again(lambda: function(*args, **kwargs))

    return call
