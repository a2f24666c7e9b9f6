"""`newel check`: say what is wrong with workflow files."""

from __future__ import annotations

from typing import Any

import click

from newel.compiler.reports import REPORTS
from newel.runtime.cli.checking import run
from newel.runtime.cli.offering import codes
from newel.runtime.cli.wanted import Wanted


def _codes(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:  # noqa: ARG001 - click's form
    return tuple(code.strip() for code in (value or "").split(",") if code.strip())


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@click.option(
    "--format",
    "format_",
    type=click.Choice([r.name for r in REPORTS]),
    default="text",
    show_default=True,
    help="What the report looks like.",
)
@click.option(
    "--select",
    callback=_codes,
    shell_complete=codes,
    metavar="CODE,...",
    help="Only these codes, or codes that begin so.",
)
@click.option("--ignore", callback=_codes, shell_complete=codes, metavar="CODE,...", help="Not these.")
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings too.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 although there are findings.")
@click.option("--fix", is_flag=True, help="Mend what can be mended without asking, and report what is left.")
@click.option("--diff", is_flag=True, help="Write nothing; show what --fix would change.")
@click.option("--statistics", is_flag=True, help="Count the findings of each code instead of showing them.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@click.option("-q", "--quiet", is_flag=True, help="Findings only: no figures, no progress.")
@click.option(
    "--jobs", type=click.IntRange(1), metavar="N", help="Processes for many files; one a processor unless given."
)
def check(**options: Any) -> int:
    """Say what is wrong with workflow files, and how to mend it.

    PATH is a file, a folder (searched for *.newel) or - for standard input; the configured paths, else this folder,
    unless given. Exits with 1 where there are errors, with 3 where there is nothing to check or a file cannot be read.

    \b
    newel check                                 every workflow below this folder
    newel check --strict --format github        in a job: warnings fail, too
    newel check --fix --diff office.newel       what can be mended by itself
    newel check --select NW5 --statistics       how often each finding of one family
    """
    wanted = Wanted(**options)
    wanted.sensible()
    if wanted.watch:
        from newel.runtime.cli.watching import watch

        watch(wanted)  # until Ctrl-C
    return run(wanted)
