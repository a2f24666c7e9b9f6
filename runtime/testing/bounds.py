"""Work that might never end to work that does: on a thread or in a process of its own, with a limit."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

PATIENCE = 30.0
"""Seconds after which something that has not happened is taken to hang."""

BRIEFLY = 0.1
"""Seconds that something gets to happen which must not."""


_GLANCES = 20
_MOMENT = 0.005
"""How often, and after how many seconds each, one looks whether a thread moves."""


class _TimeIsUp(BaseException):
    """What ends a thread whose time is up, where it still runs Python."""


class Aside:
    """Work on a thread of its own, begun at once; `result` waits for it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work, self._found, self._failed = work, None, list[BaseException]()
        self._thread = threading.Thread(target=self._go, daemon=True)
        self._thread.start()

    def _go(self) -> None:
        try:
            self._found = self._work()
        except BaseException as error:
            self._failed.append(error)

    def done_within(self, seconds: float) -> bool:
        """Whether it ends so soon."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def result(self, patience: float = PATIENCE) -> Any:
        """What it found; what it raised is raised here."""
        if not self.done_within(patience):
            place = self._place()
            self._end()
            raise AssertionError(f"promised: it ends within {patience:g} seconds; it is still at\n{place}")
        if self._failed:
            raise self._failed[0]
        return self._found

    def _place(self) -> str:
        frame = sys._current_frames().get(self._thread.ident or 0)
        return "".join(traceback.format_stack(frame)[-3:]) if frame else ""

    def _end(self) -> None:
        """End a loop. What waits for a lock goes on waiting, and takes nobody's time: an exception that is due there
        and never raised would hold up the threads that are traced, as for coverage."""
        if len({self._at() for _ in range(_GLANCES)}) == 1:
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(_TimeIsUp))

    def _at(self) -> tuple[int, int] | None:
        """Where it is now, after a moment."""
        time.sleep(_MOMENT)
        frame = sys._current_frames().get(self._thread.ident or 0)
        return (id(frame), frame.f_lasti) if frame else None


def together(*work: Callable[[], object]) -> None:
    """Do all of this at once, each on a thread of its own; what one of them raises is raised here."""
    gate = threading.Barrier(len(work))

    def go(one: Callable[[], object]) -> None:
        gate.wait(PATIENCE)
        one()

    begun = [Aside(lambda one=one: go(one)) for one in work]  # type: ignore[misc]  # a default says which one it is
    until = time.monotonic() + PATIENCE
    for each in begun:
        each.done_within(max(0.0, until - time.monotonic()))
    for each in begun:
        each.result(0.0)


def bounded(method: Callable[..., None]) -> Callable[..., None]:
    """A method that fails where it takes longer than its object's `patience`."""

    @wraps(method)
    def within(self: Any, *args: Any, **named: Any) -> None:
        Aside(lambda: method(self, *args, **named)).result(self.patience)

    return within


def in_child(act: Callable[[], int]) -> int:
    """What a forked child makes of it, as its exit code."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that a fork leaves behind: the child only asks, and ends
        pid = os.fork()
    if pid == 0:
        code = 99
        try:
            code = act()
        finally:
            os._exit(code)
    ended, until = 0, time.monotonic() + PATIENCE
    try:
        while time.monotonic() < until:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.005)
    finally:
        if not ended:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    raise AssertionError(f"promised: what a forked child asks is answered within {PATIENCE:g} seconds")
