"""`newel explain`: the page of a finding."""

from __future__ import annotations

import click

from newel.compiler.explain import UnknownCode, list_codes
from newel.compiler.explain import explain as page
from newel.runtime.cli.offering import codes


@click.command()
@click.argument("code", required=False, shell_complete=codes)
@click.option("--all", "all_", is_flag=True, help="List every code.")
def explain(code: str | None, all_: bool) -> int:
    """Say what a finding means, with an example of it and its mending. CODE is NW301, or kind-in-no-list; NW3
    lists the codes that begin so.

    \b
    newel explain NW301
    newel explain NW3
    newel explain --all
    """
    if all_ or code is None:
        click.echo(list_codes(), nl=False)
        return 0
    try:
        click.echo(page(code), nl=False)
    except UnknownCode as error:
        click.echo(f"error: {error}", err=True)
        return 2
    return 0
