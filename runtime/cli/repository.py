"""Paths in a project to paths in the git repository around it: there look the services that show findings at lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def top(folder: Path) -> Path | None:
    """The root of the working tree that a folder lies in. Git is not asked: it need not be installed."""
    here = folder.resolve()
    return next((each for each in (here, *here.parents) if (each / ".git").exists()), None)


def below(root: Path, folder: Path) -> str:
    """The way down from the root of a repository to a folder, with `/` at its end; empty where it is the root."""
    way = folder.resolve().relative_to(root).as_posix()
    return "" if way == "." else f"{way}/"


def placing(root: Path) -> Callable[[str], str]:
    """What makes a path that begins at the root of a project one that begins at the root of its repository, where there
    is one."""
    repository = top(root)
    prefix = below(repository, root) if repository else ""

    def placed(path: str) -> str:
        return path if path.startswith(("/", "<")) else prefix + path

    return placed
