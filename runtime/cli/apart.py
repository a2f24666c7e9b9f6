"""Workflow files that make no program together, though nothing is wrong with any of them, to sets of them that do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from newel.compiler.files import Project, Reader, Reading, project_of
from newel.compiler.limits import Limits
from newel.compiler.pipeline import check
from newel.compiler.store import Store
from newel.compiler.units import alone

_MOST = 100
"""Up to so many files are tried together."""


def sets(chosen: Sequence[Path], root: Path, limits: Limits) -> list[list[Path]]:
    """The sets in order, without what is used by another one of the files. None where a file has errors by itself, and
    where it is not the files together that are wrong."""
    trial = _Trial(project_of(chosen, root), limits)
    readings = {path: trial.read([path]) for path in chosen[: _MOST + 1]}
    paths = {path: frozenset(f.tree.source.path for f in each.files) for path, each in readings.items()}
    of_root = {_root(each): path for path, each in readings.items()}
    roots = [of_root[name] for name in alone({_root(readings[path]): paths[path] for path in of_root.values()})]
    if len(readings) > _MOST or not all(check(readings[path]).sound for path in roots):
        return []
    used: dict[frozenset[str], list[Path]] = {}
    for path in roots:
        used.setdefault(paths[path] - {_root(readings[path])}, []).append(path)
    found = [sorted(each) for each in trial.joined(used.values())]
    return sorted(found) if len(found) > 1 else []


def _root(reading: Reading) -> str:
    return next(file.tree.source.path for file in reading.files if file.root)


@dataclass(frozen=True, slots=True)
class _Trial:
    """Tries files together; each is parsed once."""

    project: Project
    limits: Limits
    store: Store = field(default_factory=Store)

    def read(self, paths: Sequence[Path]) -> Reading:
        return Reader(self.project, self.limits, self.store).read(paths)

    def sound(self, paths: Sequence[Path]) -> bool:
        return check(self.read(paths)).sound

    def joined(self, likely: Iterable[list[Path]]) -> list[list[Path]]:
        """As few sets as the order of the files gives: what is likely to go together is added at once."""
        found: list[list[Path]] = []
        for those in likely:
            for part in [those] if self.sound(those) else [[path] for path in those]:
                home = next((each for each in found if self.sound([*each, *part])), None)
                if home is None:
                    found.append(list(part))
                else:
                    home.extend(part)
        return found
