"""`newel completion`: print what makes a shell complete commands and options."""

from __future__ import annotations

import click

from newel.runtime.cli.shells import KINDS


@click.command()
@click.argument("shell", type=click.Choice(list(KINDS)))
def completion(shell: str) -> None:
    """Print what makes a shell complete commands and options.

    \b
    eval "$(newel completion bash)"                                    in ~/.bashrc
    eval "$(newel completion zsh)"                                     in ~/.zshrc, behind compinit
    newel completion fish > ~/.config/fish/completions/newel.fish      once
    """
    from newel.runtime.cli.app import COMPLETE, app

    made = KINDS[shell](app, {}, "newel", COMPLETE)
    # Not `source()`: that asks an installed bash for its version, and this one may be for another machine.
    click.echo(made.source_template % made.source_vars())
