"""`newel test`: play the scenarios of workflow files."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import click

from newel.runtime.cli.common import cannot, config, files, project_root

if TYPE_CHECKING:
    from newel.compiler.config import Config
    from newel.compiler.scenarios.collecting import Playable
    from newel.dsl.findings import Finding
    from newel.runtime.handlers import Handlers
    from newel.runtime.scenarios import Coverage, Result

FORMATS = ("text", "junit", "json")


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@click.option("-k", "name", metavar="TEXT", help="Only scenarios whose title holds this text, in any case.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="What the report looks like.",
)
@click.option("--trace", is_flag=True, help="Show what each scenario did, also where it is ok.")
@click.option("--coverage", is_flag=True, help="Show which steps, moves, guards and entry actions no scenario saw.")
@click.option(
    "--fail-under", type=click.FloatRange(0, 100), metavar="N", help="Exit with 1 where less than N % is seen."
)
@click.option(
    "--with-handlers",
    is_flag=True,
    help="Run your own handlers too. Without it nobody's code is run: kinds of yours count as done.",
)
def test(
    paths: tuple[str, ...],
    name: str | None,
    format_: str,
    trace: bool,
    coverage: bool,
    fail_under: float | None,
    with_handlers: bool,
) -> int:
    """Play the scenarios of workflow files, each on a ledger in memory of its own.

    PATH is a file or a folder (searched for *.newel); the configured paths, else this folder, unless given. Exits with
    1 where a scenario fails or a file has errors, with 3 where there is no scenario.

    \b
    newel test
    newel test office.newel -k rejection --trace
    newel test --coverage --fail-under 90
    newel test --format junit > scenarios.xml
    """
    from newel.runtime.cli.verdicts import FORMATS, Verdicts, shown_percent
    from newel.runtime.scenarios import Coverage

    seen = Coverage()
    results, wrong = _played(paths, name, seen, with_handlers)
    if not results and not wrong:
        cannot("there is no scenario here" + (f" whose title holds {name!r}" if name else ""))
    asked = coverage or fail_under is not None
    verdicts = Verdicts(results, seen if asked else None, trace)
    click.echo("\n".join(FORMATS[format_](verdicts)))
    too_little = fail_under is not None and seen.percent() < fail_under
    if too_little:
        click.echo(f"error: the coverage is {shown_percent(seen)} %, less than {fail_under:g} %", err=True)
    return int(wrong or too_little or bool(verdicts.failed))


def _played(paths: tuple[str, ...], name: str | None, seen: Coverage, with_handlers: bool) -> tuple[list[Result], bool]:
    """The results of all scenarios that are meant, and whether a file has errors, which are shown."""
    from newel.compiler.reports import report
    from newel.compiler.scenarios.collecting import collected
    from newel.runtime.cli.serving import handlers

    settings = config(paths)
    chosen = files(paths, settings)
    if not chosen:
        cannot("there are no workflow files (*.newel) here: name one, or a folder that has some")
    own = handlers(settings) if with_handlers else None
    quiet()
    results: list[Result] = []
    wrong: list[Finding] = []
    for unit in collected(chosen, project_root(chosen, settings), settings.limits):
        if not unit.checked.good:
            wrong += unit.checked.findings
        else:
            results += _unit(unit, name, seen, settings, own)
    if wrong:
        click.echo(report("text", wrong, len({f.span.source.path for f in wrong})), err=True, nl=False)
    return sorted(results, key=_order), bool(wrong)


def _order(result: Result) -> tuple[str, int]:
    return result.script.span.source.path, result.script.span.start


def _unit(unit: Playable, name: str | None, seen: Coverage, settings: Config, own: Handlers | None) -> list[Result]:
    from newel.compiler.scenarios.script import people
    from newel.runtime.scenarios import Stage, run
    from newel.runtime.scenarios.standins import Cast

    assert unit.program is not None  # noqa: S101 - asked by the caller
    results = []
    for script in unit.scripts:
        if name is None or name.casefold() in script.title.casefold():
            agents = Cast(settings.agents, people(script.lines))
            with Stage(unit.program, script.workflow, agents, own) as stage:
                results.append(run(script, stage))
    seen.add(unit.program, (said.act for result in results for said in result.trace if said.act is not None))
    return results


def quiet() -> None:
    """Keep the runtime's log out of the way: what it would say stands in the traces."""
    logging.getLogger("newel").addHandler(logging.NullHandler())
