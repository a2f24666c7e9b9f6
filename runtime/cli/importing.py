"""`newel import`: turn a Kandev workflow file into a Newel file."""

from __future__ import annotations

from pathlib import Path

import click

from newel.compiler.reports import report
from newel.runtime.cli.common import cannot, standard_input, write


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("-o", "--output", metavar="FILE", type=click.Path(), help="Write to a file instead of standard output.")
@click.option("--force", is_flag=True, help="Write over a file that is there and says something else.")
def import_(file: str, output: str | None, force: bool) -> int:
    """Turn a Kandev workflow file, YAML or JSON, into a Newel file.

    What it cannot carry, and what means something else from now on, is reported on standard error. Nothing is written
    where there are errors (exit code 1). A file that is there and says something else is kept (exit code 2).

    \b
    newel import office.yml -o office.newel
    """
    from newel.compiler.imports import import_file, import_text

    if file == "-":
        imported = import_text(standard_input(), "<stdin>")
    elif not Path(file).is_file():
        cannot(f"there is no file '{click.format_filename(file)}'")
    else:
        imported = import_file(Path(file))
    if imported.findings:
        click.echo(report("text", imported.findings, 1), err=True, nl=False)
    if imported.text is None:
        return 1
    if output is not None and not force and _differs(Path(output), imported.text):
        raise click.UsageError(f"'{click.format_filename(output)}' is there and differs; --force writes over it")
    write(imported.text, output)
    return 0


def _differs(path: Path, text: str) -> bool:
    """Whether a file is there that says something else; a device or a pipe says nothing."""
    return path.is_file() and path.read_bytes() != text.encode("utf-8")
