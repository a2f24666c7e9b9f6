"""Closing while calls are in their threads: it waits for them, and for nobody who waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from newel.runtime.aio import AsyncService
from newel.runtime.errors import LedgerUnavailable
from newel.runtime.outcomes import Outcome
from tests.runtime.boards import AGENTS, Make, Rig, board, entering

PROGRAM = board(b=entering("page", 'note_it(text="in b")', "queue_run(target=ceo_agent)"))
SECONDS = 20


@pytest.fixture
def desk(make: Make) -> Rig:
    """Tasks A and B at the start; whoever enters `b` sets off an outside action, a database action and a run."""
    rig = make(PROGRAM, agents=AGENTS)
    for name in ("A", "B"):
        rig.service.create(name, "w")
    return rig


class Gate:
    """An outside action that has begun and waits until it is let go."""

    def __init__(self, rig: Rig) -> None:
        self.began, self.free = threading.Event(), threading.Event()
        rig.on_page = self._page

    def _page(self, action: Any, context: Any) -> None:
        self.began.set()
        assert self.free.wait(SECONDS)

    async def reached(self) -> None:
        assert await asyncio.to_thread(self.began.wait, SECONDS)


def ran(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run it, and fail where it hangs."""
    asyncio.run(asyncio.wait_for(main(), SECONDS))


def whole(rig: Rig, *tasks: str) -> bool:
    """Whether each of the tasks has entered `b` with all that belongs to it, as a service opened anew sees it."""
    seen = rig.again()
    try:
        entered = [seen.service.task(task).step for task in tasks] == ["b"] * len(tasks)
        runs = sorted(run.task for run in seen.service.runs()) == sorted(tasks)
        audit = seen.service.audit()
        return entered and runs and audit.clean and not audit.notes
    finally:
        seen.close()


@pytest.mark.parametrize("cancelled", [False, True])
def test_close_waits_for_a_call_also_where_its_await_was_cancelled(desk: Rig, cancelled: bool) -> None:
    async def main() -> None:
        gate = Gate(desk)
        async with AsyncService(desk.service) as service:
            call = asyncio.create_task(service.move("A", "b"))
            await gate.reached()
            if cancelled:
                call.cancel()
            asyncio.get_running_loop().call_later(0.1, gate.free.set)
        assert gate.free.is_set()  # the loop went on while it was waited for
        if not cancelled:
            assert (await call).to_step == "b"
        with pytest.raises(LedgerUnavailable, match="closed"):
            await service.task("A")

    ran(main)
    assert whole(desk, "A")


def test_a_close_whose_await_is_cancelled_closes_when_the_last_call_has_ended(desk: Rig) -> None:
    async def main() -> None:
        gate, service = Gate(desk), AsyncService(desk.service)
        call = asyncio.create_task(service.move("A", "b"))
        await gate.reached()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(service.close(), 0.05)
        gate.free.set()
        assert (await call).to_step == "b"
        with pytest.raises(LedgerUnavailable, match="closed"):
            while True:
                await service.task("A")

    ran(main)
    assert whole(desk, "A")


def test_what_is_called_while_it_closes_is_refused_and_does_nothing(desk: Rig) -> None:
    async def main() -> None:
        gate, service = Gate(desk), AsyncService(desk.service)
        call = asyncio.create_task(service.move("A", "b"))
        await gate.reached()
        closing = asyncio.create_task(service.close())
        with pytest.raises(LedgerUnavailable, match="being closed"):
            while True:  # until the closing has begun
                await service.task("B")
        with pytest.raises(LedgerUnavailable, match="being closed"):
            await service.move("B", "b")
        gate.free.set()
        await asyncio.gather(call, closing)

    ran(main)
    assert whole(desk, "A")


def test_a_handler_may_call_while_its_own_call_is_waited_for(desk: Rig) -> None:
    """Else it would fail, though the ledger is open as long as it runs."""

    async def main() -> None:
        service, loop = AsyncService(desk.service), asyncio.get_running_loop()
        began, seen = threading.Event(), list[Any]()

        def page(action: Any, context: Any) -> None:
            began.set()
            assert closes.wait(SECONDS)
            seen.append(asyncio.run_coroutine_threadsafe(service.task("A"), loop).result(SECONDS).step)

        desk.on_page, closes = page, threading.Event()
        call = asyncio.create_task(service.move("A", "b"))
        await asyncio.to_thread(began.wait, SECONDS)
        closing = asyncio.create_task(service.close())
        with pytest.raises(LedgerUnavailable, match="being closed"):
            while True:
                await service.task("B")
        closes.set()
        await asyncio.gather(call, closing)
        assert seen == ["b"]

    ran(main)
    assert whole(desk, "A")


@pytest.mark.parametrize("workers", [1, 2])
def test_handlers_that_ask_the_service_wait_for_no_thread_of_the_loop(desk: Rig, workers: int) -> None:
    """As many calls as there are threads, each of which makes another before it ends."""
    tasks = ("A", "B")[:workers]
    together = threading.Barrier(workers)

    async def main() -> None:
        service, loop = AsyncService(desk.service), asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(workers))

        def page(action: Any, context: Any) -> None:
            together.wait(SECONDS)
            asyncio.run_coroutine_threadsafe(service.task(context.task), loop).result(SECONDS)

        desk.on_page = page
        outcomes = await asyncio.gather(*(service.move(task, "b") for task in tasks))
        assert [outcome.moved for outcome in outcomes] == [True] * workers
        await service.close()

    ran(main)
    assert whole(desk, *tasks)


@pytest.mark.parametrize("workers", [1, 2, 6])
def test_handlers_that_close_wait_neither_for_themselves_nor_for_each_other(desk: Rig, workers: int) -> None:
    """Also where the calls have taken every thread of the loop."""
    tasks = ("A", "B")[: min(workers, 2)]
    together = threading.Barrier(len(tasks))

    async def main() -> None:
        service, loop = AsyncService(desk.service), asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(workers))

        def page(action: Any, context: Any) -> None:
            together.wait(SECONDS)
            asyncio.run_coroutine_threadsafe(service.close(), loop).result(SECONDS)

        desk.on_page = page
        calls = [asyncio.create_task(service.move(task, "b")) for task in tasks]
        await asyncio.gather(*calls, return_exceptions=True)
        with pytest.raises(LedgerUnavailable, match="closed"):
            await service.task("A")

    ran(main)


def test_close_does_not_wait_for_a_call_that_was_cancelled_before_its_thread_began(desk: Rig) -> None:
    """It never begins, and nothing of it happens."""

    async def main() -> None:
        gate, service = Gate(desk), AsyncService(desk.service)
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        first = asyncio.create_task(service.move("A", "b"))
        while not gate.began.is_set():
            await asyncio.sleep(0.01)
        second = asyncio.create_task(service.move("B", "b"))
        await asyncio.sleep(0)
        second.cancel()
        asyncio.get_running_loop().call_later(0.05, gate.free.set)
        await service.close()
        assert isinstance((await asyncio.gather(first, second, return_exceptions=True))[0], Outcome)

    ran(main)
    assert whole(desk, "A")
