"""The long runs: `make torture`, or `make torture ARGS="fuzz"` for one part, or `make torture ARGS="SE3 OL1"` for the
edits of some lines of the contract.

Each part prints its figures; the whole exits 1 on a missed bar.
"""

from __future__ import annotations

import logging
import math
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Protocol

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests import postgres
from tests.crash.acts import ACTS
from tests.crash.disk import faults, full, shimmed
from tests.crash.dying import Figures, crashes
from tests.crash.hosting import Store, in_memory, prepare
from tests.crash.killing import kills
from tests.crash.power import power
from tests.crash.restarting import restarts
from tests.postgres import own_folder
from tests.promises.edits import Edit, broken, edits
from tests.runtime.ledgers.hot import LIMIT
from tests.runtime.ledgers.test_hot import moved_about
from tests.runtime.machine import Board, sequences
from tests.runtime.reach import NOTICED, noticed, within_reach


class Shown(Protocol):
    """Figures that print themselves."""

    wrong: list[str]


FAILED = 1  # pytest: tests ran and some failed; anything else means the edit broke more than the promise


def promises(lines: list[str]) -> bool:
    """Break every promise in a copy of the project: the tests of its line must fail there."""
    chosen = [edit for edit in edits() if not lines or edit.line in lines]
    with tempfile.TemporaryDirectory(prefix="newel-broken-") as folder:

        def one(edit: Edit) -> tuple[Edit, int, str]:
            done = broken(edit, Path(folder))
            return edit, done.returncode, done.stdout[-2000:] + done.stderr[-2000:]

        missed = 0
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for edit, code, said in pool.map(one, chosen):
                caught = code == FAILED
                missed += not caught
                print(f"{'caught' if caught else 'MISSED'}  {edit.line:5} {edit.file}: {edit.why}", flush=True)
                if not caught:
                    print(said, flush=True)
    print(f"promises: {len(chosen) - missed} of {len(chosen)} edits caught")
    return missed == 0


def mutants() -> bool:
    """R17: small changes of the step entry and the operation ledger, nine of ten of which the tests must notice."""
    from tests.promises.mutation import mutation

    return mutation()


