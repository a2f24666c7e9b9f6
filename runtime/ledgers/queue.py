"""A lock that is given to those who wait in the order in which they came."""

from __future__ import annotations

import threading
from collections import deque


class FairLock:
    """Handed from hand to hand: whoever releases it gives it to the first who waits, so nobody overtakes."""

    __slots__ = ("__weakref__", "_guard", "_held", "_waiting")

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held = False
        self._waiting: deque[threading.Lock] = deque()

    def acquire(self, timeout: float) -> bool:
        """Wait at most so many seconds; whether it was got."""
        with self._guard:
            if not self._held:
                self._held = True
                return True
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
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
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._held = False
