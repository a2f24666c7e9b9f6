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

    __slots__ = ("__weakref__", "_guard", "_lock", "_waiting")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()

    def acquire(self, timeout: float) -> bool:
        """Wait at most so many seconds; whether it was got."""
        if not self._waiting and self._lock.acquire(blocking=False):
            return True
        turn = threading.Lock()
        turn.acquire()
        with self._guard:
            self._waiting.append(turn)
            # It may have been released since, by one who saw nobody wait.
            if self._waiting[0] is turn and self._lock.acquire(blocking=False):
                self._waiting.popleft()
                return True
        try:
            if turn.acquire(timeout=timeout):
                return True
        except BaseException:
            if self._withdraw(turn):
                self.release()
            raise
        return self._withdraw(turn)

    def _withdraw(self, turn: threading.Lock) -> bool:
        """Stop waiting; true where the lock was handed over in the very moment - then it is ours after all."""
        with self._guard:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return False
        return True

    def release(self) -> None:
        """Give it to the first who waits, if anybody does."""
        if not self._waiting:
            self._lock.release()
            if not self._waiting:
                return
            with self._guard:  # who has come meanwhile either has it by now or is to be woken
                if self._waiting and self._lock.acquire(blocking=False):
                    self._waiting.popleft().release()
            return
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._lock.release()
