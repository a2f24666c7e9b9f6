"""A folder to the workflow files below it, without what lies there and is not the project's own."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

INSTALLED = ("__pycache__", "__pypackages__", "node_modules", "site-packages")
"""Folders of other people's files, by name."""

VENV = "pyvenv.cfg"
"""Whoever has this file is a virtual environment of Python, whatever its name."""


def workflows_below(folder: Path) -> Iterator[Path]:
    """The `*.newel` files in a folder and those below, in no order. A link that leads nowhere is one, so that it is
    told."""
    return (path for path in _own(folder) if path.name.endswith(".newel") and (path.is_file() or not path.exists()))


def idle_patterns(patterns: Iterable[str], root: Path) -> list[str]:
    """The patterns of paths that no file of a project fits, each once."""
    wanted = dict.fromkeys(patterns)
    names = [path.relative_to(root).as_posix() for path in _own(root)] if wanted else []
    return [pattern for pattern in wanted if not any(fnmatchcase(name, pattern) for name in names)]


def _own(folder: Path) -> Iterator[Path]:
    """The files in a folder and those below. A link to a folder is not followed."""
    for here, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if not _foreign(each, Path(here))]
        yield from (Path(here, name) for name in names if not name.startswith("."))


def of_others(path: Path, root: Path) -> bool:
    """Whether a path lies, seen from a folder, in what a search of it passes over, or is hidden itself."""
    parts = path.relative_to(root).parts
    return any(_foreign(part, root.joinpath(*parts[:at])) for at, part in enumerate(parts))


def own_names(names: Collection[str], below: str) -> Iterator[str]:
    """The workflow files among names that are listed and stand on no disk, as a search of a folder would find them."""
    venvs = {PurePosixPath(name).parent for name in names if PurePosixPath(name).name == VENV}
    for name in names:
        path = PurePosixPath(name)
        if path.suffix == ".newel" and path.is_relative_to(below):
            inside = [each for each in path.parents if each != PurePosixPath(below) and each.is_relative_to(below)]
            if not venvs.intersection(inside) and not _passed_over(path.relative_to(below).parts):
                yield name


def _foreign(name: str, parent: Path) -> bool:
    return _passed_over((name,)) or (parent / name / VENV).is_file()


def _passed_over(names: Iterable[str]) -> bool:
    return any(name.startswith(".") or name in INSTALLED for name in names)
