"""The long runs of both fuzzers."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from random import Random

from tests.fuzz.looking import EMPTY, look
from tests.fuzz.making import ROOT, SEEDS, bytes_made, grammar_made

MEGABYTES = 200
"""So much more than at its start a process may take for any number of inputs."""
CORES = os.cpu_count() or 1


def thrown(seconds: int) -> bool:
    """Dice on every core: how many inputs were looked at, and what failed."""
    with ProcessPoolExecutor(CORES) as pool:
        results = list(pool.map(_throw, [seconds] * CORES))
    failed = [failure for _, failures, _ in results for failure in failures]
    grown = max(megabytes for _, _, megabytes in results)
    print(
        f"fuzz, thrown: {sum(count for count, _, _ in results)} inputs, {len(failed)} failed, {grown} MB more at most"
    )
    print("".join(f"FAILED {failure}\n" for failure in failed), end="", flush=True)
    return not failed and grown <= MEGABYTES


def _throw(seconds: int) -> tuple[int, list[str], int]:
    look(SEEDS[0])
    ends, count, before = time.monotonic() + seconds, 0, _megabytes()
    failures: list[str] = []
    while time.monotonic() < ends and len(failures) < 5:
        dice = Random(int.from_bytes(os.urandom(8)))  # noqa: S311 - dice of a test
        data = grammar_made(dice).encode() if dice.randrange(4) == 0 else bytes_made(dice)
        count += 1
        try:
            look(data, told=count % 8 == 0)
        except Exception as error:
            path = EMPTY / f"thrown-{sha256(data).hexdigest()[:8]}.newel"
            path.write_bytes(data)
            failures.append(f"{path.relative_to(ROOT)}: {error!r}")
    return count, failures, _megabytes() - before


def _megabytes() -> int:
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size // (1024 * 1024 if sys.platform == "darwin" else 1024)


def guided(seconds: int) -> bool:
    """The fuzzer that follows the coverage; where it cannot be had that is said, and dice are thrown instead."""
    if find_spec("atheris") is None:
        print("fuzz, guided: atheris is not to be had for this Python; dice are thrown in its time")
        return thrown(seconds)
    with tempfile.TemporaryDirectory(prefix="newel-fuzz-") as corpus:
        for number, seed in enumerate(SEEDS):
            (Path(corpus) / str(number)).write_bytes(b"\0" + seed)
        options = [
            f"-max_total_time={seconds}",
            "-timeout=10",
            "-rss_limit_mb=1500",
            f"-malloc_limit_mb={MEGABYTES}",
            "-max_len=20000",
            "-print_final_stats=1",
            f"-artifact_prefix={corpus}/",
        ]
        command = [sys.executable, str(Path(__file__).with_name("guided.py")), *options, corpus]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    figures = [line for line in done.stderr.splitlines() if line.startswith(("Done", "stat::"))]
    print("fuzz, guided: " + "; ".join(figures) if done.returncode == 0 else f"FAILED\n{done.stderr[-4000:]}")
    return done.returncode == 0
