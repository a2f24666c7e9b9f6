"""`newel graph`: draw a workflow."""

from __future__ import annotations

import click

from newel.compiler.exports import EXPORTS
from newel.runtime.cli.common import config, generated_to, program_of, write_generated
from newel.runtime.cli.offering import workflows


@click.command()
@click.argument("path", metavar="PATH", type=click.Path())
@click.option("--workflow", metavar="NAME", shell_complete=workflows, help="Which one, where the file has several.")
@click.option(
    "--format",
    "format_",
    type=click.Choice([e.name for e in EXPORTS]),
    default="svg",
    show_default=True,
    help="What the picture is written in.",
)
@generated_to
@click.option("--dot", metavar="PROGRAM", help="Lay it out with this dot program instead of the one that came along.")
def graph(path: str, workflow: str | None, format_: str, output: str | None, dot: str | None) -> None:
    """Draw a workflow as SVG, Mermaid or DOT.

    Mermaid draws up to 500 edges and 50,000 characters as it comes; of a larger picture a note says so.

    \b
    newel graph office.newel -o office.svg
    newel graph office.newel --workflow office --format mermaid
    """
    from newel.compiler.exports import graph as draw
    from newel.compiler.exports.mermaid import beyond

    program = program_of([path], config((path,)))
    names = list(program.workflows)
    if workflow is None:
        if len(names) != 1:
            raise click.UsageError(
                f"which one? The file has {', '.join(names) or 'no workflow'}: name it with --workflow"
            )
        workflow = names[0]
    text = draw(program, workflow, format_, dot=dot)
    write_generated(text, output)
    if format_ == "mermaid" and (said := beyond(text)):
        click.echo(f"note: {said}; {_INSTEAD}", err=True)


_INSTEAD = (
    "raise `maxEdges` and `maxTextSize` where it is rendered, draw it as SVG, or let `newel docs --format markdown` "
    "draw it stage by stage"
)
