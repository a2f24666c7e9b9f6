"""The lock of the writers: fair, and whole after a wait that was broken off."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

from newel.runtime.ledgers.queue import FairLock


def test_it_is_handed_on_in_the_order_of_coming() -> None:
    lock, order = FairLock(), []

    def wait(number: int) -> None:
        assert lock.acquire(10)
        order.append(number)
        lock.release()

    assert lock.acquire(1)
    threads = []
    for number in range(20):
        threads.append(threading.Thread(target=wait, args=(number,)))
        threads[-1].start()
        while len(lock._waiting) <= number:
            time.sleep(0.001)
    lock.release()
    for thread in threads:
        thread.join()
    assert order == list(range(20))
    assert lock.acquire(0)


def test_a_wait_that_took_too_long_leaves_the_queue() -> None:
    lock = FairLock()
    assert lock.acquire(1)
    assert not lock.acquire(0.01)
    lock.release()
    assert lock.acquire(0)


class Turn:
    """A lock whose wait is broken off, or runs out just as its turn is given."""

    ending: BaseException | None = None
    lock: FairLock | None = None

    def acquire(self, timeout: float = -1) -> bool:
        if timeout < 0:
            return True
        if Turn.lock is not None:
            Turn.lock.release()
        if Turn.ending is not None:
            raise Turn.ending
        return False

    def release(self) -> None:
        """Its turn."""


@pytest.mark.parametrize("handed_over", [True, False])
def test_an_interrupted_wait_leaves_the_lock_to_others(monkeypatch: pytest.MonkeyPatch, handed_over: bool) -> None:
    lock = FairLock()
    assert lock.acquire(1)
    monkeypatch.setattr("newel.runtime.ledgers.queue.threading", SimpleNamespace(Lock=Turn))
    monkeypatch.setattr(Turn, "ending", KeyboardInterrupt())
    monkeypatch.setattr(Turn, "lock", lock if handed_over else None)
    with pytest.raises(KeyboardInterrupt):
        lock.acquire(1)
    monkeypatch.undo()
    if not handed_over:
        lock.release()
    assert lock.acquire(0)


def test_a_turn_given_in_the_moment_the_wait_runs_out_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    lock = FairLock()
    assert lock.acquire(1)
    monkeypatch.setattr("newel.runtime.ledgers.queue.threading", SimpleNamespace(Lock=Turn))
    monkeypatch.setattr(Turn, "lock", lock)
    assert lock.acquire(1)
    monkeypatch.undo()
    assert not lock.acquire(0.01)
    lock.release()
    assert lock.acquire(0)


def test_one_holds_it_at_a_time() -> None:
    lock, inside, most = FairLock(), [0], [0]

    def work(_: Any) -> None:
        for _ in range(200):
            assert lock.acquire(10)
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            inside[0] -= 1
            lock.release()

    threads = [threading.Thread(target=work, args=(None,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]
