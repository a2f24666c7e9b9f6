"""Workflow files to what can be played: each file's program with the scenarios it brings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from newel.compiler.limits import DEFAULT, Limits
from newel.compiler.pipeline import Checked, check_files
from newel.compiler.scenarios.script import Script

if TYPE_CHECKING:
    from newel.compiler.program import Program


@dataclass(frozen=True, slots=True)
class Playable:
    """One file with all it uses. `program` is None where that has errors; `scripts` are those of all its files in which
    nothing is wrong."""

    path: str
    checked: Checked
    program: Program | None
    scripts: tuple[Script, ...]


def playable(path: Path, root: Path, limits: Limits = DEFAULT) -> Playable:
    """One file, checked and, where it is right, compiled."""
    checked = check_files([path], root, limits=limits)
    shown = next(file.source.path for file in checked.model.files if file.root)
    if not checked.sound:
        return Playable(shown, checked, None, ())
    from newel.compiler.lower import lower

    return Playable(shown, checked, lower(checked.model), checked.scripts)


def collected(paths: Iterable[Path], root: Path, limits: Limits = DEFAULT) -> list[Playable]:
    """Each file, but for those that another one uses: their scenarios are played with that. No scenario comes twice."""
    found = [playable(path, root, limits) for path in paths]
    used = {file.source.path for each in found for file in each.checked.model.files if not file.root}
    alone = [each for each in found if each.path not in used] or found
    return list(_once(alone))


def _once(found: Sequence[Playable]) -> Iterator[Playable]:
    taken: set[tuple[str, int]] = set()
    for each in found:
        own = tuple(s for s in each.scripts if (s.span.source.path, s.span.start) not in taken)
        taken.update((script.span.source.path, script.span.start) for script in own)
        yield Playable(each.path, each.checked, each.program, own)
