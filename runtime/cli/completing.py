"""`newel completion`: print what makes a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "fish", "zsh")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what makes a shell complete commands and options.

    \b
    eval "$(newel completion bash)"                                    in ~/.bashrc
    eval "$(newel completion zsh)"                                     in ~/.zshrc, behind compinit
    newel completion fish > ~/.config/fish/completions/newel.fish      once
    """
    from newel.runtime.cli.app import app

    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 - click has the three that can be chosen
    made = kind(app, {}, "newel", "_NEWEL_COMPLETE")
    # Not `source()`: that asks an installed bash for its version, and this one may be for another machine.
    click.echo(made.source_template % made.source_vars())
