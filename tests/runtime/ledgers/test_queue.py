"""The lock of the writers: fair, and whole after a wait that was broken off."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from newel.runtime.errors import InsideTransaction
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
    assert lock.acquire(0.01)
    monkeypatch.undo()
    assert not lock.acquire(0.01)
    lock.release()
    assert lock.acquire(0)


class _Seen(deque[threading.Lock]):
    """The queue of a lock, in which somebody stands up right after it was seen empty."""

    def __init__(self, comes: Callable[[], None]) -> None:
        super().__init__()
        self.comes: Callable[[], None] | None = comes

    def __len__(self) -> int:
        comes, self.comes = self.comes, None
        if comes is None:
            return super().__len__()
        comes()
        while not super().__len__():
            time.sleep(0.001)
        return 0


def test_who_comes_while_it_is_released_is_woken() -> None:
    lock, got = FairLock(), list[bool]()
    assert lock.acquire(0)
    late = threading.Thread(target=lambda: got.append(lock.acquire(5)))
    lock._waiting = _Seen(late.start)
    began = time.monotonic()
    lock.release()
    late.join()
    assert got == [True]
    assert time.monotonic() - began < 4
    assert not lock.acquire(0), "it has it"
    lock.release()
    assert lock.acquire(0)


class Inner:
    """The lock in a lock; what happens after a try that failed, and after a release, is a test's to say."""

    def __init__(self, lock: FairLock) -> None:
        self._lock = threading.Lock()
        self.refused: Callable[[], None] | None = None
        self.freed: Callable[[], None] | None = None
        inner: Any = self
        lock._lock = inner

    def acquire(self, blocking: bool = True) -> bool:
        got = self._lock.acquire(blocking)
        if not got and self.refused:
            self.refused()
        return got

    def release(self) -> None:
        self._lock.release()
        if self.freed:
            self.freed()


def test_what_is_released_before_anybody_is_seen_to_wait_is_got_at_once() -> None:
    lock = FairLock()
    inner = Inner(lock)
    assert lock.acquire(0)
    inner.refused = lock.release  # refused first; free by the time it stands in the queue
    assert lock.acquire(0)
    assert not lock._waiting
    assert lock._holder == threading.get_ident()


def test_where_the_only_one_who_waited_has_just_given_up_it_is_free() -> None:
    lock, turn = FairLock(), threading.Lock()
    assert lock.acquire(0)
    lock._waiting.append(turn)
    with lock._guard:
        releasing = threading.Thread(target=lock.release)
        releasing.start()
        while lock._holder is not None:
            time.sleep(0.001)
        time.sleep(0.1)  # by now it has seen that somebody waits, and waits for the queue
        lock._waiting.remove(turn)
    releasing.join()
    assert lock.acquire(0)


def test_where_a_third_one_was_quicker_who_waits_has_it_after_him() -> None:
    """It is released, somebody stands up in the queue, and before he can be woken a third one has taken it."""
    lock, turn = FairLock(), threading.Lock()
    inner = Inner(lock)

    def taken() -> None:
        inner.freed = None
        assert inner.acquire()
        turn.acquire()
        lock._waiting.append(turn)

    assert lock.acquire(0)
    inner.freed = taken
    lock.release()
    assert turn.locked()
    lock.release()  # the third one's
    assert not turn.locked()
    assert not lock._waiting


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


# ---------------------------------------------------------------- whom the holder waits for


def by_a_thread(work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def by_a_pool(work: Callable[[], None]) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()


def by_two(work: Callable[[], None]) -> None:
    by_a_thread(lambda: by_a_pool(work))


@pytest.mark.parametrize("way", [by_a_thread, by_a_pool, by_two])
def test_se11_who_is_waited_for_by_the_holder_is_refused_at_once(way: Callable[[Callable[[], None]], None]) -> None:
    lock, told = FairLock(), list[float]()

    def ask() -> None:
        began = time.monotonic()
        with pytest.raises(InsideTransaction, match="waits for this thread"):
            lock.acquire(60)
        told.append(time.monotonic() - began)

    assert lock.acquire(1)
    way(ask)
    assert told[0] < 10
    assert not lock._waiting
    lock.release()
    assert lock.acquire(0)


def test_who_waits_for_a_holder_that_waits_for_another_gets_it_in_time() -> None:
    """A thread that the holder joins, and which has no part in it; and one that waits meanwhile."""
    lock, got = FairLock(), list[bool]()
    other = threading.Thread(target=time.sleep, args=(0.5,))
    waiting = threading.Thread(target=lambda: got.append(lock.acquire(30)))
    assert lock.acquire(1)
    other.start()
    waiting.start()
    other.join()
    lock.release()
    waiting.join(30)
    assert got == [True]


def test_who_is_waited_for_only_for_a_while_goes_on_waiting() -> None:
    lock, got = FairLock(), list[bool]()
    waiting = threading.Thread(target=lambda: got.append(lock.acquire(30)))
    assert lock.acquire(1)
    waiting.start()
    waiting.join(0.5)
    with ThreadPoolExecutor(1) as pool:
        second = pool.submit(lock.acquire, 30)
        with pytest.raises(TimeoutError):
            second.result(0.5)
        lock.release()
        waiting.join()
        lock.release()
        assert (got, second.result()) == ([True], True)


def test_who_waits_for_work_that_nobody_has_begun_yet_gets_it_in_time() -> None:
    """The holder waits for a future of a pool whose only worker is at something else."""
    lock, got = FairLock(), list[bool]()
    waiting = threading.Thread(target=lambda: got.append(lock.acquire(30)))
    assert lock.acquire(1)
    waiting.start()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(time.sleep, 0.5)
        pool.submit(time.sleep, 0).result()
    lock.release()
    waiting.join(30)
    assert got == [True]


def test_who_lets_go_and_then_waits_for_the_next_refuses_nobody() -> None:
    lock, got = FairLock(), list[bool]()

    def take() -> None:
        got.append(lock.acquire(30))
        time.sleep(0.3)
        lock.release()

    threads = [threading.Thread(target=take) for _ in range(3)]
    assert lock.acquire(1)
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    lock.release()
    for thread in threads:
        thread.join()
    assert got == [True] * 3
