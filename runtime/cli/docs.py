"""`newel docs`: write the documentation of workflows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from newel.compiler.counting import counted
from newel.runtime.cli.common import compiled_of, config

if TYPE_CHECKING:
    from newel.compiler.program import Program


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@click.option("-o", "--output", metavar="DIR", type=click.Path(), required=True, help="The folder to write into.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["html", "markdown"]),
    default="html",
    show_default=True,
    help="Pages that open from disk, or for repositories and wikis.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 where the folder is not up to date.")
@click.option("--force", is_flag=True, help="Write over files that are not as `newel docs` wrote them.")
@click.option("--against", metavar="OLD", help="Tell what changed since a file, a folder, or git:REF.")
@click.option(
    "--templates",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="A folder whose templates go before those that came along.",
)
@click.option(
    "--dot", metavar="PROGRAM", help="Lay pictures out with this dot program instead of the one that came along."
)
def docs(
    paths: tuple[str, ...],
    output: str,
    format_: str,
    check: bool,
    force: bool,
    against: str | None,
    templates: str | None,
    dot: str | None,
) -> int:
    """Write the documentation of workflows as pages that open from disk: open index.html.

    \b
    newel docs office.newel -o site
    newel docs office.newel -o docs/workflows --format markdown
    newel docs office.newel -o docs/workflows --format markdown --check    in CI
    """
    from newel.compiler.docs import render_docs, stale_docs
    from newel.compiler.errors import InTheWay

    program, compiled = compiled_of(paths, config(paths))
    older = _older(against, paths) if against else None
    own, folder = Path(templates) if templates else None, Path(output)
    if check:
        found = stale_docs(
            program, folder, format=format_, dot=dot, templates=own, against=older, pieces=compiled.pieces
        )
        for each in found:
            click.echo(f"{each.state}: {click.format_filename(folder / each.name)}", err=True)
        said = "write the documentation anew with the same command, without --check" if found else "up to date"
        click.echo(said, err=True)
        return int(bool(found))
    try:
        written = render_docs(
            program, folder, format=format_, dot=dot, templates=own, against=older, force=force, pieces=compiled.pieces
        )
    except InTheWay as error:
        raise click.UsageError(f"{error}: nothing is written; choose another folder, or give --force") from error
    pages = [path for path in written if path.suffix in (".html", ".md")]
    click.echo(f"wrote {counted(len(pages), 'page')}; open {click.format_filename(pages[0])}", err=True)
    return 0


def _older(side: str, paths: tuple[str, ...]) -> Program:
    """The program to compare with. A `git:REF` without a path means what is documented."""
    from newel.runtime.cli.sides import older

    return older(side, paths, config(paths)).program
