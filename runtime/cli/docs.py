"""`newel docs`: write the documentation of workflows."""

from __future__ import annotations

from pathlib import Path

import click

from newel.runtime.cli.common import config, program_of


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@click.option("-o", "--output", metavar="DIR", type=click.Path(), required=True, help="The folder to write into.")
def docs(paths: tuple[str, ...], output: str) -> None:
    """Write the documentation of workflows as pages that open from disk: open index.html.

    \b
    newel docs office.newel -o site
    """
    from newel.compiler.docs import render_docs

    program = program_of(paths, config())
    written = render_docs(program, Path(output))
    click.echo(f"wrote {len(written)} pages; open {click.format_filename(Path(output) / 'index.html')}", err=True)
