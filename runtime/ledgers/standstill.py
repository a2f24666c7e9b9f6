"""Two threads to whether one waits for the other for ever: for its end, or for what it is to give back.

Told by where they stand in the standard library: `Thread.join` knows its thread, and `Future.result` the work that some
thread of a pool is at. A wait by any other means - an event, a queue, a loop - does not say for whom, and one with a
limit ends by itself.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures.thread import _WorkItem
from types import FrameType

_JOIN = threading.Thread.join.__code__
_RESULT = Future.result.__code__
_WORK = _WorkItem.run.__code__
_LIBRARY = frozenset({"threading", "concurrent.futures._base", "concurrent.futures.thread"})


def waits_for(thread: int, other: int) -> bool:
    """Whether a thread waits for another, be it by way of others; both by their numbers."""
    frames = sys._current_frames()
    passed: set[int] = set()
    while thread != other:
        passed.add(thread)
        awaited = _awaited(frames, thread)
        if awaited is None or awaited in passed:
            return False
        thread = awaited
    return bool(passed)


def _awaited(frames: Mapping[int, FrameType], thread: int) -> int | None:
    for frame in _stack(frames.get(thread)):
        if frame.f_globals.get("__name__") not in _LIBRARY:
            return None
        if frame.f_code in (_JOIN, _RESULT):
            awaited = frame.f_locals["self"]
            if frame.f_locals["timeout"] is not None:
                return None
            return awaited.ident if isinstance(awaited, threading.Thread) else _worker(frames, awaited)
    return None


def _worker(frames: Mapping[int, FrameType], future: object) -> int | None:
    """The thread that is at the work of a future."""
    for thread, top in frames.items():
        for frame in _stack(top):
            if frame.f_code is _WORK and frame.f_locals["self"].future is future:
                return thread
    return None


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
