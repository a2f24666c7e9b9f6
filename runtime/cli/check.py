"""`newel check`: say what is wrong with workflow files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from newel.compiler.config import Config, ConfigError
from newel.compiler.reports import REPORTS, report
from newel.runtime.cli.common import cannot, config, files, project_root, standard_input

if TYPE_CHECKING:
    from newel.compiler.checks import Host, Selection
    from newel.compiler.pipeline import Checked
    from newel.dsl.findings import Finding


def _codes(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:  # noqa: ARG001 - click's form
    return tuple(code.strip() for code in (value or "").split(",") if code.strip())


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--format",
    "format_",
    type=click.Choice([r.name for r in REPORTS]),
    default="text",
    show_default=True,
    help="What the report looks like.",
)
@click.option("--select", callback=_codes, metavar="CODE,...", help="Only these codes, or codes that begin so.")
@click.option("--ignore", callback=_codes, metavar="CODE,...", help="Not these.")
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings too.")
def check(paths: tuple[str, ...], format_: str, select: tuple[str, ...], ignore: tuple[str, ...], strict: bool) -> int:
    """Say what is wrong with workflow files, and how to mend it.

    PATH is a file, a folder (searched for *.newel) or - for standard input; the configured paths, else this folder,
    unless given. Exits with 1 where there are errors, with 3 where there is nothing to check.
    """
    settings = config()
    if paths == ("-",):
        findings, count = _text(settings, _selection(settings, select, ignore)), 1
    else:
        chosen = files(paths, settings)
        if not chosen:
            cannot("there are no workflow files (*.newel) here: name one, or a folder that has some")
        findings, count = _files(chosen, settings, _selection(settings, select, ignore)), len(chosen)
    click.echo(report(format_, findings, count, color=_colour(format_)), nl=False, color=True)
    bad = ("error", "warning") if strict else ("error",)
    return int(any(finding.rule.severity in bad for finding in findings))


def _selection(settings: Config, select: tuple[str, ...], ignore: tuple[str, ...]) -> Selection:
    from newel.compiler.checks import Selection
    from newel.compiler.checks.selection import SelectionError

    try:
        return Selection(select or settings.select, ignore or settings.ignore, settings.severity)
    except SelectionError as error:
        raise ConfigError(str(error)) from error


def _host(settings: Config) -> Host:
    """What the configuration says of the host. Its handlers are not asked: checking a file runs nobody's code."""
    from newel.compiler.checks import Host

    return Host(triggers=None if settings.host_triggers is None else frozenset(settings.host_triggers))


def _files(chosen: Sequence[Path], settings: Config, selection: Selection) -> list[Finding]:
    """Each file is judged with what it uses, as it will be compiled; one that another uses is judged with that."""
    from newel.compiler import check_files

    root = project_root(chosen, settings)
    units: dict[Path, Checked] = {}
    used: set[str] = set()
    for path in chosen:
        unit = check_files([path], root, selection=selection, host=_host(settings), limits=settings.limits)
        units[path] = unit
        used.update(file.source.path for file in unit.model.files if not file.root)
    found: dict[tuple[object, ...], Finding] = {}
    for path, unit in units.items():
        roots = [file.source.path for file in unit.model.files if file.root]
        if path in chosen and not used.intersection(roots):
            for finding in unit.findings:
                span = finding.span
                found[(span.source.path, span.start, span.end, finding.rule.code, finding.message)] = finding
    return sorted(found.values(), key=lambda f: (f.span.source.path, f.span.start, f.rule.code))


def _text(settings: Config, selection: Selection) -> list[Finding]:
    from newel.compiler import check_text

    text, host = standard_input(), _host(settings)
    checked = check_text(text, "<stdin>", settings.root, selection=selection, host=host, limits=settings.limits)
    return list(checked.findings)


def _colour(format_: str) -> bool:
    import os

    return format_ == "text" and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
