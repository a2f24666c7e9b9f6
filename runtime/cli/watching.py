"""`newel check --watch`: check, wait until a file changes, check again."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from newel.compiler.errors import NewelError
from newel.runtime.cli.checking import run
from newel.runtime.cli.common import cannot, config, files, project_root
from newel.runtime.cli.interrupting import EXIT_INTERRUPTED
from newel.runtime.cli.searching import of_others
from newel.runtime.cli.wanted import Wanted

if TYPE_CHECKING:
    from watchfiles import Change

SETTLE = 200
"""Milliseconds in which nothing more may change: an editor writes several times."""


@dataclass(frozen=True, slots=True)
class _Ours:
    """Which changes count: of workflow files and configurations, and of whatever else is no leftover of a program."""

    root: Path

    def __call__(self, change: Change, path: str) -> bool:  # noqa: ARG002 - the form that is asked for
        root = self.root if Path(path).is_relative_to(self.root) else Path(Path(path).anchor)
        return not of_others(Path(path), root) and not path.endswith(("~", ".db", "-wal", "-shm", "-journal", ".pyc"))


def watch(wanted: Wanted) -> NoReturn:
    """Check and check again. Ctrl-C ends it."""
    if not _installed():
        cannot("--watch needs the package `watchfiles`: pip install 'newel[watch]'")
    settings = config(wanted.paths)
    chosen = files(wanted.paths, settings)
    root = project_root(chosen, settings) if chosen else settings.root
    with suppress(KeyboardInterrupt):  # this is how it ends, and nothing was interrupted
        _look(root, wanted)
    sys.exit(EXIT_INTERRUPTED)


def _installed() -> bool:
    try:
        import watchfiles  # noqa: F401 - only whether it can be
    except ImportError:
        return False
    return True


def _look(root: Path, wanted: Wanted) -> None:
    import watchfiles

    begun = False
    # The first round is of the time that has passed, when the eye is open: what changes while we check is not missed.
    for changes in watchfiles.watch(
        root, watch_filter=_Ours(root), debounce=SETTLE, step=20, rust_timeout=20, yield_on_timeout=True
    ):
        if changes or not begun:
            begun = True
            if sys.stdout.isatty():
                click.clear()
            _once(wanted)


def _once(wanted: Wanted) -> None:
    """One run. What is wrong with the call or the configuration is told, and may be mended before the next."""
    try:
        run(wanted)
    except (NewelError, OSError) as error:
        click.echo(f"error: {error}", err=True)
    except (click.ClickException, SystemExit):
        pass  # said already
    sys.stdout.flush()
    click.echo("waiting for a change; Ctrl-C ends", err=True)
