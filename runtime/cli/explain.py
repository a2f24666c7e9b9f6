"""`newel explain`: the page of a finding."""

from __future__ import annotations

import click

from newel.compiler.explain import UnknownCode, list_codes
from newel.compiler.explain import explain as page


@click.command()
@click.argument("code", required=False)
@click.option("--all", "all_", is_flag=True, help="List every code.")
def explain(code: str | None, all_: bool) -> None:
    """Say what a finding means, with an example of it and its mending. CODE is NW301, or kind-in-no-list.

    \b
    newel explain NW301
    newel explain --all
    """
    if all_ or code is None:
        click.echo(list_codes(), nl=False)
        return
    try:
        click.echo(page(code), nl=False)
    except UnknownCode as error:
        raise click.UsageError(str(error)) from error
