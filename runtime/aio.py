"""A service to the same service for callers that await: each call runs in a worker thread.

Handlers stay plain functions, and the entry has run when the `await` returns. A cancelled `await` does not undo what
its thread has begun: ask `task` where the task stands; `close` waits for it. The caller's context goes along, so that
`cause` works as ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial, wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from newel.compiler.program import Program
from newel.runtime.inflight import Ended, InFlight
from newel.runtime.operations import OperationLedger
from newel.runtime.service import Service

P = ParamSpec("P")
R = TypeVar("R")


def _threaded(
    method: Callable[Concatenate[Service, P], R],
) -> Callable[Concatenate[AsyncService, P], Coroutine[Any, Any, R]]:
    """The method as a coroutine, with its signature and its docstring."""

    @wraps(method)
    async def call(self: AsyncService, /, *args: P.args, **kwargs: P.kwargs) -> R:
        bound: Callable[P, R] = getattr(self.service, method.__name__)  # a subclass may have its own
        one = self._calls.made()
        try:
            work = partial(self._calls.run, one, partial(bound, *args, **kwargs))
            # One made inside another would wait for a thread that may be free only after it.
            ended = await (_in_own_thread(work) if one.inside else asyncio.to_thread(work))
        finally:
            self._calls.left(one)
        return ended.result()  # a StopIteration comes out of a coroutine as the cause of a RuntimeError

    return call


async def _in_own_thread(work: Callable[[], R]) -> R:
    """Do it in a thread that is not one of the loop's, which may all be taken, and in this context."""
    own = ThreadPoolExecutor(1, "newel-own")
    try:
        return await asyncio.get_running_loop().run_in_executor(own, copy_context().run, work)
    finally:
        own.shutdown(wait=False)


class AsyncService:
    """The methods of a service as coroutines. Share one among tasks; `service` is the one behind it."""

    def __init__(self, service: Service, /) -> None:
        self.service = service
        self._calls = InFlight()

    @property
    def program(self) -> Program:
        """The program that calls run now."""
        return self.service.program

    @property
    def operations(self) -> OperationLedger:
        """The deliveries that were applied in this process."""
        return self.service.operations

    cause = staticmethod(Service.cause)

    create = _threaded(Service.create)
    move = _threaded(Service.move)
    move_many = _threaded(Service.move_many)
    pull = _threaded(Service.pull)
    switch = _threaded(Service.switch)
    detach = _threaded(Service.detach)
    redispatch = _threaded(Service.redispatch)

    handle = _threaded(Service.handle)
    children_completed = _threaded(Service.children_completed)
    decide = _threaded(Service.decide)
    approve = _threaded(Service.approve)
    reject = _threaded(Service.reject)

    task = _threaded(Service.task)
    tasks = _threaded(Service.tasks)
    history = _threaded(Service.history)
    entry = _threaded(Service.entry)
    seats = _threaded(Service.seats)
    decisions = _threaded(Service.decisions)
    approvals = _threaded(Service.approvals)
    approval = _threaded(Service.approval)
    runs = _threaded(Service.runs)
    audit = _threaded(Service.audit)
    unwired = _threaded(Service.unwired)
    unwired_at = _threaded(Service.unwired_at)

    seat = _threaded(Service.seat)
    unseat = _threaded(Service.unseat)
    claim_runs = _threaded(Service.claim_runs)
    finish_run = _threaded(Service.finish_run)
    remove = _threaded(Service.remove)
    reorder = _threaded(Service.reorder)

    set_program = _threaded(Service.set_program)
    set_ledger = _threaded(Service.set_ledger)
    set_handlers = _threaded(Service.set_handlers)
    set_agents = _threaded(Service.set_agents)
    set_sessions = _threaded(Service.set_sessions)
    set_observer = _threaded(Service.set_observer)

    async def close(self) -> None:
        """Close the ledger once every call has ended, those too whose `await` was cancelled.

        What is called meanwhile raises `LedgerUnavailable`. When this `await` is cancelled the ledger is closed all the
        same, as soon as the last call has ended. A handler may close, too: the call that it belongs to is not waited
        for, and finds the ledger closed.
        """
        ended = await _in_own_thread(self._close)
        ended.result()

    def _close(self) -> Ended[None]:
        with self._calls.ended():
            return Ended.of(self.service.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
