"""R8: a disk that fails at the nth write of a call, or is full there: a typed error, nothing half done, and the next
call works.

Two ways to a failing disk: a limit on the size of files, and a library that is loaded before the C library, through
which any write or sync can fail. For the second this module is run as a program, which prints its figures.
"""

from __future__ import annotations

import ctypes
import errno
import itertools
import logging
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

from newel.runtime.errors import LedgerUnavailable
from tests.crash.acts import ACTS
from tests.crash.hosting import Host, OwnStatementError, Store, in_memory, prepare
from tests.crash.whole import wrong

SHIM = Path(__file__).with_name("failing.c")
CALLS = ("move", "handle", "approve", "decide", "switch", "create")


class Fault(Protocol):
    """A disk that fails from now on, in a file and at a time that a number tells."""

    def __call__(self, path: Path, number: int) -> AbstractContextManager[None]: ...


@dataclass
class Figures:
    """What many faults have shown."""

    faults: int = 0
    raised: int = 0
    reported: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.faults} faults of the disk, {self.raised} raised, {self.reported} reported by an entry, "
            f"{len(self.wrong)} wrong"
        )


@contextmanager
def full(path: Path, number: int) -> Iterator[None]:
    """No file grows beyond so many half pages more than the log has now."""
    log = path.with_name(path.name + "-wal")
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = log.stat().st_size if log.exists() else 0
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + number * 2060, hard))  # Python ignores the signal for it
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


@contextmanager
def failing(path: Path, number: int) -> Iterator[None]:
    """One write or sync fails, or it and all after it; as broken, or as full."""
    shim = ctypes.CDLL(os.environ["LD_PRELOAD"])
    after, way = divmod(number, 4)
    shim.newel_fail(ctypes.c_long(after), (errno.EIO, errno.ENOSPC)[way % 2], way // 2)
    try:
        yield
    finally:
        shim.newel_fail(ctypes.c_long(-1), 0, 0)


def faults(folder: Path, number: int, fault: Fault) -> Figures:
    """So many faults of a disk, in calls of each sort by turns."""
    figures = Figures()
    template = folder / "template.db"
    prepare(f"sqlite:///{template}")
    for n, name in zip(range(number), itertools.cycle(CALLS), strict=False):
        path = folder / "image.db"
        shutil.copy(template, path)
        store = Store(f"sqlite:///{path}", folder / "marks")
        _one(store, name, partial(fault, path, n // len(CALLS)), figures)
        for file in (path, path.with_name("image.db-wal"), path.with_name("image.db-shm"), store.marks):
            file.unlink(missing_ok=True)
    return figures


def _one(store: Store, name: str, fault: Callable[[], AbstractContextManager[None]], figures: Figures) -> None:
    act, said = ACTS[name], ""
    figures.faults += 1
    with Host(store.url, store.marks) as host:
        act.before(host, "T")
        before = host.service.tasks(), [host.service.history(task.id) for task in host.service.tasks()]
        with fault(), host.held():
            try:
                act.call(host, "T")
            except (LedgerUnavailable, OwnStatementError) as error:
                said = str(error)
        after = host.service.tasks(), [host.service.history(task.id) for task in host.service.tasks()]
        figures.raised += bool(said)
        changed = said and after != before and "not known" not in said
        found = [f"raised {said!r}, and yet changed something"] if changed else []
        found += [item for item in wrong(host, calls=2) if " is failed" not in item]
        if after == before:
            act.call(host, "T")
        current = [task.entry_id for task in host.service.tasks() if task.entry_id and task.step != "a"]
        for entry in current:
            figures.reported += any(action.status == "failed" for action in host.service.entry(entry).actions)
            host.service.redispatch(entry)
    with Host(store.url, store.marks) as host:
        found += wrong(host, calls=2)
        found += [f"after the recovery: {item}" for item in host.audit()]
        if host.service.task("T").step != act.to:
            found.append(f"T stands at {host.service.task('T').step}")
    figures.wrong += [f"{name}, fault {figures.faults}: {what}" for what in found]


def shimmed(number: int) -> Figures | None:
    """So many faults in a process of their own, through the library; None where there is no compiler to make it."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    with in_memory() as folder:
        library = folder / "failing.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SHIM, "-ldl"], check=True)
        root = SHIM.parents[2]
        done = subprocess.run(
            [sys.executable, "-m", "tests.crash.disk", str(number)],
            env={**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(root)},
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
    first, *rest = done.stdout.strip().splitlines() or ["0 0 0"]
    counted, raised, reported = map(int, first.split())
    return Figures(counted, raised, reported, rest if done.returncode == 0 else [*rest, done.stderr])


if __name__ == "__main__":
    logging.disable()
    with in_memory() as place:
        shown = faults(place, int(sys.argv[1]), failing)
    print(shown.faults, shown.raised, shown.reported)
    print("\n".join(shown.wrong))
