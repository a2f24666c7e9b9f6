"""What several commands share: the configuration in force, the files meant, and where output goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from newel.compiler.config import Config, ConfigError, find_config
from newel.runtime.cli.searching import idle_patterns, workflows_below

if TYPE_CHECKING:
    from newel.compiler.checks.selection import Selection
    from newel.compiler.pipeline import Compiled
    from newel.compiler.program import Program
    from newel.dsl.findings import Finding


def config(paths: Iterable[str] = ()) -> Config:
    """The configuration found upwards from the working folder; where none is there, the one found upwards from the
    folder that the given paths share: of several projects in a repository each has its own."""
    here = find_config(Path.cwd())
    folders = [path if path.is_dir() else path.parent for path in map(Path, paths)]
    if here.file or not folders:
        return here
    found = find_config(Path(os.path.commonpath(list(map(os.path.realpath, folders)))))
    return found if found.file else here


def selection_of(settings: Config) -> Selection:
    """Which findings the configuration wants. Raises `ConfigError` where it names a code that there is not."""
    from newel.compiler.checks.selection import Selection, SelectionError

    try:
        return Selection(
            settings.select,
            settings.ignore,
            settings.severity,
            settings.per_path_ignore,
            settings.per_path_severity,
        )
    except SelectionError as error:
        where = f"{settings.file.name}: " if settings.file else ""
        raise ConfigError(f"{where}{error}") from error


def files(paths: Iterable[str], settings: Config) -> list[Path]:
    """The workflow files meant: each file as it is, each folder searched for `*.newel`; those of the configuration
    where no path is given, else the working folder. Sorted within a folder, each once."""
    found: dict[Path, None] = {}
    for path in [Path(path) for path in paths] or list(configured(settings)) or [Path()]:
        if path.is_dir():
            found.update(dict.fromkeys(sorted(workflows_below(path))))
        elif path.exists():
            found[path] = None
        else:
            raise click.UsageError(f"there is no file or folder '{click.format_filename(path)}'")
    return list(found)


def configured(settings: Config) -> Iterator[Path]:
    """The files and folders of the configuration, named from where we stand. Raises `ConfigError` for one that is not
    there: it is the configuration that is wrong, and not the call."""
    for path in settings.paths:
        meant = settings.root / path
        if settings.file and not meant.exists():
            from newel.compiler.bind.reports import nearest

            there = sorted(each.name for each in meant.parent.iterdir()) if meant.parent.is_dir() else []
            near = nearest(meant.name, there)
            hint = f": did you mean `{(Path(path).parent / near).as_posix()}`?" if near else ""
            raise ConfigError(
                f"{settings.file.name}: `paths` names `{path}`, and no such file or folder is there{hint}"
            )
        yield Path(os.path.relpath(meant))  # a name without the machine


def doubt_patterns(settings: Config) -> None:
    """Say which patterns of the configuration fit no file: they may be misspelt."""
    for pattern in idle_patterns((*settings.per_path_ignore, *settings.per_path_severity), settings.root):
        click.echo(f"note: {settings.file and settings.file.name}: no file fits the pattern `{pattern}`", err=True)


def project_root(chosen: Sequence[Path], settings: Config) -> Path:
    """The folder nothing is read outside of: that of the configuration, else the one the files share - also where they
    lie outside of the configured project."""
    resolved = [path.resolve().parent for path in chosen]
    if settings.file and all(folder.is_relative_to(settings.root) for folder in resolved):
        return settings.root
    return Path(os.path.commonpath(resolved))


def program_of(paths: Iterable[str], settings: Config) -> Program:
    """The program compiled from some files; see `compiled_of`."""
    return compiled_of(paths, settings)[0]


def compiled_of(paths: Iterable[str], settings: Config) -> tuple[Program, Compiled]:
    """The program compiled from some files, and what else was made of them; their findings go to standard error, errors
    end the command with 1. Where nothing is wrong but that the files do not go together, one error says which do."""
    from newel.compiler import compile_files

    chosen = files(paths, settings)
    if not chosen:
        cannot("there are no workflow files (*.newel) here: name one, or a folder that has some")
    root = project_root(chosen, settings)
    compiled = compile_files(chosen, root=root, limits=settings.limits)
    if compiled.sound is None:
        from newel.runtime.cli.apart import sets

        if len(chosen) > 1 and (apart := sets(chosen, root, settings.limits)):
            _not_together(compiled.findings, apart)
        from newel.compiler.reports import report

        click.echo(report("text", compiled.findings, len(chosen)), err=True, nl=False)
        sys.exit(1)
    return compiled.sound, compiled


def _not_together(findings: Iterable[Finding], apart: Iterable[Iterable[Path]]) -> NoReturn:
    """End with exit code 1: `newel check` finds nothing wrong with the files, since it judges them one by one."""
    from newel.compiler.reports.safe import safe

    first = next(finding for finding in findings if finding.rule.severity == "error")
    click.echo(
        "error: nothing is wrong with these files one by one, but they make no program together: "
        f"{safe(first.message)} ({first.rule.code}). Give those that go together:",
        err=True,
    )
    for paths in apart:
        click.echo(f"  {' '.join(map(click.format_filename, paths))}", err=True)
    sys.exit(1)


def standard_input() -> bytes:
    """All of standard input, or more than a file may have of it, so that an endless one ends. Ends the command where it
    is closed: nothing was read, which is not an empty file."""
    if sys.stdin is None:
        cannot("standard input is closed")
    from newel.dsl.limits import BYTES

    return sys.stdin.buffer.read(BYTES + 1)


def cannot(message: str) -> NoReturn:
    """End with exit code 3: there is nothing to work on, or the work cannot go on."""
    click.echo(f"error: {message}", err=True)
    sys.exit(3)


generated_to = click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(),
    help="Write to a file, over what is there, instead of standard output.",
)
"""The option of the commands that make something of workflow files."""


def write_generated(text: str, output: str | None) -> None:
    """Write what was made of workflow files, over what was made before, but never over a workflow file."""
    if output is not None and output.endswith(".newel") and Path(output).is_file():
        raise click.UsageError(f"'{click.format_filename(output)}' is a workflow file: name another one to write to")
    write(text, output)


def write(text: str, output: str | None) -> None:
    """Write to a file, beside it first and then renamed over it, or to standard output."""
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    target = Path(output)
    try:
        put_in_place(target, text.encode("utf-8"), 0o666 & ~_umask())
    except OSError as error:
        cannot(f"cannot write '{click.format_filename(target)}': {error.strerror}")


def put_in_place(target: Path, data: bytes, mode: int) -> None:
    """Write a file beside its place and rename it: a reader sees the old one or the new, never half of one."""
    import tempfile  # loads four compression libraries

    if target.exists() and not target.is_file():
        target.write_bytes(data)  # a device or a pipe is written to: renaming would do away with it
        return
    target = target.resolve()  # a link stays a link
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
