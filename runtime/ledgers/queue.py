"""A lock that is given to those who wait in the order in which they came.

It says who writes next, and keeps nobody from the database: that is SQLite's. So it can be taken from one that is no
more, as an exception out of the blue - Ctrl-C, a signal that raises - leaves it.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from itertools import chain, repeat
from threading import get_ident
from typing import Protocol

from newel.runtime.errors import InsideTransaction
from newel.runtime.ledgers.forks import reclaim

_LOOKS = (0.05, 0.1, 0.2, 0.5)
"""After how many more seconds whoever waits looks whether it is waited for itself; the last one is repeated."""
_STANDSTILL = (
    "a database action, or whatever else has the transaction open, waits for this thread, and this thread for the"
    " transaction: move tasks from an outside action"
)
_HOLDER = "holder"


class Holder(Protocol):
    """What holds the lock, or waits for it."""

    thread: int


Owner = Callable[[], Holder | None]
"""A weak reference to a holder, always the same one: dead where it ended without letting go."""


class FairLock:
    """Handed from hand to hand: whoever releases it gives it to the first who waits, so nobody overtakes.

    Where nobody waits it costs what a plain lock costs. It is got and said to be held in one step, so that there is no
    moment in which nobody knows whose it is. What one that is no more has left is reclaimed before the next one has it.
    """

    __slots__ = ("__weakref__", "_guard", "_held", "_reclaim", "_waiting")

    def __init__(self, reclaim: Callable[[Owner], None]) -> None:
        self._reclaim = reclaim
        self._guard = threading.Lock()
        self._held: dict[str, Owner] = {}
        self._waiting: deque[tuple[threading.Lock, Owner]] = deque()

    def acquire(self, timeout: float, owner: Owner) -> bool:
        """Wait at most so many seconds; whether it was got. Raises `InsideTransaction` where it would be for ever: this
        thread holds it, or whoever does waits for this thread.

        Whatever else it raises: `release` afterwards.
        """
        if not self._waiting and self._held.setdefault(_HOLDER, owner) is owner:
            return True
        turn = threading.Lock()
        turn.acquire()
        place = turn, owner
        try:
            with self._guard:
                self._waiting.append(place)
                self._serve()  # it may have been released since, by one who saw nobody wait
            self._wait(turn, timeout, owner)
        finally:
            with self._guard:
                if place in self._waiting:
                    self._waiting.remove(place)
        return self._held.get(_HOLDER) is owner

    def _wait(self, turn: threading.Lock, timeout: float, owner: Owner) -> None:
        """Until it is ours, or the time is up."""
        if turn.acquire(blocking=False) or self._look(owner):
            return
        deadline = time.monotonic() + timeout
        pauses = chain(_LOOKS, repeat(_LOOKS[-1]))
        while (left := deadline - time.monotonic()) > (pause := next(pauses)):
            if turn.acquire(timeout=pause) or self._look(owner):
                return
            self._refuse_standstill()
        turn.acquire(timeout=max(left, 0))

    def _look(self, owner: Owner) -> bool:
        """Whether it is ours. Handed on where nobody has it: it was left by one that is no more, or whoever let go of
        it was kept from handing it on."""
        held = self._held.get(_HOLDER)
        holder = held and held()
        if holder is None:
            with self._guard:
                if held is not None and self._held.get(_HOLDER) is held:
                    self._reclaim(held)
                    del self._held[_HOLDER]
                self._serve()
        elif held is not owner and holder.thread == get_ident():
            raise InsideTransaction
        return self._held.get(_HOLDER) is owner

    def _refuse_standstill(self) -> None:
        from newel.runtime.ledgers.standstill import waits_for  # only those who wait long need it

        owner = self._held.get(_HOLDER)
        holder = owner and owner()
        if holder is not None and waits_for(holder.thread, get_ident()) and self._held.get(_HOLDER) is owner:
            raise InsideTransaction(_STANDSTILL)

    def release(self, owner: Owner) -> None:
        """Give it to the first who waits, if anybody does; nothing happens where somebody else has it."""
        if self._held.get(_HOLDER) is not owner:
            return
        del self._held[_HOLDER]
        if self._waiting:
            with self._guard:
                self._serve()

    def _serve(self) -> None:
        """Give it, where it is free, to the first who waits and is still there."""
        while self._waiting:
            turn, owner = self._waiting[0]
            if owner() is not None:
                if self._held.setdefault(_HOLDER, owner) is owner:
                    self._waiting.popleft()
                    turn.release()
                return
            self._waiting.popleft()


_writers: weakref.WeakValueDictionary[str, FairLock] = weakref.WeakValueDictionary()
_writers_guard = threading.Lock()


def writer_of(path: str) -> FairLock:
    """One lock for each file, so that two ledgers on it in one process stand in one queue."""
    name = os.path.realpath(path)
    with _writers_guard:
        lock = _writers.get(name)
        if lock is None:
            lock = _writers[name] = FairLock(reclaim)
        return lock


def _in_child() -> None:
    """Whoever held these locks is not there to let go of them."""
    global _writers, _writers_guard
    _writers, _writers_guard = weakref.WeakValueDictionary(), threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
