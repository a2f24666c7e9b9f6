"""`newel ledger`: look at a ledger, verify it, dispatch entries again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from newel.compiler.counting import counted
from newel.compiler.errors import NewelError
from newel.compiler.reports.safe import safe
from newel.runtime.cli.serving import Desk, desk
from newel.runtime.cli.shown import (
    as_json,
    audit_lines,
    help_lines,
    report_failed,
    report_lines,
    running_lines,
    table,
)

if TYPE_CHECKING:
    from newel.runtime.outcomes import EntryReport
    from newel.runtime.service import Service


@click.group()
def ledger() -> None:
    """Look at a ledger, verify it, and dispatch entries again.

    \b
    newel ledger history T-1 --ledger tasks.db
    newel ledger audit --ledger tasks.db
    """


@ledger.command()
@click.argument("name", metavar="TASK")
@desk
def history(desk: Desk, name: str) -> None:
    """Show every arrival of a task, oldest first.

    \b
    newel ledger history T-1
    """
    desk.file_must_exist()
    with desk.opened() as opened, opened.read() as reader:
        rows = list(reader.history(name))
    if not rows:
        from newel.runtime import UnknownTask

        raise UnknownTask(f"no task '{name}' is in the ledger")
    if desk.json:
        click.echo(as_json(rows), nl=False)
        return
    lines = [
        (
            row.id,
            row.from_step,
            row.to_step,
            row.route,
            f"{row.actor_kind}:{row.actor_id or ''}".rstrip(":"),
            row.occurred_at,
        )
        for row in rows
    ]
    click.echo(table(lines, ("entry", "from", "to", "route", "actor", "at")), nl=False)


@ledger.command()
@desk
def audit(desk: Desk) -> None:
    """Verify a ledger from its tables: every chain, every entry's records, every key. Exits 1 on a finding.

    \b
    newel ledger audit --json
    """
    from newel.runtime.audit import audit as run_audit

    desk.file_must_exist()
    with desk.opened() as opened:
        result = run_audit(opened)
    if desk.json:
        click.echo(as_json(result), nl=False)
    else:
        for word, entries in (("finding", result.findings), ("note", result.notes)):
            for entry in entries:
                positions = f", positions {', '.join(map(str, entry.positions))}" if entry.positions else ""
                click.echo(f"{word}: {entry.kind}: entry {entry.entry_id} of {safe(entry.task)}{positions}")
                for line in audit_lines(entry):
                    click.echo(line)
        click.echo("clean" if result.clean else counted(len(result.findings), "finding"))
    if not result.clean:
        click.get_current_context().exit(1)


@ledger.command()
@click.argument("entry", type=int, required=False)
@click.option("--lost", is_flag=True, help="Every entry that audit calls lost or partly lost.")
@desk
def redispatch(desk: Desk, entry: int | None, lost: bool) -> None:
    """Dispatch the current entry of a task again; what took effect is recognised and not done twice.

    With --lost each is done by its own, whatever becomes of the others; entries of the last minute may still be running
    and are only named. Exits with 1 where an action failed, with 3 where an entry could not be dispatched.

    \b
    newel ledger redispatch 17
    """
    if (entry is None) == (not lost):
        raise click.UsageError("name an entry, or say --lost")
    desk.file_must_exist()
    told: list[EntryReport | _Undone] = []
    with desk.service() as service:
        found = _found(service) if lost else {}
        for each in [service.redispatch(entry)] if entry is not None else _lost(service, found):
            told.append(each)
            if not desk.json:  # at once: what comes next may end the process
                _tell(each)
    if desk.json:
        click.echo(as_json(told), nl=False)
    reports = [each for each in told if not isinstance(each, _Undone)]
    if not desk.json and (last := help_lines(reports) or ([] if told else ["nothing is lost"])):
        click.echo("\n".join(last))
    for line in running_lines(found.get("running", [])):
        click.echo(line, err=desk.json)
    if len(reports) < len(told):
        click.get_current_context().exit(3)
    if any(report_failed(report) for report in reports):
        click.get_current_context().exit(1)


@dataclass(frozen=True, slots=True)
class _Undone:
    """An entry that could not be dispatched, and why."""

    entry_id: int
    error: str


def _found(service: Service) -> dict[str, list[int]]:
    """The entries an audit has something to say of, by what it says."""
    audit = service.audit()
    found: dict[str, list[int]] = {}
    for item in (*audit.findings, *audit.notes):
        if item.entry_id is not None:
            found.setdefault(item.kind, []).append(item.entry_id)
    return found


def _lost(service: Service, found: Mapping[str, list[int]]) -> Iterator[EntryReport | _Undone]:
    """Dispatch all that audit calls lost. Meanwhile its task may be removed, or the ledger not answer."""
    for number in sorted({*found.get("lost", []), *found.get("partly_lost", [])}):
        try:
            yield service.redispatch(number)
        except NewelError as error:
            yield _Undone(number, str(error))


def _tell(each: EntryReport | _Undone) -> None:
    if isinstance(each, _Undone):
        click.echo(f"error: entry {each.entry_id}: {safe(each.error)}", err=True)
    else:
        click.echo("\n".join(report_lines(each)))


@ledger.command()
@desk
def migrate(desk: Desk) -> None:
    """Bring the ledger's schema up to date; safe to run again.

    \b
    newel ledger migrate --ledger tasks.db
    """
    from newel.runtime import open_ledger

    desk.file_must_exist()
    open_ledger(desk.url(), migrate=True).close()
    click.echo("the ledger is up to date")
