"""`newel fmt`: bring workflow files into the one layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from newel.runtime.cli.common import cannot, config, files, standard_input
from newel.runtime.cli.rewriting import echo_patch, rewrite

if TYPE_CHECKING:
    from newel.dsl.findings import Finding

STDIN = "<stdin>"


@dataclass(frozen=True)
class Laid:
    """What became of one file: its bytes before and after, or the findings for which it was left alone."""

    shown: str
    before: bytes
    after: bytes
    findings: list[Finding]

    @property
    def differs(self) -> bool:
        """Whether it is not in the layout."""
        return self.before != self.after


@click.command("fmt")
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@click.option("--check", is_flag=True, help="Write nothing; name the files that differ, and exit with 1 if any does.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def fmt(paths: tuple[str, ...], check: bool, diff: bool) -> int:
    """Bring workflow files into the one layout.

    PATH is a file, a folder (searched for *.newel) or - for standard input, which goes to standard output; the
    configured paths, else this folder, unless given. A file with syntax errors is left alone (exit code 1).

    \b
    newel fmt                   every workflow below this folder
    newel fmt --check boards    in a job
    """
    if paths == ("-",):
        laid = _laid(standard_input(), STDIN)
        if not (check or diff or laid.findings):
            click.echo(laid.after, nl=False)
        return _outcome([laid], check, diff)
    chosen = files(paths, config(paths))
    if not chosen:
        cannot("there are no workflow files (*.newel) here: name one, or a folder that has some")
    results = []
    failed = False
    for path in chosen:
        try:
            laid = _laid(path.read_bytes(), path.as_posix())
            if laid.differs and not (check or diff):
                rewrite(path, laid.after)
        except OSError as error:
            failed = True
            click.echo(f"error: cannot format '{click.format_filename(path)}': {error.strerror or error}", err=True)
        else:
            results.append(laid)
    code = _outcome(results, check, diff)
    return 3 if failed else code


def _laid(data: bytes, shown: str) -> Laid:
    """The bytes of a file, laid out."""
    from newel.dsl.findings import Finding
    from newel.dsl.layout import format_source
    from newel.dsl.reading import BOM, decode

    source = decode(data, shown)
    if isinstance(source, Finding):
        return Laid(shown, data, data, [source])
    text, findings = format_source(source)
    if text is None:
        return Laid(shown, data, data, findings)
    return Laid(shown, data, (BOM if source.bom else b"") + text.encode("utf-8"), [])


def _outcome(results: list[Laid], check: bool, diff: bool) -> int:
    """Say what was found; the exit code."""
    differing = [laid for laid in results if laid.differs]
    findings = [finding for laid in results for finding in laid.findings]
    if diff:
        for laid in differing:
            echo_patch(laid.shown, laid.before, laid.after)
    elif differing and differing[0].shown != STDIN:
        click.echo("\n".join(laid.shown for laid in differing))
    elif check and differing:
        click.echo(STDIN)
    if findings:
        from newel.compiler.reports import report

        click.echo(report("text", findings, len(results)), err=True, nl=False)
    if results and results[0].shown != STDIN:
        _count(results, differing, check or diff)
    return int(bool(findings or (check and differing)))


def _count(results: list[Laid], differing: list[Laid], only_looked: bool) -> None:
    """One line on standard error with how many files there were of each kind."""
    broken = sum(bool(laid.findings) for laid in results)
    same = len(results) - len(differing) - broken
    parts = [
        (len(differing), "would change" if only_looked else "changed"),
        (same, "in the layout" if only_looked else "as before"),
        (broken, "left alone: syntax errors"),
    ]
    click.echo(", ".join(f"{count} {what}" for count, what in parts if count), err=True)
