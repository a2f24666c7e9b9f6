"""An exception out of the blue - Ctrl-C, a signal that raises - in every moment in which Python may raise one."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, cast

import pytest

from newel.runtime.errors import LedgerUnavailable
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.sqlite import SqliteLedger
from tests.runtime.ledgers.test_sqlite import arrive

SOON = 2.0

# one that strikes while an object is cleared away is told on the side, and kept from nobody's use
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(params=["memory:", "file"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteLedger]:
    url = f"sqlite:///{tmp_path}/t.db?synchronous=NORMAL&timeout=8" if request.param == "file" else "memory:"
    ledger = cast("SqliteLedger", open_ledger(url))
    yield ledger
    ledger.close()


def struck(moment: int, act: Callable[[], object]) -> bool:
    """Do something that is interrupted at the nth moment; whether there was an nth.

    Python looks for signals as a function begins and when one that is written in C has returned; a profiler is called
    just there, and what it raises comes out as it would from a signal's handler.
    """
    left = moment

    def profile(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal left
        if event in {"call", "c_return"}:
            left -= 1
            if left < 0:
                raise KeyboardInterrupt

    try:
        sys.setprofile(profile)
        act()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return left < 0


def strike_everywhere(ledger: SqliteLedger, act: Callable[[], object]) -> int:
    """Interrupt it in each moment, and write after each; how many moments there were."""
    steps = count()

    def write() -> None:
        arrive(ledger, "T", f"s{next(steps)}")

    for moment in count():
        if not struck(moment, act):
            return moment
        began = time.monotonic()
        in_another_thread(write)
        write()
        assert time.monotonic() - began < SOON, f"at moment {moment}"
    raise AssertionError


def in_another_thread(act: Callable[[], object]) -> None:
    failed = list[BaseException]()

    def run() -> None:
        try:
            act()
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


def test_sl5_a_write_that_is_interrupted_in_any_moment_leaves_the_ledger_to_all(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "start")

    def write() -> None:
        with ledger.transaction() as tx:
            tx.execute("CREATE TABLE IF NOT EXISTS mine(x)")
            tx.execute("INSERT INTO mine VALUES (1)")

    moments = strike_everywhere(ledger, write)
    assert moments > 40
    with ledger.read() as view:
        assert len(view.history("T")) == 1 + 2 * moments
        assert view.execute("SELECT * FROM pragma_integrity_check") == [("ok",)]


def test_sl5_a_write_that_fails_and_is_interrupted_leaves_the_ledger_to_all(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "start")

    def write() -> None:
        with suppress(ZeroDivisionError), ledger.transaction() as tx:
            tx.add_task("never")
            raise ZeroDivisionError

    assert strike_everywhere(ledger, write) > 20
    with ledger.read() as view:
        assert view.task("never") is None


def test_sl5_a_view_that_is_interrupted_in_any_moment_leaves_the_ledger_to_all(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "start")

    def look() -> None:
        with ledger.read() as view:
            view.task("T")

    assert strike_everywhere(ledger, look) > 20


def test_sl5_a_wait_that_is_interrupted_in_any_moment_leaves_the_ledger_to_all(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "start")

    def write() -> None:
        with ledger.transaction():
            pass

    held, threads = threading.Event(), list[threading.Thread]()

    def hold() -> None:
        with ledger.transaction():
            held.set()
            time.sleep(0.01)

    moment = 0
    while True:
        held.clear()
        threads.append(threading.Thread(target=hold))
        threads[-1].start()
        held.wait()
        there = struck(moment, write)
        began = time.monotonic()
        in_another_thread(write)
        write()
        assert time.monotonic() - began < SOON, f"at moment {moment}"
        moment += 1
        if not there:
            break
    assert moment > 30
    for thread in threads:
        thread.join()


def test_sl5_an_end_that_is_interrupted_in_any_moment_wakes_who_waits(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "start")

    def moment_of(moment: int) -> bool:
        manager = ledger.transaction()
        manager.__enter__()
        waiting = threading.Thread(target=lambda: arrive(ledger, "T", f"w{moment}"))
        waiting.start()
        while not ledger._writer._waiting:
            time.sleep(0.001)
        ends = [manager]
        del manager
        there = struck(moment, lambda: ends.pop().__exit__(None, None, None))
        ends.clear()
        began = time.monotonic()
        waiting.join()
        assert time.monotonic() - began < SOON, f"at moment {moment}"
        return there

    moment = 0
    while moment_of(moment):
        arrive(ledger, "T", f"s{moment}")
        moment += 1
    assert moment > 10
    with ledger.read() as view:
        assert len(view.history("T")) == 2 + 2 * moment


def test_sl5_an_end_that_is_interrupted_twice_is_found_once_its_error_is_gone(ledger: SqliteLedger) -> None:
    arrive(ledger, "T", "start")
    ledger._check_in = None  # type: ignore[method-assign,assignment]  # fails, and fails again
    with suppress(TypeError):
        arrive(ledger, "T", "lost")
    del ledger._check_in
    in_another_thread(lambda: arrive(ledger, "T", "a"))
    arrive(ledger, "T", "b")


def test_sl5_a_ledger_without_a_file_that_is_closed_while_its_connection_is_lost_says_so() -> None:
    ledger = cast("SqliteLedger", open_ledger("memory:"))
    ledger._idle.clear()
    assert arrive(ledger, "T", "a") == 1, "it is kept"
    ledger._idle.clear()
    ledger.close()
    with pytest.raises(LedgerUnavailable, match="closed"):
        arrive(ledger, "T", "b")
