"""A lock that is given to those who wait in the order in which they came."""

from __future__ import annotations

import threading
import time
from collections import deque
from itertools import chain, repeat
from threading import get_ident

from newel.runtime.errors import InsideTransaction

_LOOKS = (0.05, 0.1, 0.2, 0.5)
"""After how many more seconds whoever waits looks whether it is waited for itself; the last one is repeated."""
_STANDSTILL = (
    "a database action, or whatever else has the transaction open, waits for this thread, and this thread for the"
    " transaction: move tasks from an outside action"
)


class FairLock:
    """Handed from hand to hand: whoever releases it gives it to the first who waits, so nobody overtakes.

    Where nobody waits it is a plain lock, and costs what one costs.
    """

    __slots__ = ("__weakref__", "_guard", "_holder", "_lock", "_waiting")

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._lock = threading.Lock()
        self._holder: int | None = None
        self._waiting: deque[threading.Lock] = deque()

    def acquire(self, timeout: float) -> bool:
        """Wait at most so many seconds; whether it was got. Raises `InsideTransaction` where whoever holds it waits for
        this thread: it would be for ever."""
        if not self._waiting and self._lock.acquire(blocking=False):
            self._holder = get_ident()
            return True
        turn = threading.Lock()
        turn.acquire()
        with self._guard:
            self._waiting.append(turn)
            # It may have been released since, by one who saw nobody wait.
            if self._waiting[0] is turn and self._lock.acquire(blocking=False):
                self._waiting.popleft()
                self._holder = get_ident()
                return True
        try:
            got = self._wait(turn, timeout) or self._withdraw(turn)
        except BaseException:
            if self._withdraw(turn):
                self.release()
            raise
        if got:
            self._holder = get_ident()
        return got

    def _wait(self, turn: threading.Lock, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        pauses = chain(_LOOKS, repeat(_LOOKS[-1]))
        while (left := deadline - time.monotonic()) > (pause := next(pauses)):
            if turn.acquire(timeout=pause):
                return True
            self._look()
        return turn.acquire(timeout=max(left, 0))

    def _look(self) -> None:
        from newel.runtime.ledgers.standstill import waits_for  # only those who wait long need it

        holder = self._holder
        if holder is not None and waits_for(holder, get_ident()) and self._holder == holder:
            raise InsideTransaction(_STANDSTILL)

    def _withdraw(self, turn: threading.Lock) -> bool:
        """Stop waiting; true where the lock was handed over in the very moment - then it is ours after all."""
        with self._guard:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return False
        return True

    def release(self) -> None:
        """Give it to the first who waits, if anybody does."""
        self._holder = None  # until whoever gets it says so
        if not self._waiting:
            self._lock.release()
            if self._waiting:  # who has come meanwhile either has it by now or is to be woken
                self._wake(free=True)
        else:
            self._wake(free=False)

    def _wake(self, *, free: bool) -> None:
        with self._guard:
            if self._waiting:
                if not free or self._lock.acquire(blocking=False):
                    self._waiting.popleft().release()
            elif not free:
                self._lock.release()
