"""How deep arrivals that cause arrivals may nest, counted along one chain of calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from newel.runtime.errors import TooDeep

DEEPEST = 8

_depth: ContextVar[int] = ContextVar("newel_arrival_depth", default=0)


def check_depth() -> None:
    """Raises `TooDeep` where one more arrival would nest too deep."""
    if _depth.get() >= DEEPEST:
        raise TooDeep


@contextmanager
def deeper() -> Iterator[None]:
    """What is called inside is caused by the arrival at hand."""
    token = _depth.set(_depth.get() + 1)
    try:
        yield
    finally:
        _depth.reset(token)
