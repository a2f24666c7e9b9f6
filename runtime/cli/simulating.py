"""`newel simulate`: walk a workflow on a ledger in memory, by hand or from a script of lines."""

from __future__ import annotations

import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from newel.runtime.cli.common import cannot, config, files, project_root, standard_input
from newel.runtime.cli.offering import workflows

if TYPE_CHECKING:
    from newel.compiler.config import Config
    from newel.compiler.scenarios import Line
    from newel.compiler.scenarios.collecting import Playable
    from newel.compiler.scenarios.reading import LineReader
    from newel.dsl.findings import Finding
    from newel.runtime.scenarios import Stage


@click.command()
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "--workflow", metavar="NAME", shell_complete=workflows, help="The workflow to walk, where the file has several."
)
@click.option("--script", metavar="FILE", type=click.Path(), help="Play the lines of this file; - for standard input.")
@click.option(
    "--with-handlers", is_flag=True, help="Run your own handlers too. Without it kinds of yours count as done."
)
def simulate(file: str, workflow: str | None, script: str | None, with_handlers: bool) -> int:
    """Walk a workflow without a ledger: see what runs, what is left to the session, and where the task stands.

    On a terminal you choose what happens. Else the lines of a scenario are read from standard input, or from the file
    of --script; then it exits with 1 where one of them fails.

    \b
    newel simulate office.newel
    printf 'create\\nfire turn_complete signalled=true\\n' | newel simulate office.newel
    """
    from newel.compiler.scenarios.reading import LineReader
    from newel.compiler.scenarios.script import people
    from newel.runtime.cli.serving import handlers
    from newel.runtime.cli.testing import quiet
    from newel.runtime.cli.walking import Walk, answer
    from newel.runtime.scenarios import Stage
    from newel.runtime.scenarios.recording import Recording
    from newel.runtime.scenarios.standins import Cast

    settings = config((file,))
    unit = _playable(file, settings)
    chosen = _workflow(unit, workflow)
    text = None if script is None and sys.stdin.isatty() else _script(script)
    own = handlers(settings) if with_handlers else None
    reader = LineReader(unit.checked.model, unit.checked.model.workflows[chosen], script or "<stdin>")
    quiet()
    program = unit.program
    assert program is not None  # noqa: S101 - a file with errors has ended the command
    cast = partial(Cast, settings.agents)
    if text is None:
        stage = partial(Stage, program, chosen)
        with closing(Recording(cast, lambda agents, ask: stage(agents, own, ask), answer)) as recording:
            Walk(recording, reader).go()
        return 0
    lines = _lines(reader, text)
    with Stage(program, chosen, cast(people(lines)), own) as played:
        return _play(played, lines)


def _playable(file: str, settings: Config) -> Playable:
    from newel.compiler.scenarios.collecting import playable

    chosen = files((file,), settings)
    if len(chosen) != 1:
        raise click.UsageError(f"'{click.format_filename(file)}' is no single file: name one")
    unit = playable(chosen[0], project_root(chosen, settings), settings.limits)
    if unit.program is None:
        _report(unit.checked.findings)
    return unit


def _workflow(unit: Playable, name: str | None) -> str:
    known = sorted(unit.checked.model.workflows)
    if not known:
        cannot("there is no workflow in this file")
    if name is None and len(known) == 1:
        return known[0]
    if name not in known:
        said = "which workflow?" if name is None else f"there is no workflow '{name}';"
        raise click.UsageError(f"{said} --workflow names one of {', '.join(known)}")
    return name


def _script(path: str | None) -> str:
    """The text of a script; a file that cannot be read ends the command."""
    from newel.dsl import decode
    from newel.dsl.findings import Finding

    try:
        data = standard_input() if path in (None, "-") else Path(path).read_bytes()
    except OSError as error:
        cannot(f"cannot read '{click.format_filename(path or '-')}': {error.strerror}")
    source = decode(data, path or "<stdin>")
    if isinstance(source, Finding):
        _report([source])
        return ""
    return source.text


def _lines(reader: LineReader, text: str) -> tuple[Line, ...]:
    lines, findings = reader.read(text)
    if findings:
        _report(findings)
    if not lines:
        cannot("there is nothing to play: a script holds lines such as `create` and `fire turn_complete`")
    return lines


def _report(findings: list[Finding] | tuple[Finding, ...]) -> None:
    """Show what is wrong, and end the command with 1."""
    from newel.compiler.reports import report

    click.echo(report("text", findings, len({f.span.source.path for f in findings})), err=True, nl=False)
    sys.exit(1)


def _play(stage: Stage, lines: tuple[Line, ...]) -> int:
    from newel.runtime.cli.traces import standing, trace_lines
    from newel.runtime.scenarios.playing import play

    trace = play(lines, stage)
    click.echo("\n".join(trace_lines(trace)))
    click.echo(standing(stage))
    return int(trace[-1].failure is not None)
