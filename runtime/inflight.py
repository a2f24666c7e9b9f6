"""Calls that run in threads to those that have not ended yet, so that whoever closes can wait for them."""

from __future__ import annotations

import os
import threading
import weakref
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from newel.runtime.errors import LedgerUnavailable

R = TypeVar("R")


@dataclass(eq=False, slots=True)
class Call:
    """One call, from when it is made until its thread is done with it. `inside` another one, that has not ended?"""

    inside: bool
    begun: bool = False


_around: ContextVar[frozenset[Call]] = ContextVar("newel_calls_around", default=frozenset())
"""The calls inside which something happens: a handler may make one more, or close."""


@dataclass(slots=True)
class Ended(Generic[R]):
    """What became of a call. It is carried as a value: no future takes a `StopIteration`, and its awaiter waits on."""

    values: list[R] = field(default_factory=list)
    error: BaseException | None = None

    @classmethod
    def of(cls, work: Callable[[], R]) -> Ended[R]:
        """Do it, whatever comes of it."""
        try:
            return cls([work()])
        except BaseException as error:
            return cls(error=error)

    def result(self) -> R:
        """Give back what it gave back, or raise what it raised."""
        try:
            if self.error is not None:
                raise self.error
            return self.values[0]
        finally:
            del self  # the error's traceback holds this frame


class InFlight:
    """The calls of one service."""

    def __init__(self) -> None:
        self.forget()
        _all.add(self)

    def forget(self) -> None:
        """Begin anew: no thread is there that could end a call."""
        self._changed = threading.Condition()
        self._calls: set[Call] = set()
        self._closing = 0

    def made(self) -> Call:
        """Count a new call. Raises `LedgerUnavailable` where the ledger is about to be closed, save to a call made
        inside one that is waited for."""
        with self._changed:
            call = Call(inside=bool(_around.get() & self._calls))
            if self._closing and not call.inside:
                raise LedgerUnavailable("the ledger is being closed")
            self._calls.add(call)
            return call

    def run(self, call: Call, work: Callable[[], R]) -> Ended[R]:
        """Do the work of a call, in its thread and a context of its own."""
        with self._changed:
            if call not in self._calls:
                return Ended(error=CancelledError())
            call.begun = True
        _around.set(_around.get() | {call})
        try:
            return Ended.of(work)
        finally:
            self._done(call)

    def left(self, call: Call) -> None:
        """Nobody awaits the call any longer: one whose thread has not begun never does."""
        with self._changed:
            if not call.begun:
                self._done(call)

    @contextmanager
    def ended(self) -> Iterator[None]:
        """Wait until every call has ended, and let none begin before the block has.

        A call inside which that is asked for cannot end before, and is not waited for by anybody: two of them would
        wait for each other.
        """
        with self._changed:
            self._closing += 1
            self._calls -= _around.get()
            self._changed.notify_all()
        try:
            with self._changed:
                self._changed.wait_for(lambda: not self._calls)
            yield
        finally:
            with self._changed:
                self._closing -= 1

    def _done(self, call: Call) -> None:
        with self._changed:
            self._calls.discard(call)
            self._changed.notify_all()


_all: weakref.WeakSet[InFlight] = weakref.WeakSet()


def _in_child() -> None:
    """The threads of the parent are not there."""
    for calls in list(_all):
        calls.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
