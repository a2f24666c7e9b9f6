"""Pieces of work to their times, one after another in turns, so that what slows the machine slows all of them."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from statistics import median

Way = Callable[[], float]
"""Does one piece of work and tells what it took, by whatever clock suits it."""
Times = Mapping[str, list[float]]


def in_turns(rounds: int, **ways: Way) -> Times:
    """The times of each way in each round; one round before them is thrown away."""
    for way in ways.values():
        way()
    times: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds):
        names = list(ways)
        for name in names if number % 2 == 0 else reversed(names):
            gc.collect()
            times[name].append(ways[name]())
    return times


def ratio(times: Times, of: str, to: str) -> float:
    """The median of the rounds' own ratios: both parts of one round have had the same machine."""
    return median(a / b for a, b in zip(times[of], times[to], strict=True))


def cpu(work: Callable[[], object]) -> Way:
    """Measured by the processor time of this process, which other processes do not add to."""
    return lambda: _measured(work, time.process_time)


def wall(work: Callable[[], object]) -> Way:
    """Measured by the clock on the wall: for work that waits for the disk."""
    return lambda: _measured(work, time.perf_counter)


def _measured(work: Callable[[], object], clock: Callable[[], float]) -> float:
    before = clock()
    work()
    return clock() - before


def milliseconds(times: Times, *names: str) -> dict[str, float]:
    """The medians of some ways, to stand beside a figure."""
    return {f"{name} ms": 1000 * median(times[name]) for name in names}
