"""Files that a command changes: put in place whole, or shown as a patch."""

from __future__ import annotations

import difflib
import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from newel.runtime.cli.common import put_in_place

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def rewrite(path: Path, data: bytes) -> None:
    """Put bytes in the place of the file that a path leads to, with its mode."""
    target = path.resolve()
    if not os.access(target, os.W_OK):
        raise PermissionError(0, "it may not be written")
    put_in_place(target, data, stat.S_IMODE(target.stat().st_mode))


def echo_patch(shown: str, before: bytes, after: bytes) -> None:
    """Print a change as a patch."""
    click.echo("".join(map(_shown, _patch(shown, before, after))).encode("utf-8"), nl=False)


def _patch(shown: str, before: bytes, after: bytes) -> Iterator[str]:
    old, new = (_LINE.findall(data.decode("utf-8")) for data in (before, after))
    for line in difflib.unified_diff(old, new, shown, shown):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _shown(line: str) -> str:
    """A line as it is; on a terminal without what would act on that."""
    if not sys.stdout.isatty():
        return line
    from newel.compiler.reports.safe import safe

    return safe(line.rstrip("\r\n")) + "\n"
