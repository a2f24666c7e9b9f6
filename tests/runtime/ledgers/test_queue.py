"""The lock of the writers: fair, and whole after a wait that was broken off."""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from newel.runtime.errors import InsideTransaction
from newel.runtime.ledgers.queue import FairLock, Owner

ELSEWHERE = 0
"""The number of no thread."""
RECLAIMED: list[Owner] = []


class Taker:
    """What takes a lock, in this thread or in one that is said."""

    def __init__(self, lock: FairLock, thread: int | None = None) -> None:
        self.thread = threading.get_ident() if thread is None else thread
        self.lock, self.owner = lock, weakref.ref(self)

    def takes(self, timeout: float = 0) -> bool:
        return self.lock.acquire(timeout, self.owner)

    def lets_go(self) -> None:
        self.lock.release(self.owner)


def fair() -> FairLock:
    return FairLock(RECLAIMED.append)


def pair() -> tuple[FairLock, Taker, Taker]:
    """A lock, whoever holds it elsewhere, and one who would like to."""
    lock = fair()
    holder, taker = Taker(lock, ELSEWHERE), Taker(lock)
    assert holder.takes()
    return lock, holder, taker


def test_it_is_handed_on_in_the_order_of_coming() -> None:
    lock, holder, _ = pair()
    order = list[int]()

    def wait(number: int) -> None:
        mine = Taker(lock)
        assert mine.takes(10)
        order.append(number)
        mine.lets_go()

    threads = []
    for number in range(20):
        threads.append(threading.Thread(target=wait, args=(number,)))
        threads[-1].start()
        while len(lock._waiting) <= number:
            time.sleep(0.001)
    holder.lets_go()
    for thread in threads:
        thread.join()
    assert order == list(range(20))
    assert Taker(lock).takes()


def test_a_wait_that_took_too_long_leaves_the_queue() -> None:
    lock, holder, taker = pair()
    assert not taker.takes(0.01)
    assert not lock._waiting
    holder.lets_go()
    assert taker.takes()


def test_only_who_has_it_lets_go_of_it() -> None:
    lock, holder, taker = pair()
    taker.lets_go()
    assert not taker.takes()
    holder.lets_go()
    holder.lets_go()
    assert taker.takes()
    assert list(lock._held.values()) == [taker.owner]


class Turn:
    """A lock whose wait is broken off, or runs out just as its turn is given."""

    ending: BaseException | None = None
    holder: Taker | None = None

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if not blocking:
            return False
        if timeout < 0:
            return True
        if Turn.holder is not None:
            Turn.holder.lets_go()
        if Turn.ending is not None:
            raise Turn.ending
        return False

    def release(self) -> None:
        """Its turn."""


@pytest.mark.parametrize("handed_over", [True, False])
def test_an_interrupted_wait_leaves_the_lock_to_others(monkeypatch: pytest.MonkeyPatch, handed_over: bool) -> None:
    lock, holder, taker = pair()
    monkeypatch.setattr("newel.runtime.ledgers.queue.threading", SimpleNamespace(Lock=Turn))
    monkeypatch.setattr(Turn, "ending", KeyboardInterrupt())
    monkeypatch.setattr(Turn, "holder", holder if handed_over else None)
    with pytest.raises(KeyboardInterrupt):
        taker.takes(1)
    monkeypatch.undo()
    taker.lets_go()
    holder.lets_go()
    assert not lock._waiting
    assert Taker(lock).takes()


def test_a_turn_given_in_the_moment_the_wait_runs_out_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    lock, holder, taker = pair()
    monkeypatch.setattr("newel.runtime.ledgers.queue.threading", SimpleNamespace(Lock=Turn))
    monkeypatch.setattr(Turn, "holder", holder)
    assert taker.takes(0.01)
    monkeypatch.undo()
    assert list(lock._held.values()) == [taker.owner]
    taker.lets_go()
    assert Taker(lock).takes()


class _Seen(deque[tuple[threading.Lock, Owner]]):
    """The queue of a lock, in which somebody stands up right after it was seen empty."""

    def __init__(self, comes: Callable[[], None]) -> None:
        super().__init__()
        self.comes: Callable[[], None] | None = comes

    def __len__(self) -> int:
        comes, self.comes = self.comes, None
        if comes is None:
            return super().__len__()
        comes()
        return 0


