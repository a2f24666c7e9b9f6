"""The command line as whole processes, against what Python itself and Lark take to start."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.benchmarks.figures import Figure
from tests.benchmarks.texts import lines
from tests.benchmarks.timing import in_turns, ratio

NEWEL = str(Path(sys.executable).with_name("newel"))
ROUNDS = 21


@contextmanager
def at_home() -> Iterator[Callable[[list[str]], tuple[float, float]]]:
    """A way to run Python with arguments and to tell its processor time and its time on the wall. It has a home of its
    own, where compiled modules and tables are kept as they are on a user's machine."""
    with tempfile.TemporaryDirectory(prefix="newel-bench-") as home:
        kept = {"XDG_CACHE_HOME": home, "PYTHONPYCACHEPREFIX": f"{home}/compiled"}
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | kept

        def run(arguments: list[str]) -> tuple[float, float]:
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            subprocess.run([sys.executable, *arguments], cwd=home, env=env, stdout=subprocess.DEVNULL, check=True)
            wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall

        yield run


def _figure(number: str, what: str, bar: float, ours: list[str], floor: list[str], text: str = "") -> Figure:
    walls: dict[str, list[float]] = {"ours": [], "floor": []}
    with at_home() as run, tempfile.NamedTemporaryFile("w", suffix=".newel") as file:
        file.write(text)
        file.flush()

        def way(name: str, arguments: list[str]) -> Callable[[], float]:
            def once() -> float:
                cpu, wall = run([file.name if each == "FILE" else each for each in arguments])
                walls[name].append(wall)
                return cpu

            return once

        times = in_turns(ROUNDS, ours=way("ours", ours), floor=way("floor", floor))
    beside = {f"{name} cpu ms": 1000 * median(times[name]) for name in times}
    beside |= {f"{name} wall ms": 1000 * median(walls[name]) for name in walls}
    beside["wall ratio"] = median(a / b for a, b in zip(walls["ours"], walls["floor"], strict=True))
    return Figure(number, what, ratio(times, "ours", "floor"), bar, beside=beside)


def check() -> Figure:
    """`newel check` of one file of 150 lines."""
    what = "newel check of 150 lines, processor time of the process, to python -c 'import lark'"
    return _figure("P1", what, 2.0, [NEWEL, "check", "FILE"], ["-c", "import lark"], lines(150))


def version() -> Figure:
    """`newel --version`."""
    what = "newel --version, processor time of the process, to python -c pass"
    return _figure("P1b", what, 4.0, [NEWEL, "--version"], ["-c", "pass"])
