"""What `newel check` is asked for, and how it answers: a report and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from newel.compiler.reports import report
from newel.runtime.cli.repository import placing

if TYPE_CHECKING:
    from newel.dsl.findings import Finding

STDIN = "<stdin>"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The arguments and options of `newel check`."""

    paths: tuple[str, ...]
    format_: str
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    strict: bool
    exit_zero: bool
    fix: bool
    diff: bool
    statistics: bool
    watch: bool
    quiet: bool
    jobs: int | None

    @property
    def stdin(self) -> bool:
        """Whether standard input is to be checked."""
        return self.paths == ("-",)

    def sensible(self) -> None:
        """Refuse options that do not go together."""
        if self.statistics and self.format_ not in ("text", "json"):
            raise click.UsageError("--statistics are written as text or json")
        if self.watch and (self.stdin or self.fix or self.diff):
            raise click.UsageError("--watch looks at files, and leaves them as they are: not with -, --fix or --diff")


def code_of(wanted: Wanted, findings: Iterable[Finding], *, changes: bool = False, unread: bool = False) -> int:
    """The exit code: 3 where something could not be read, 1 for errors, or for what `--diff` would change."""
    if unread:
        return 3
    bad = ("error", "warning") if wanted.strict else ("error",)
    wrong = any(finding.rule.severity in bad for finding in findings) or (wanted.diff and changes)
    return int(wrong and not wanted.exit_zero)


def show(
    wanted: Wanted, findings: Sequence[Finding], count: int, paths: Sequence[str], *, root: Path, err: bool = False
) -> None:
    """Print the report on a project, or the statistics."""
    if wanted.statistics:
        from newel.compiler.reports.results import Results
        from newel.compiler.reports.statistics import statistics

        text = statistics(Results(findings, count, quiet=wanted.quiet), wanted.format_)
    else:
        color = _colour(wanted.format_, err)
        quiet, placed = wanted.quiet, placing(root)
        text = report(wanted.format_, findings, count, color=color, quiet=quiet, paths=paths, placed=placed)
    click.echo(text, nl=False, color=True, err=err)


def _colour(format_: str, err: bool) -> bool:
    stream = sys.stderr if err else sys.stdout
    return format_ == "text" and stream.isatty() and not os.environ.get("NO_COLOR")