def test_who_stands_up_just_as_nobody_is_seen_to_wait_has_it() -> None:
    lock, holder, taker = pair()
    got = list[bool]()

    def comes() -> None:
        late.start()
        late.join()

    late = threading.Thread(target=lambda: got.append(taker.takes(5)))
    lock._waiting = _Seen(comes)
    began = time.monotonic()
    holder.lets_go()
    assert got == [True]
    assert time.monotonic() - began < 4
    assert list(lock._held.values()) == [taker.owner]


class Held(dict[str, Owner]):
    """By whom a lock is held; what happens after a try that failed, and after it was let go, is a test's to say."""

    def __init__(self, lock: FairLock) -> None:
        super().__init__(lock._held)
        self.refused: Callable[[], None] | None = None
        self.freed: Callable[[], None] | None = None
        lock._held = self

    def setdefault(self, key: str, owner: Any = None) -> Any:
        found = super().setdefault(key, owner)
        refused, self.refused = self.refused, None
        if found is not owner and refused:
            refused()
        return found

    def __delitem__(self, key: str) -> None:
        super().__delitem__(key)
        freed, self.freed = self.freed, None
        if freed:
            freed()


def test_what_is_released_before_anybody_is_seen_to_wait_is_got_at_once() -> None:
    lock, holder, taker = pair()
    Held(lock).refused = holder.lets_go  # refused first; free by the time it stands in the queue
    assert taker.takes()
    assert not lock._waiting


def test_where_the_only_one_who_waited_has_just_given_up_it_is_free() -> None:
    lock, holder, taker = pair()
    place = threading.Lock(), taker.owner
    lock._waiting.append(place)
    with lock._guard:
        releasing = threading.Thread(target=holder.lets_go)
        releasing.start()
        while lock._held:
            time.sleep(0.001)
        time.sleep(0.1)  # by now it has seen that somebody waits, and waits for the queue
        lock._waiting.remove(place)
    releasing.join()
    assert Taker(lock).takes()


def test_where_a_third_one_was_quicker_who_waits_has_it_after_him() -> None:
    """It is released, somebody stands up in the queue, and before he can be woken a third one has taken it."""
    lock, holder, taker = pair()
    third, turn = Taker(lock, ELSEWHERE), threading.Lock()

    def taken() -> None:
        assert third.takes()
        turn.acquire()
        lock._waiting.append((turn, taker.owner))

    Held(lock).freed = taken
    holder.lets_go()
    assert turn.locked()
    third.lets_go()
    assert not turn.locked()
    assert not lock._waiting
    assert lock._held == {"holder": taker.owner}


def test_one_holds_it_at_a_time() -> None:
    lock, inside, most = fair(), [0], [0]

    def work() -> None:
        for _ in range(200):
            mine = Taker(lock)
            assert mine.takes(10)
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            inside[0] -= 1
            mine.lets_go()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


# ---------------------------------------------------------------- left by one that is no more


def test_what_was_left_is_taken_at_once() -> None:
    lock, holder, taker = pair()
    left = holder.owner
    del holder
    assert taker.takes()
    assert list(lock._held.values()) == [taker.owner]
    assert RECLAIMED[-1] is left, "and what it had begun is ended"


def test_what_is_left_while_others_wait_goes_on_in_their_order() -> None:
    lock, holder, _ = pair()
    order = list[int]()

    def wait(number: int) -> None:
        mine = Taker(lock)
        assert mine.takes(30)
        order.append(number)
        if number:  # the first leaves it, too
            mine.lets_go()

    threads = []
    for number in range(4):
        threads.append(threading.Thread(target=wait, args=(number,)))
        threads[-1].start()
        while len(lock._waiting) <= number:
            time.sleep(0.001)
    del holder
    for thread in threads:
        thread.join(5)
    assert order == list(range(4))


def test_who_left_the_queue_without_a_word_is_passed_over() -> None:
    lock, holder, taker = pair()
    gone = Taker(lock)
    lock._waiting.append((threading.Lock(), gone.owner))
    del gone
    holder.lets_go()
    assert taker.takes()
    assert not lock._waiting


