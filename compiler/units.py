"""Many files to what is wrong with them: each is judged with what it uses, as it will be compiled.

A file that another one uses is judged with that, and not by itself. In a large run the files are dealt out to
processes; what comes out does not depend on how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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

ENOUGH = 100
"""So many files are worth a second process: below, starting one costs about what it saves."""

_ABSENCES = ("NW705", "NW706")  # said of a file because something is nowhere: so it must be nowhere in every unit

Tick = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Unit:
    """One file with those it uses and the texts it takes from files, by the paths they are shown by, and what is wrong
    with them together."""

    root: str
    paths: frozenset[str]
    texts: frozenset[str]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What is wrong with many files, in order; `paths` are those that were read, `texts` the files of their texts, and
    `unread` says what could not be."""

    findings: tuple[Finding, ...]
    paths: tuple[str, ...]
    texts: tuple[str, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be judged, and how."""

    project: Project
    selection: Selection = EVERYTHING
    host: Host | None = None
    limits: Limits = DEFAULT


def check_each(paths: Sequence[Path], task: Task, *, store: Store | None = None, jobs: int = 1, tick: Tick) -> Judged:
    """What is wrong with some files. With `jobs` above one, many files are dealt out to so many processes, unless they
    come from a store. `tick` is told of files that are done."""
    if jobs > 1 and len(paths) >= ENOUGH and store is None:
        from newel.compiler.pool import in_processes

        parts = list(in_processes(paths, task, jobs, tick))
    else:
        parts = [part(paths, task, store or Store(), tick)]
    units = [unit for found, _ in parts for unit in found]
    return Judged(
        tuple(_merged(_chosen(units))),
        tuple(sorted({path for unit in units for path in unit.paths})),
        tuple(sorted({path for unit in units for path in unit.texts})),
        tuple(reason for _, unread in parts for reason in unread),
    )


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
        alone = set(_alone({root: _paths(reading) for root, reading in readings.items()}))
        units = []
        for root, reading in readings.items():
            if root in alone:
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


def _alone(units: dict[str, frozenset[str]]) -> Iterator[str]:
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


def _chosen(units: Sequence[Unit]) -> list[Unit]:
    """The units to tell of: two parts may each have one that the other's makes needless."""
    alone = set(_alone({unit.root: unit.paths for unit in units}))
    return [unit for unit in units if unit.root in alone]


def _merged(units: Sequence[Unit]) -> list[Finding]:
    """Each finding once, in order; that something is nowhere, only where every unit with that file says so."""
    readers: dict[str, int] = {}
    for unit in units:
        for path in unit.paths:
            readers[path] = readers.get(path, 0) + 1
    found: dict[tuple[object, ...], Finding] = {}
    said: dict[tuple[object, ...], int] = {}
    for unit in units:
        for finding in unit.findings:
            key = _key(finding)
            found.setdefault(key, finding)
            said[key] = said.get(key, 0) + 1
    kept = (
        finding
        for key, finding in found.items()
        if finding.rule.code not in _ABSENCES or said[key] == readers.get(finding.span.source.path, 1)
    )
    return sorted(kept, key=_key)


def _key(finding: Finding) -> tuple[str, int, str, str, int]:
    span = finding.span
    return span.source.path, span.start, finding.rule.code, finding.message, span.end
