"""`newel diff`: what changed for tasks on their way."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from newel.compiler.reports import REPORTS, report
from newel.runtime.cli.common import config, selection_of
from newel.runtime.cli.offering import codes

if TYPE_CHECKING:
    from newel.compiler.checks import Selection
    from newel.compiler.config import Config
    from newel.compiler.diff import Change, Version
    from newel.compiler.program import Place
    from newel.dsl.findings import Finding, Rule, Severity
    from newel.runtime.judging import Judged

    Found = Sequence[tuple[Change, Finding]]

_CHANGES = "NW8"


def _codes(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:  # noqa: ARG001 - click's form
    return tuple(code.strip() for code in (value or "").split(",") if code.strip())


@click.command()
@click.argument("old", metavar="OLD", type=click.Path())
@click.argument("new", metavar="NEW", type=click.Path())
@click.option(
    "--ledger", metavar="URL", help="Judge the tasks that stand there now: a URL, or the path of an SQLite file."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice([r.name for r in REPORTS]),
    default="text",
    show_default=True,
    help="What the report looks like.",
)
@click.option(
    "--select",
    callback=_codes,
    shell_complete=codes,
    metavar="CODE,...",
    help="Say only what has these codes, or codes that begin so.",
)
@click.option(
    "--ignore",
    callback=_codes,
    shell_complete=codes,
    metavar="CODE,...",
    help="Say nothing of these codes, or codes that begin so.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 where something needs a mapping or a look, too.")
def diff(
    old: str, new: str, ledger: str | None, format_: str, select: tuple[str, ...], ignore: tuple[str, ...], strict: bool
) -> int:
    """Say what changed between two versions of workflow files, and what it does to tasks on their way.

    OLD and NEW are files or folders, or git:REF or git:REF:PATH for what a git repository had there; without PATH the
    ref is asked for what the other side names. Exits with 1 where the change breaks tasks: with --ledger, where it
    breaks one that stands there, or what the host fires.

    \b
    newel diff git:main office.newel             what this branch changes
    newel diff git:v1.2:boards git:v1.3:boards   between two releases
    newel diff git:HEAD . --ledger tasks.db      what it does to the tasks there are
    """
    from newel.compiler.diff import allowing_nothing, compare, findings_of_changes
    from newel.runtime.cli.sides import GIT, compiled, placing_of

    settings = config(side for side in (new, old) if not side.startswith(GIT))
    before, after = compiled(old, new, settings)
    selection = _selection(settings, select, ignore)
    changes = compare(before.program, after.program)
    found = findings_of_changes(changes, before, after, selection)
    judged = None if ledger is None else _judged(ledger, before, after, selection, settings)
    placed = placing_of((old, new), settings)
    click.echo(_shown(format_, found, judged, before, after, placed), nl=False, color=True)
    for comment in allowing_nothing(changes, after):
        at = f"{comment.span.source.path}:{comment.span.first.line}"
        click.echo(f"{at}: this comment allows {comment.code}, and no such change is here: delete it", err=True)
    return int(_worst(found, judged) >= (1 if strict else 2))


def _selection(settings: Config, select: tuple[str, ...], ignore: tuple[str, ...]) -> Selection:
    """What is asked for beside what is configured. Of a configured `select` that counts which speaks of changes: one
    that names checks alone has said nothing of them."""
    from newel.compiler.checks.selection import SelectionError

    configured = selection_of(settings)
    of_changes = tuple(code for code in configured.select if code.startswith(_CHANGES) or _CHANGES.startswith(code))
    try:
        return replace(configured, select=select or of_changes, ignore=(*configured.ignore, *ignore))
    except SelectionError as error:
        raise click.UsageError(str(error)) from error


def _judged(url: str, before: Version, after: Version, selection: Selection, settings: Config) -> Sequence[Judged]:
    from newel.dsl.findings import Finding
    from newel.runtime.cli.serving import Desk
    from newel.runtime.judging import judge
    from newel.runtime.ports import Actor

    def grade(rule: Rule, place: Place | None) -> Severity | None:
        span = after.span(place)
        finding = Finding(rule, span or after.anywhere())
        wanted = selection.wants(finding) and not after.allows(rule.code, span)
        return selection.graded(finding).rule.severity if wanted else None

    desk = Desk((), url, False, Actor(), False, settings)
    if desk.url().startswith("memory:"):
        raise click.UsageError("a ledger in memory lives in its own process: no task stands in this one")
    desk.file_must_exist()
    known = settings.agents
    agents = {known.runner, *known.targets.values(), *(each.id for each in known.candidates)} - {None}
    with desk.opened() as opened:
        return judge(opened, before.program, after.program, grade=grade, agents=(agent for agent in agents if agent))


def _worst(found: Found, judged: Sequence[Judged] | None) -> int:
    """0 compatible, 1 needs a mapping, 2 breaks. Of what concerns tasks the ledger has the last word."""
    from newel.runtime.judging import Verdict

    grades = [
        ("note", "warning", "error").index(finding.rule.severity)
        for change, finding in found
        if judged is None or not change.concerns
    ]
    order = tuple(Verdict)
    return max([*grades, *(order.index(each.verdict) for each in judged or ())], default=0)


def _shown(
    format_: str,
    found: Found,
    judged: Sequence[Judged] | None,
    before: Version,
    after: Version,
    placed: Callable[[str], str],
) -> str:
    from newel.runtime.cli.judged import as_data, summary, task_lines

    findings = [finding for _, finding in found]
    paths = sorted({*before.sources, *after.sources})
    if format_ == "json":
        document: dict[str, Any] = json.loads(report("json", findings, len(paths)))
        document |= {"verdict": _VERDICTS[_worst(found, judged)], "changes": _tree(found), "ledger": as_data(judged)}
        return json.dumps(document, indent=2) + "\n"
    tasks = [] if judged is None else list(task_lines(judged))
    if format_ != "text":
        if tasks:
            click.echo("\n".join(tasks), err=True)
        color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        command, clean = "newel diff", sorted(after.sources)
        return report(format_, findings, len(paths), color=color, paths=clean, command=command, placed=placed)
    from newel.compiler.diff import nested

    lines = [*nested(found), *tasks, summary(_worst(found, judged), findings, judged)]
    return "\n".join(lines) + "\n"


_VERDICTS = ("compatible", "needs_mapping", "breaks")


def _tree(found: Found) -> dict[str, Any]:
    """The findings by category, workflow and step: each as its number in the list of findings."""
    from newel.compiler.diff.registry import category

    tree: dict[str, Any] = {"shape": {}, "flow": {}, "in flight": {}}
    for number, (change, finding) in enumerate(found):
        node: dict[str, Any] = {"in": tree[category(finding.rule)]}
        for name in change.group:
            node = node["in"].setdefault(name, {"findings": [], "in": {}})
        node["findings"].append(number)
    return tree