def test_what_was_let_go_of_and_not_handed_on_is_found() -> None:
    """Whoever let go was interrupted before it could wake the first; or had just made it the first's."""
    lock, _holder, taker = pair()
    second, turn = Taker(lock), threading.Lock()
    got = list[bool]()
    waiting = threading.Thread(target=lambda: got.append(taker.takes(30)))
    waiting.start()
    while not lock._waiting:
        time.sleep(0.001)
    lock._held.clear()
    waiting.join(5)
    assert got == [True]

    turn.acquire()
    lock._held["holder"] = second.owner
    assert lock._look(second.owner), "though its turn was not told"


def test_what_another_finds_left_in_the_same_moment_is_his() -> None:
    lock, holder, taker = pair()
    other, waiting = Taker(lock, ELSEWHERE), list[bool]()
    del holder

    def look() -> None:
        waiting.append(lock._look(taker.owner))

    with lock._guard:
        looking = threading.Thread(target=look)
        looking.start()
        time.sleep(0.1)  # by now it has found it left, and waits for the queue
        lock._held["holder"] = other.owner
    looking.join()
    assert waiting == [False]
    assert list(lock._held.values()) == [other.owner]


def test_se11_a_thread_does_not_wait_for_itself() -> None:
    lock = fair()
    first, second = Taker(lock), Taker(lock)
    assert first.takes()
    began = time.monotonic()
    with pytest.raises(InsideTransaction):
        second.takes(60)
    assert time.monotonic() - began < 10
    assert not lock._waiting
    first.lets_go()
    assert second.takes()


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
    lock, told = fair(), list[float]()
    mine = Taker(lock)

    def ask() -> None:
        began = time.monotonic()
        with pytest.raises(InsideTransaction, match="waits for this thread"):
            Taker(lock).takes(60)
        told.append(time.monotonic() - began)

    assert mine.takes(1)
    way(ask)
    assert told[0] < 10
    assert not lock._waiting
    mine.lets_go()
    assert Taker(lock).takes()


def test_who_waits_for_a_holder_that_waits_for_another_gets_it_in_time() -> None:
    """A thread that the holder joins, and which has no part in it; and one that waits meanwhile."""
    lock, got = fair(), list[bool]()
    mine = Taker(lock)
    other = threading.Thread(target=time.sleep, args=(0.5,))
    waiting = threading.Thread(target=lambda: got.append(Taker(lock).takes(30)))
    assert mine.takes(1)
    other.start()
    waiting.start()
    other.join()
    mine.lets_go()
    waiting.join(30)
    assert got == [True]


def test_who_is_waited_for_only_for_a_while_goes_on_waiting() -> None:
    lock, got = fair(), list[bool]()
    mine, late = Taker(lock), Taker(lock, ELSEWHERE)
    waiting = threading.Thread(target=lambda: got.append(late.takes(30)))
    assert mine.takes(1)
    waiting.start()
    waiting.join(0.5)
    with ThreadPoolExecutor(1) as pool:
        other = Taker(lock, ELSEWHERE)
        second = pool.submit(other.takes, 30)
        with pytest.raises(TimeoutError):
            second.result(0.5)
        mine.lets_go()
        waiting.join()
        late.lets_go()
        assert (got, second.result()) == ([True], True)


def test_who_waits_for_work_that_nobody_has_begun_yet_gets_it_in_time() -> None:
    """The holder waits for a future of a pool whose only worker is at something else."""
    lock, got = fair(), list[bool]()
    mine = Taker(lock)
    waiting = threading.Thread(target=lambda: got.append(Taker(lock).takes(30)))
    assert mine.takes(1)
    waiting.start()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(time.sleep, 0.5)
        pool.submit(time.sleep, 0).result()
    mine.lets_go()
    waiting.join(30)
    assert got == [True]


def test_who_lets_go_and_then_waits_for_the_next_refuses_nobody() -> None:
    lock, got = fair(), list[bool]()
    mine = Taker(lock)

    def take() -> None:
        other = Taker(lock)
        got.append(other.takes(30))
        time.sleep(0.3)
        other.lets_go()

    threads = [threading.Thread(target=take) for _ in range(3)]
    assert mine.takes(1)
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    mine.lets_go()
    for thread in threads:
        thread.join()
    assert got == [True] * 3
