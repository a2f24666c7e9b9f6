"""A file with what it uses to what is wrong with them together: one unit, judged as it will be compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from newel.compiler.checks.facts import Host
from newel.compiler.checks.selection import EVERYTHING, Selection
from newel.compiler.errors import NoSuchFile
from newel.compiler.files import Project, Reader, Reading
from newel.compiler.limits import DEFAULT, Limits
from newel.compiler.pipeline import check
from newel.compiler.store import Store
from newel.dsl.collector import paused
from newel.dsl.findings import Finding
from newel.dsl.source import Source

Tick = Callable[[int], None]
"""Is told of so many files that are done."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One file with those it uses and the texts it takes from files, by the paths they are shown by, and what is wrong
    with them together."""

    root: str
    paths: frozenset[str]
    texts: frozenset[str]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be judged, and how."""

    project: Project
    selection: Selection = EVERYTHING
    host: Host | None = None
    limits: Limits = DEFAULT


def check_source(source: Source | bytes, shown: str, task: Task) -> tuple[Finding, ...]:
    """What is wrong with a text that is no file; what it uses is named relative to the root."""
    with paused():
        reading = Reader(task.project, task.limits).read_text(source, shown)
        return check(reading, task.selection, task.host).findings


def part(paths: Sequence[Path], task: Task, store: Store, tick: Tick) -> tuple[list[Unit], list[str]]:
    """The units of some files, but for those of files that another one uses, and what could not be read."""
    readings: dict[str, Reading] = {}
    unread: list[str] = []
    with paused():
        for path in paths:
            try:
                reading = Reader(task.project, task.limits, store).read([path])
            except NoSuchFile as error:
                unread.append(str(error))
            else:
                readings.setdefault(_root(reading), reading)
        wanted = set(alone({root: _paths(reading) for root, reading in readings.items()}))
        units = []
        for root, reading in readings.items():
            if root in wanted:
                checked = check(reading, task.selection, task.host)
                units.append(Unit(root, _paths(reading), _texts(reading), checked.findings))
            tick(1)
    tick(len(unread))
    return units, unread


def _root(reading: Reading) -> str:
    return next(file.tree.source.path for file in reading.files if file.root)


def _paths(reading: Reading) -> frozenset[str]:
    return frozenset(file.tree.source.path for file in reading.files if not file.standard)


def _texts(reading: Reading) -> frozenset[str]:
    return frozenset(source.path for file in reading.files for source in file.texts.values())


def alone(units: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """The roots that no other unit reads; of those that use one another in a circle, the first."""
    used: dict[str, int] = {}
    for paths in units.values():
        for path in paths:
            used[path] = used.get(path, 0) + 1
    covered: set[str] = set()
    for root, paths in units.items():
        if used[root] == 1:
            covered |= paths
            yield root
    for root, paths in units.items():
        if root not in covered:
            covered |= paths
            yield root
