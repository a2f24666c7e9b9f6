"""Mends made in files, on standard input, or shown as a patch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from newel.compiler.counting import counted
from newel.compiler.fixing import Mended, mend_files, mend_text
from newel.compiler.reports.safe import safe
from newel.compiler.units import check_source
from newel.dsl.findings import Finding
from newel.dsl.reading import BOM, decode
from newel.dsl.source import Source
from newel.runtime.cli.rewriting import echo_patch, rewrite
from newel.runtime.cli.wanted import STDIN, Wanted, code_of, show

if TYPE_CHECKING:
    from newel.compiler.judging import Judged
    from newel.compiler.units import Task, Tick


def mend(chosen: Sequence[Path], task: Task, tick: Tick, wanted: Wanted) -> tuple[Judged, bool]:
    """Mend files, or show how they would change. What is left, and whether there was something to mend."""
    result = mend_files(chosen, task, tick=tick)
    for path, (before, after) in result.changed.items():
        if wanted.diff:
            echo_patch(before.path, _bytes(before), _bytes(after))
        else:
            rewrite(path, _bytes(after))
    if not wanted.quiet:
        _told(result, wanted.diff)
    return result.judged, bool(result.changed)


def mend_input(data: bytes, task: Task, wanted: Wanted) -> int:
    """Mend what came in and print it, or how it would change. What is left goes to standard error; the exit code."""

    read = decode(data, STDIN, task.limits)
    if isinstance(read, Finding):
        text, findings = None, check_source(data, STDIN, task)
    else:
        text, left, _ = mend_text(read, lambda source: check_source(source, STDIN, task))
        findings = tuple(left)
    after = data if text is None else _bytes(text)
    if not wanted.diff:
        click.echo(after, nl=False)
    elif data != after:
        echo_patch(STDIN, data, after)
    show(wanted, findings, 1, (STDIN,), root=task.project.root, err=True)
    return code_of(wanted, findings, changes=data != after)


def _bytes(source: Source) -> bytes:
    return (BOM if source.bom else b"") + source.text.encode("utf-8")


def _told(result: Mended, only_looked: bool) -> None:
    """On standard error what was done: a line for each file, and one for all."""
    if not result.changed:
        click.echo("nothing to mend", err=True)
        return
    for before, _ in () if only_looked else result.changed.values():
        click.echo(f"mended {safe(before.path)}", err=True)
    mends = counted(result.count, "mend")
    where = f"in {counted(len(result.changed), 'file')}"
    click.echo(f"would make {mends} {where}" if only_looked else f"made {mends} {where}", err=True)
