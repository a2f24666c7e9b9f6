"""How many mutants of the step entry and the operation ledger the tests notice: `make torture ARGS=mutation`.

Each mutant is made in a copy of the project, and the tests that run its function are run there, those of the module's
own file first, then those that run its line. Mutants that no test can notice stand in `equivalent.toml`, each with its
reason, and do not count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from coverage import CoverageData

from tests.crash.hosting import in_memory
from tests.promises.edits import ROOT, copied
from tests.promises.mutants import Mutant, mutants

MUTATED = tuple(f"runtime/{name}.py" for name in ("entry", "nesting", "operations", "running", "standard"))
TESTS = "tests/runtime"
SLOW = ("interleavings", "contention", "limits_races", "model", "postgresql")
"""Words of tests that are left out: they take their time, or do on a second ledger what is done on the first."""
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
BAR = 0.9
PATIENCE = 300.0
NEXT = "\n    "
KILLED, SURVIVED = "killed", "SURVIVED"

Running = Mapping[int, frozenset[str]]
"""By line of a module: the tests that run it."""


@dataclass(frozen=True)
class Equivalent:
    """A change of a file that no test can notice, and why."""

    file: str
    change: str
    why: str


def equivalents() -> list[Equivalent]:
    """What is listed."""
    return [Equivalent(**table) for table in tomllib.loads(EQUIVALENT.read_text("utf-8")).get("equivalent", ())]


def all_mutants() -> Iterator[tuple[str, Mutant]]:
    """Every mutant of the mutated files."""
    for file in MUTATED:
        for each in mutants((ROOT / file).read_text("utf-8")):
            yield file, each


def mutation(only: str = "") -> bool:
    """Make every mutant (of those whose place and change hold `only`), and say which ones nobody noticed."""
    listed = {(each.file, each.change) for each in equivalents()}
    due = [(f, m) for f, m in all_mutants() if (f, m.change) not in listed and only in f"{f} {m.change}"]
    survived = 0
    with in_memory() as folder, ExitStack() as stack:
        known = _running(copied(folder / "whole"))
        workers = os.cpu_count() or 1
        copies: SimpleQueue[_Copy] = SimpleQueue()
        for number in range(workers):
            copies.put(stack.enter_context(_Copy(copied(folder / str(number)))))
        _control(copies, known)
        pool = stack.enter_context(ThreadPoolExecutor(workers))
        for (file, mutant), verdict in zip(due, pool.map(partial(_tried, copies, known), due), strict=True):
            survived += verdict == SURVIVED
            print(f"{verdict:8} {file}:{mutant.line} {mutant.change}", flush=True)
    score = 1 - survived / max(len(due), 1)
    print(f"mutation: {len(due) - survived} of {len(due)} mutants killed, {score:.1%}; {len(listed)} cannot be noticed")
    return score >= BAR


def _control(copies: SimpleQueue[_Copy], known: Mapping[str, Running]) -> None:
    """Without a mutant the tests pass, in forked processes too: else every mutant would seem to be noticed."""
    tests = sorted({test for running in known.values() for found in running.values() for test in found})
    copy = copies.get()
    if not copy.passes(MUTATED[0], None, tests):
        raise RuntimeError("the tests fail without a mutant, where they are run in a forked process")
    copies.put(copy)


def _tried(copies: SimpleQueue[_Copy], known: Mapping[str, Running], due: tuple[str, Mutant]) -> str:
    file, mutant = due
    chosen = _chosen(known[file], mutant, f"{TESTS}/test_{Path(file).stem}")
    copy = copies.get()
    try:
        return SURVIVED if not chosen or copy.passes(file, mutant, chosen) else KILLED
    finally:
        copies.put(copy)


def _chosen(running: Running, mutant: Mutant, own: str) -> list[str]:
    """The tests of a mutant: those of its function, or all of the module for what is done at import."""
    within = frozenset[str]().union(*(running.get(line, frozenset()) for line in mutant.span))
    found = within or frozenset[str]().union(*running.values())
    on_line = running.get(mutant.line, frozenset())
    return sorted(found, key=lambda test: (not test.startswith(own), test not in on_line, test))


class _Copy:
    """A copy of the project, with a process that runs tests there (`forking.py`)."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server = subprocess.Popen(
            [sys.executable, "tests/promises/forking.py"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder / ".namespace")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def passes(self, file: str, mutant: Mutant | None, tests: list[str]) -> bool:
        """Whether these tests pass with a mutant in the place of a module, or with the module itself."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        text = (ROOT / file).read_text("utf-8")
        self._write(file, text if mutant is None else mutant.made(text))
        # the libraries are loaded before pytest could rewrite what they assert, and it says so
        quiet = ["-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]
        arguments = [
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "--timeout=60",
            f"--basetemp={self._folder}-files",
            *quiet,
            *tests,
        ]
        print(json.dumps({"arguments": arguments, "patience": PATIENCE}), file=self._server.stdin, flush=True)
        code: int | None = json.loads(self._server.stdout.readline())
        self._write(file, text)
        return code == 0

    def _write(self, file: str, text: str) -> None:
        """Without what was compiled before: two texts of one second and one size look alike to Python."""
        path = self._folder / file
        path.write_text(text, "utf-8")
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.communicate()


def _running(copy: Path) -> dict[str, Running]:
    """By mutated file and line: the tests that run it, found by running all of them on the unchanged source."""
    (copy / "watched.ini").write_text(f"[run]\ninclude =\n    {NEXT.join(MUTATED)}\nrelative_files = true\n", "utf-8")
    watched = ["--cov", "--cov-config=watched.ini", "--cov-context=test", "--cov-report="]
    tests = [str(path.relative_to(ROOT)) for path in sorted((ROOT / TESTS).glob("test_*.py"))]
    words = " and ".join(f"not {word}" for word in SLOW)
    command = [sys.executable, "-m", "pytest", "-q", *watched, "-m", "not slow", "-k", words, *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy / ".namespace")}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the tests fail without a mutant:\n{done.stdout[-2000:]}")
    data = CoverageData(str(copy / ".coverage"))
    data.read()
    return {
        file: {
            line: frozenset(context.partition("|")[0] for context in contexts if context)
            for line, contexts in data.contexts_by_lineno(file).items()
        }
        for file in MUTATED
    }
