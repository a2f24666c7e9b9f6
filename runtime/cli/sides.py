"""OLD and NEW of `newel diff` to the versions they name: files, folders, or what a git repository had at a ref.

Of a ref, every file is read there, those that are used and the texts too; nothing of the working tree is.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import click

from newel.compiler.config import Config
from newel.compiler.diff.versions import Version
from newel.compiler.errors import CompileError
from newel.compiler.files import Project, Reader
from newel.compiler.reports import report
from newel.compiler.store import Store
from newel.dsl import decode
from newel.dsl.findings import Finding
from newel.dsl.limits import DEFAULT, Limits
from newel.dsl.source import Source
from newel.runtime.cli.common import cannot, files, project_root
from newel.runtime.cli.repository import placing
from newel.runtime.cli.searching import own_names

GIT = "git:"


def compiled(old: str, new: str, settings: Config) -> tuple[Version, Version]:
    """The two versions. `git:REF` without a path means what the other side names. One that has errors ends the command
    with 1, its findings on standard error."""
    return _compiled(old, new, settings), _compiled(new, old, settings)


def older(side: str, paths: Sequence[str], settings: Config) -> Version:
    """One version, to be compared with what some paths name. `git:REF` without a path means the same paths there."""
    if len(paths) > 1 and side.startswith(GIT) and ":" not in side.removeprefix(GIT):
        raise click.UsageError(f"several paths are given: write {side}:PATH")
    return _compiled(side, paths[0] if len(paths) == 1 else GIT, settings)


def placing_of(sides: Sequence[str], settings: Config) -> Callable[[str], str]:
    """What makes a path of one of the versions one that begins at the root of the repository, as those of a ref do."""
    on_disk = [side for side in sides if not side.startswith(GIT)]
    placed = placing(project_root(files(on_disk[-1:], settings), settings)) if on_disk else str

    def in_repository(path: str) -> str:
        return path.removeprefix(GIT).partition(":")[2] if path.startswith(GIT) else placed(path)

    return in_repository


def _compiled(side: str, other: str, settings: Config) -> Version:
    try:
        return _version(side, other, settings)
    except CompileError as error:
        click.echo(report("text", error.findings, 1), err=True, nl=False)
        cannot_compare = f"error: '{click.format_filename(side)}' does not compile, so there is nothing to compare"
        click.echo(cannot_compare, err=True)
        sys.exit(1)


def _version(side: str, other: str, settings: Config) -> Version:
    if not side.startswith(GIT):
        chosen = files((side,), settings)
        if not chosen:
            cannot(f"there are no workflow files (*.newel) in '{click.format_filename(side)}'")
        project = Project(project_root(chosen, settings).resolve())
        return Version.of(Reader(project, settings.limits).read(chosen))
    ref, _, path = side.removeprefix(GIT).partition(":")
    repository = _Repository.of(ref)
    wanted = [path] if path else _named(other, settings, repository)
    names = [found for each in wanted for found in repository.workflows(each)]
    if not names:
        cannot(f"there are no workflow files (*.newel) in '{click.format_filename(side)}'")
    project = _AtRef(repository.root, f"{GIT}{ref}:")
    reading = Reader(project, settings.limits, _Tree(repository)).read([repository.root / each for each in names])
    return Version.of(reading)


def _named(other: str, settings: Config, repository: _Repository) -> list[str]:
    """The paths in the repository that the other side, or the configuration, names."""
    if other.startswith(GIT):
        path = other.removeprefix(GIT).partition(":")[2]
        if path:
            return [path]
    given = [Path()] if other.startswith(GIT) else [Path(other)]
    if other.startswith(GIT) and settings.paths:
        given = [settings.root / path for path in settings.paths]
    return [repository.inside(path) for path in given]


# ---------------------------------------------------------------- a repository


@dataclass(frozen=True, slots=True)
class _AtRef(Project):
    """The project of a ref. Its paths are shown as git takes them: `git:main:boards/office.newel`."""

    def shown(self, path: Path) -> str:
        return f"{self.prefix}{path.relative_to(self.root).as_posix()}"


@dataclass(frozen=True, slots=True)
class _Repository:
    """One commit. `root` is a folder that does not exist: paths below it are those in the commit."""

    top: Path
    commit: str
    root: Path

    @staticmethod
    def of(ref: str) -> _Repository:
        """The commit that a ref of the repository around the working folder names."""
        if not ref or ref.startswith("-") or any(sign <= " " or sign == "\x7f" for sign in ref):
            raise click.UsageError(f"'{click.format_filename(ref)}' is no ref: write git:REF or git:REF:PATH")
        top = Path(_git("rev-parse", "--show-toplevel").decode().rstrip("\n"))
        try:
            commit = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}").decode().strip()
        except _Refused:
            raise click.UsageError(f"git knows no commit '{click.format_filename(ref)}'") from None
        return _Repository(top, commit, top / ".git" / "newel" / commit)

    def inside(self, path: Path) -> str:
        """A path of the working tree by its name in the repository."""
        resolved = path.resolve()
        if not resolved.is_relative_to(self.top.resolve()):
            raise click.UsageError(f"'{click.format_filename(path)}' is not in the repository: write git:REF:PATH")
        return resolved.relative_to(self.top.resolve()).as_posix()

    def workflows(self, path: str) -> Sequence[str]:
        """The workflow files at a path: itself, or those in the folder it is."""
        clean = _clean(path)
        listed = _git("ls-tree", "-r", "-z", "--full-tree", "--name-only", self.commit, *([clean] if clean else ()))
        names = [name.decode("utf-8", "surrogateescape") for name in listed.split(b"\0") if name]
        if clean in names:
            return [clean]
        return sorted(own_names(names, clean))

    def blob(self, name: str) -> bytes:
        """The content of a file. Raises `FileNotFoundError` where the commit has none of that name."""
        try:
            return _git("show", "--no-textconv", "--no-ext-diff", f"{self.commit}:{name}")
        except _Refused:
            raise FileNotFoundError(name) from None


def _clean(path: str) -> str:
    """A path as git lists it. Raises where it leads out of the repository."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts:
        raise click.UsageError(f"'{click.format_filename(path)}' is no path in the repository: it begins at its top")
    return "" if pure == PurePosixPath() else pure.as_posix()


class _Tree(Store):
    """The files of a commit, read when they are asked for."""

    __slots__ = ("_repository",)

    def __init__(self, repository: _Repository) -> None:
        super().__init__()
        self._repository = repository

    def source(self, path: Path, shown: str, limits: Limits = DEFAULT) -> Source | Finding:
        if path not in self._sources:
            name = path.relative_to(self._repository.root).as_posix()
            self._sources[path] = decode(self._repository.blob(name), shown, limits)
        return self._sources[path]


class _Refused(Exception):
    """Git has said no."""


def _git(*arguments: str) -> bytes:
    """What git prints. No pager, no prompt, no pattern in a path."""
    try:
        done = subprocess.run(  # noqa: S603 - a list of arguments, no shell; what the user gave stands behind options
            ["git", "--no-pager", "--literal-pathspecs", *arguments],  # noqa: S607 - the git that the user runs too
            capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except FileNotFoundError:
        cannot("git is not installed, or not on the path")
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        if "not a git repository" in said:
            cannot("this folder is in no git repository")
        raise _Refused(said)
    return done.stdout
