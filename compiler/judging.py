"""Many files to what is wrong with them: each is judged with what it uses, as it will be compiled.

A file that another one uses is judged with that, and not by itself. In a large run the files are dealt out to
processes; what comes out does not depend on how.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from newel.compiler.store import Store
from newel.compiler.units import Task, Tick, Unit, alone, part
from newel.dsl.findings import Finding

ENOUGH = 100
"""So many files are worth a second process: below, starting one costs about what it saves."""

_ABSENCES = ("NW705", "NW706")  # said of a file because something is nowhere: so it must be nowhere in every unit


@dataclass(frozen=True, slots=True)
class Judged:
    """What is wrong with many files, in order; `paths` are those that were read, `texts` the files of their texts, and
    `unread` says what could not be."""

    findings: tuple[Finding, ...]
    paths: tuple[str, ...]
    texts: tuple[str, ...]
    unread: tuple[str, ...]


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


def _chosen(units: Sequence[Unit]) -> list[Unit]:
    """The units to tell of: two parts may each have one that the other's makes needless."""
    wanted = set(alone({unit.root: unit.paths for unit in units}))
    return [unit for unit in units if unit.root in wanted]


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