def fuzz(seconds: int) -> bool:
    """R11: the compiler under two fuzzers for so long, one that throws dice and one that follows the coverage."""
    from tests.fuzz.torture import guided, thrown

    return all([thrown(seconds // 2), guided(seconds // 2)])


def _shown(figures: object, wrong: list[str], of: str) -> bool:
    print(f"{of}: {figures}", flush=True)
    print("".join(f"WRONG {what}\n" for what in wrong[:20]), end="", flush=True)
    return not wrong


def _stores(made: Callable[[Store, int], Shown], sizes: tuple[int, int], of: str) -> bool:
    """The same on an SQLite file and on a PostgreSQL."""
    done = []
    with in_memory() as folder, postgres.server(own_folder()) as server:
        urls = f"sqlite:///{folder}/a.db", postgres.fresh(f"{server.get_uri()}&application_name=torture-{os.getpid()}")
        for url, size, name in zip(urls, sizes, ("SQLite", "PostgreSQL"), strict=True):
            prepare(url)
            figures = made(Store(url, folder / f"marks of {name}"), size)
            done.append(_shown(figures, figures.wrong, f"{of}, {name}"))
    return all(done)


def _crashes_of(act: str, url: str, marks: Path, runs: int) -> Figures:
    prepare(url)
    return crashes(Store(url, marks), runs, [act])


def crash(size: float) -> bool:
    """R1: every call cut off at every point of it, each call on a ledger of its own."""
    runs, found = math.ceil(200 * size), {"SQLite": Figures(), "PostgreSQL": Figures()}
    with in_memory() as folder, postgres.server(own_folder()) as server, ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = {}
        for store, act in product(found, ACTS):
            sqlite = store == "SQLite"
            url = f"sqlite:///{folder}/{act}.db" if sqlite else postgres.fresh(server.get_uri())
            jobs[pool.submit(_crashes_of, act, url, folder / f"{store} {act}", runs)] = store, act
        for job in as_completed(jobs):
            store, act = jobs[job]
            _shown(job.result(), job.result().wrong, f"crash, {store}, {act}")
            found[store] += job.result()
    return all(_shown(figures, figures.wrong, f"crash, {store}") for store, figures in found.items())


def kill(size: float) -> bool:
    """R2: random kills."""
    return _stores(kills, (math.ceil(5000 * size), math.ceil(1000 * size)), "kill")


def races(size: float) -> bool:
    """R5: many processes, three tasks; then six tasks and a step with two places."""
    done = []
    with tempfile.TemporaryDirectory() as folder, postgres.server(own_folder()) as server:
        for which in ("few", "crowd"):
            for store, processes in (("SQLite", 8), ("PostgreSQL", 16)):
                there = f"sqlite:///{folder}/{which}.db"
                url = there if store == "SQLite" else postgres.fresh(server.get_uri(), durable=True)
                said, wrong = moved_about(url, processes, max(60 * size, 2), which)
                waits = f"median {said['median'] * 1000:.1f} ms, longest {said['longest'] * 1000:.0f} ms"
                figures = f"{processes} processes, {said['calls']} calls, {said['lost']} abandoned, {waits}"
                if which == "crowd":
                    figures += f"; {said['queued']} waited for a place, at most {said['most']} of {LIMIT} were taken"
                done.append(_shown(figures, wrong, f"races, {store}, {which}"))
    return all(done)


def lost_power(size: float) -> bool:
    """R7."""
    with in_memory() as folder:
        figures = power(folder, math.ceil(50_000 * size))
    return _shown(figures, figures.wrong, "power")


def disk(size: float) -> bool:
    """R8."""
    logging.disable()
    with in_memory() as folder:
        found = {"full": faults(folder, math.ceil(400 * size), full), "failing": shimmed(math.ceil(400 * size))}
    done = [_shown(f or "no C compiler", f.wrong if f else [], f"disk, {name}") for name, f in found.items()]
    return all(done)


def restart(size: float) -> bool:
    """R9."""
    logging.disable()
    figures = restarts(own_folder(), math.ceil(100 * size))
    return _shown(figures, figures.wrong, "restart")


def _sequences_on(ledger: str, server: str, examples: int) -> Counter[str]:
    logging.disable()
    with in_memory() as folder:
        opened: dict[str, Callable[[], Any]] = {
            "memory": lambda: Board.open_url("memory:"),
            "SQLite": lambda: Board.open_file(folder),
            "PostgreSQL": lambda: Board.open_url(postgres.emptied(server, 1)),
            "plain Python": Board.open_plain,
        }
        return sequences(opened[ledger], examples, 50)


def model(size: float) -> bool:
    """R10: the sequences of calls, on every ledger; each five hundred have a process of their own."""
    whole = math.ceil(10_000 * size)
    with postgres.server(own_folder()) as server, ProcessPoolExecutor(os.cpu_count(), max_tasks_per_child=1) as pool:
        for ledger in ("memory", "SQLite", "PostgreSQL", "plain Python"):
            parts = [min(500, whole - done) for done in range(0, whole, 500)]
            calls: Counter[str] = Counter()
            for came_to in pool.map(partial(_sequences_on, ledger, server.get_uri()), parts):
                calls += came_to
            print(f"model, {ledger}: {whole} sequences, {dict(calls)}", flush=True)
    return True


def reach(size: float) -> bool:
    """R10: what the state machine is worth; each edit in its reach is noticed."""
    chosen = within_reach()
    missed = 0
    with tempfile.TemporaryDirectory(prefix="newel-reach-") as folder, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for edit, done in pool.map(lambda edit: (edit, noticed(edit, Path(folder), math.ceil(2000 * size))), chosen):
            missed += done.returncode != NOTICED
            how = "noticed" if done.returncode == NOTICED else "MISSED "
            print(f"{how}  {edit.line:5} {edit.why}: {(done.stdout or done.stderr)[-300:].strip()}", flush=True)
    print(f"reach: {len(chosen) - missed} of {len(chosen)} edits noticed by the model")
    return missed == 0


def main(arguments: list[str]) -> bool:
    """The parts asked for, all of them where none is named. NEWEL_TORTURE=0.1 makes a tenth of most."""
    size = float(os.environ.get("NEWEL_TORTURE", "1"))
    lines = [word for word in arguments if word not in PARTS]
    parts = [part for part in PARTS if part in arguments] or (["promises"] if lines else list(PARTS))
    done = [PARTS[part](lines, size) for part in parts]  # all of them run, whatever the first one says
    return all(done)


PARTS: dict[str, Callable[[list[str], float], bool]] = {
    "promises": lambda lines, _: promises(lines),
    "mutation": lambda *_: mutants(),
    "fuzz": lambda _, size: fuzz(int(os.environ.get("NEWEL_FUZZ_SECONDS", str(math.ceil(7200 * size))))),
    "crash": lambda _, size: crash(size),
    "kill": lambda _, size: kill(size),
    "races": lambda _, size: races(size),
    "power": lambda _, size: lost_power(size),
    "disk": lambda _, size: disk(size),
    "restart": lambda _, size: restart(size),
    "model": lambda _, size: model(size),
    "reach": lambda _, size: reach(size),
}

if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
