"""Files dealt out to processes, and their units as they come back, in the order of the files."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from pathlib import Path

from newel.compiler.store import Store
from newel.compiler.units import Task, Tick, Unit, part

CHUNKS = 4
"""So many pieces of work a process: few enough to read a shared file seldom twice, enough that none waits long."""


def in_processes(paths: Sequence[Path], task: Task, jobs: int, tick: Tick) -> Iterator[tuple[list[Unit], list[str]]]:
    """The same as `part` of all paths, in pieces."""
    size = max(1, -(-len(paths) // (jobs * CHUNKS)))
    chunks = [paths[at : at + size] for at in range(0, len(paths), size)]
    # A fork has the vocabulary loaded; elsewhere a process begins anew.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with ProcessPoolExecutor(min(jobs, len(chunks)), context, initializer=_begin) as pool:
        futures: list[Future[tuple[list[Unit], list[str]]]] = []
        try:
            futures += [pool.submit(_work, chunk, task) for chunk in chunks]
            sizes = dict(zip(futures, map(len, chunks), strict=True))
            for future in as_completed(futures):
                future.result()
                tick(sizes[future])
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        yield from (future.result() for future in futures)


def _begin() -> None:
    """Ctrl-C goes to every process of a terminal; the one that started these ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(paths: Sequence[Path], task: Task) -> tuple[list[Unit], list[str]]:
    return part(paths, task, Store(), lambda _: None)
