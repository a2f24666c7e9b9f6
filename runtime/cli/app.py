"""The group of commands, and what is done about an error that reaches the top."""

from __future__ import annotations

import contextlib
import os
import sys
from importlib import import_module
from pathlib import Path

import click

from newel.compiler.config import ConfigError
from newel.compiler.errors import BadArgument, NewelError, UnknownTrigger, UnknownWorkflow
from newel.compiler.version import __version__
from newel.runtime.cli.interrupting import interrupted

# command -> (module, object, one line for --help); the modules are loaded only when their command is run
COMMANDS: dict[str, tuple[str, str, str]] = {
    "check": ("newel.runtime.cli.check", "check", "Check workflow files and report what is wrong with them."),
    "completion": (
        "newel.runtime.cli.completing",
        "completion",
        "Print what makes a shell complete commands and options.",
    ),
    "compile": ("newel.runtime.cli.compile", "compile_", "Compile workflow files to a program in JSON."),
    "config": ("newel.runtime.cli.configuring", "config_", "Show the configuration in force, and where it came from."),
    "diff": ("newel.runtime.cli.diff", "diff", "Say what changed between two versions for tasks on their way."),
    "docs": ("newel.runtime.cli.docs", "docs", "Write the documentation of workflows as a web site."),
    "explain": ("newel.runtime.cli.explain", "explain", "Explain a finding, with an example of it and its mending."),
    "export": ("newel.runtime.cli.exporting", "export", "Turn Newel workflows into a Kandev workflow file."),
    "fmt": ("newel.runtime.cli.fmt", "fmt", "Bring workflow files into the one layout."),
    "graph": ("newel.runtime.cli.graph", "graph", "Draw a workflow as SVG, Mermaid or DOT."),
    "import": ("newel.runtime.cli.importing", "import_", "Turn a Kandev workflow file into a Newel file."),
    "init": ("newel.runtime.cli.starting", "init", "Begin a project: a workflow, its configuration, a CI job."),
    "ledger": ("newel.runtime.cli.ledger", "ledger", "Look at a ledger, verify it, and dispatch entries again."),
    "simulate": ("newel.runtime.cli.simulating", "simulate", "Walk a workflow, without a ledger."),
    "task": ("newel.runtime.cli.task", "task", "Create and move tasks, fire triggers, record decisions."),
    "test": ("newel.runtime.cli.testing", "test", "Play the scenarios of workflow files."),
}

COMPLETE = "_NEWEL_COMPLETE"
"""What a shell sets when the tab key is pressed."""

EXIT_ERRORS = 1
EXIT_USAGE = 2
EXIT_CANNOT = 3


class Commands(click.Group):
    """A group whose commands are loaded on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click hands it in
        """The names of all commands, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click hands it in
        """Load one command; None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)  # noqa: S101 - the table above is ours
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with a suggestion for a misspelt command."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean '{near[0]}'?", ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, so that --help loads none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][2]) for name in self.list_commands(ctx)])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="newel", message="%(prog)s %(version)s")
def app() -> None:
    """Check, compile, run and document workflows written in Newel.

    \b
    newel init                      begin a project in this folder
    newel check                     check every workflow below this folder
    newel explain NW301             what a finding means, and how to mend it
    newel docs office.newel -o site write its documentation
    """


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 clean, 1 errors found, 2 wrong use or configuration,
    3 nothing to do or the program could not go on, 130 interrupted."""
    _open_outputs()
    if COMPLETE in os.environ:
        _complete()
    try:
        return _run(arguments)
    except BrokenPipeError:
        _close_output()  # the reader has gone (`| head`)
        return EXIT_CANNOT
    except OSError as error:
        _close_output()  # the disk may be full
        where = f" '{click.format_filename(error.filename)}'" if error.filename else ""
        click.echo(f"error: {(error.strerror or str(error)).lower()}{where}", err=True)
        return EXIT_CANNOT
    except KeyboardInterrupt:
        return interrupted()


def _complete() -> None:
    """A shell asks what may follow: let click know our answers to each."""
    from click.shell_completion import add_completion_class

    from newel.runtime.cli.shells import KINDS

    for kind in KINDS.values():
        add_completion_class(kind)


def _open_outputs() -> None:
    """Give an output that the caller has closed (`>&-`) a place to go: Python leaves None there."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - for all of the command


def _close_output() -> None:
    """Let go of what could not be written: Python would complain once more when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str] | None) -> int:
    try:
        code = app.main(args=arguments, prog_name="newel", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        return interrupted()
    except click.UsageError as error:
        error.show()
        return EXIT_USAGE
    except click.ClickException as error:
        error.show()
        return EXIT_CANNOT
    except ConfigError as error:
        click.echo(f"error: {error}", err=True)
        return EXIT_USAGE
    except NewelError as error:
        click.echo(f"error: {error}", err=True)
        return EXIT_USAGE if _wrong_use(error) else EXIT_CANNOT
    return code if isinstance(code, int) else 0


def _wrong_use(error: NewelError) -> bool:
    """Whether an argument of the command line is to blame: it does not fit, or is a name that the program lacks."""
    from newel.runtime.errors import EntryTrigger, PayloadError, UnknownRole, UnknownStep  # a check loads no runtime

    kinds = (BadArgument, EntryTrigger, PayloadError, UnknownRole, UnknownStep, UnknownTrigger, UnknownWorkflow)
    return isinstance(error, kinds)
