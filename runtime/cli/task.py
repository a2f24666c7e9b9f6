"""`newel task`: act on the tasks of a ledger."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from newel.compiler.reports.safe import safe
from newel.runtime.cli.offering import steps, triggers, workflows
from newel.runtime.cli.serving import Desk, desk
from newel.runtime.cli.shown import (
    as_json,
    failed,
    help_lines,
    outcome_lines,
    pulled_lines,
    redispatch_line,
    reports_of,
    table,
)

if TYPE_CHECKING:
    from newel.compiler.program import Step
    from newel.runtime.outcomes import Outcome
    from newel.runtime.rows import Task
    from newel.runtime.service import Service


@click.group()
def task() -> None:
    """Create and move tasks, fire triggers, record decisions.

    \b
    newel task create T-1 --workflow office --program office.newel --ledger tasks.db
    newel task fire T-1 turn_complete --signalled
    """


def _tell(desk: Desk, name: str, outcome: Outcome) -> None:
    if desk.json:
        click.echo(as_json(outcome), nl=False)
    else:
        click.echo("\n".join([*outcome_lines(name, outcome), *help_lines(reports_of(outcome))]))
    if outcome.kind.value == "abandoned" or failed(outcome):
        click.get_current_context().exit(1)


def _handlers_present(service: Service, steps: list[tuple[str, str]]) -> None:
    """Refuse before anything is done where the list of a step needs a kind that nobody runs here. What is wrong with a
    step that the program lacks, the call itself says."""
    known = [(workflow, step) for workflow, step in steps if _step(service, workflow, step) is not None]
    missing = sorted({kind for workflow, step in known for kind in service.unwired_at(workflow, step)})
    if missing:
        raise click.UsageError(
            f"no handler here for {', '.join(missing)}: name yours with `handlers` in the configuration,"
            " or accept that they fail with --without-handlers"
        )


def _step(service: Service, workflow: str | None, step: str | None) -> Step | None:
    """A step of the program, which may have lost the one where a task stands, or its workflow."""
    found = service.program.workflows.get(workflow or "")
    return None if found is None else found.steps.get(step or "")


def _reachable(service: Service, name: str, trigger: str) -> list[tuple[str, str]]:
    """The steps whose lists a trigger may set off: where its moves lead."""
    from newel.compiler.program import Move

    at = service.task(name)
    if at.workflow is None or at.step is None:
        return []
    step = _step(service, at.workflow, at.step)
    return [(at.workflow, item.to) for item in (step.on.get(trigger, ()) if step else ()) if isinstance(item, Move)]


without_handlers = click.option(
    "--without-handlers", is_flag=True, help="Go on although kinds of the destination have no handler here."
)


@task.command()
@click.argument("name", metavar="TASK")
@click.option("--workflow", required=True, shell_complete=workflows, help="The workflow it begins in.")
@click.option("--step", shell_complete=steps, help="The step it begins at; the workflow's start step unless given.")
@click.option("--priority", type=int, help="Larger is first where tasks wait.")
@click.option("--parent", help="The task it is a child of.")
@without_handlers
@desk
def create(desk: Desk, name: str, workflow: str, step: str | None, without_handlers: bool, **more: Any) -> None:
    """Create a task at a step and run that step's entry list.

    \b
    newel task create T-1 --workflow office --priority 5
    """
    with desk.service() as service:
        known = service.program.workflows.get(workflow)
        if known is not None and not without_handlers:
            _handlers_present(service, [(workflow, step or known.start)])
        _tell(desk, name, service.create(name, workflow=workflow, step=step, actor=desk.actor, **more))


@task.command()
@click.argument("name", metavar="TASK")
@click.argument("step", shell_complete=steps)
@click.option("--if-entry", type=int, metavar="N", help="Only if this is the task's current entry.")
@click.option("--over-limit", is_flag=True, help="Also where no place is free; else the task waits for one.")
@without_handlers
@desk
def move(desk: Desk, name: str, step: str, if_entry: int | None, over_limit: bool, without_handlers: bool) -> None:
    """Move a task to a step by hand.

    \b
    newel task move T-1 review --if-entry 7
    """
    with desk.service() as service:
        if not without_handlers:
            at = service.task(name)
            workflow = at.workflow or at.queued_workflow
            _handlers_present(service, [*([(workflow, step)] if workflow else []), *_freed(service, name)])
        _tell(desk, name, service.move(name, step, if_entry=if_entry, over_limit=over_limit, actor=desk.actor))


def _freed(service: Service, name: str) -> list[tuple[str, str]]:
    """The step that a task may leave a place free at, which another then takes."""
    from newel.runtime.limits import place_of

    place = place_of(service.task(name))
    return [place] if place is not None and service.wired().limits.limited(*place) else []


@task.command()
@click.argument("workflow", shell_complete=workflows)
@click.argument("step", shell_complete=steps)
@without_handlers
@desk
def pull(desk: Desk, workflow: str, step: str, without_handlers: bool) -> None:
    """Give the free places of a step to those who wait for one, then to the tasks of the step it pulls from.

    \b
    newel task pull office review
    """
    with desk.service() as service:
        if not without_handlers:
            _handlers_present(service, [(workflow, step)])
        outcomes = service.pull(workflow, step)
    if desk.json:
        click.echo(as_json(outcomes), nl=False)
    else:
        lines = [line for outcome in outcomes for line in pulled_lines(outcome)]
        lines += [line for outcome in outcomes for line in help_lines(reports_of(outcome))]
        click.echo("\n".join(lines or [f"{step}: nobody is let in"]))
    if any(failed(outcome) for outcome in outcomes):
        click.get_current_context().exit(1)


@task.command()
@click.argument("name", metavar="TASK")
@click.argument("trigger", shell_complete=triggers)
@click.option("--payload", metavar="JSON", help="What the trigger carries, as a JSON object.")
@click.option("--operation-id", metavar="ID", help="The delivery's id; built from the payload unless given.")
@click.option("--signalled", is_flag=True, help="The agent has signalled that it is done.")
@without_handlers
@desk
def fire(
    desk: Desk,
    name: str,
    trigger: str,
    payload: str | None,
    operation_id: str | None,
    signalled: bool,
    without_handlers: bool,
) -> None:
    """Fire a trigger at the step where a task stands.

    \b
    newel task fire T-1 comment --payload '{"comment_id": "17"}'
    """
    with desk.service() as service:
        if not without_handlers:
            reachable = _reachable(service, name, trigger)
            _handlers_present(service, [*reachable, *(_freed(service, name) if reachable else [])])
        outcome = service.handle(
            name,
            trigger,
            payload=_object(payload),
            operation_id=operation_id,
            signalled=signalled,
            actor=desk.actor,
        )
        _tell(desk, name, outcome)


def _object(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise click.BadParameter(f"it is no JSON: {error}", param_hint="'--payload'") from error
    if not isinstance(value, dict):
        raise click.BadParameter('it must be a JSON object, like {"comment_id": "17"}', param_hint="'--payload'")
    return value


@task.command()
@click.argument("name", metavar="TASK")
@click.argument("verdict")
@click.option("--role", required=True, help="The role in which it is decided.")
@click.option("--by", "decider", required=True, metavar="WHO", help="Who decides.")
@click.option("--note", help="Kept with the decision.")
@click.option("--if-entry", type=int, metavar="N", help="Only if this is the task's current entry.")
@without_handlers
@desk
def decide(
    desk: Desk,
    name: str,
    verdict: str,
    role: str,
    decider: str,
    note: str | None,
    if_entry: int | None,
    without_handlers: bool,
) -> None:
    """Record a decision - approved, rejected, ... - and take the move it lets through.

    \b
    newel task decide T-1 approved --role reviewer --by ada
    """
    from newel.runtime.advising import advice

    actor = desk.actor if desk.actor.kind != "unknown" else None
    with desk.service() as service:
        at, seats = service.task(name), service.seats(name)
        if not without_handlers and (reachable := _let_through(service, at)):
            _handlers_present(service, [*reachable, *_freed(service, name)])
        outcome = service.decide(
            name, role=role, decider=decider, verdict=verdict, note=note, if_entry=if_entry, actor=actor
        )
        if outcome.decision_id is not None:
            kind = actor.kind if actor else "agent"
            given = advice(service.program, at, seats, role=role, decider=decider, kind=kind, verdict=verdict)
            for line in given:
                click.echo(f"note: {safe(line)}", err=True)
        _tell(desk, name, outcome)


def _let_through(service: Service, at: Task) -> list[tuple[str, str]]:
    """The steps to which a decision may let a task move."""
    from newel.runtime.deciding import guarded

    step = _step(service, at.workflow, at.step)
    return [(at.workflow, to) for _, _, to, _ in guarded(service.program, step)] if at.workflow and step else []


@task.command()
@click.argument("approval", metavar="ID", type=int)
@click.option("--reject", is_flag=True, help="Settle it without the move.")
@without_handlers
@desk
def approve(desk: Desk, approval: int, reject: bool, without_handlers: bool) -> None:
    """Take the move that waits for an approval, or reject it. `task show` lists the approvals of a task.

    \b
    newel task approve 3 --reject
    """
    with desk.service() as service:
        asked = service.approval(approval)
        at = service.task(asked.task)
        if reject:
            _tell(desk, asked.task, service.reject(approval, actor=desk.actor))
            return
        if not without_handlers and at.workflow is not None and at.entry_id == asked.entry_id:
            _handlers_present(service, [(at.workflow, asked.to), *_freed(service, asked.task)])
        _tell(desk, asked.task, service.approve(approval, actor=desk.actor))


@task.command()
@click.argument("name", metavar="TASK")
@click.option("--step", required=True, shell_complete=steps, help="The step of the seat.")
@click.option("--role", required=True, help="The role of the seat.")
@click.option("--agent", required=True, help="Who sits there.")
@click.option("--optional", is_flag=True, help="A decision of this seat is not required.")
@desk
def seat(desk: Desk, name: str, step: str, role: str, agent: str, optional: bool) -> None:
    """Give an agent a seat at a step of one task.

    \b
    newel task seat T-1 --step review --role reviewer --agent ada
    """
    with desk.service() as service:
        number = service.seat(name, step=step, role=role, agent=agent, decision_required=not optional)
    click.echo(as_json({"seat": number}) if desk.json else f"seat {number}: {agent}, {role} at {step}\n", nl=False)


@task.command()
@click.argument("name", metavar="TASK")
@desk
def show(desk: Desk, name: str) -> None:
    """Show where a task stands, what failed when it came there, its seats, decisions, approvals and runs.

    \b
    newel task show T-1
    """
    desk.file_must_exist()
    with desk.service() as service:
        parts: dict[str, Any] = {
            "task": service.task(name),
            "seats": service.seats(name),
            "decisions": service.decisions(name),
            "approvals": service.approvals(name),
            "runs": service.runs(task=name),
        }
        entry = parts["task"].entry_id
        actions = () if entry is None else service.entry(entry).actions
        parts["failed_actions"] = tuple(action for action in actions if action.status == "failed")
    if desk.json:
        click.echo(as_json(parts), nl=False)
        return
    at = service_line(parts["task"])
    click.echo(at)
    _section("failed on entry", parts["failed_actions"], ("position", "kind", "reason"))
    if parts["failed_actions"]:
        click.echo(redispatch_line(entry))
    _section("seats", parts["seats"], ("id", "step", "role", "agent", "required", "origin"))
    _section("decisions", parts["decisions"], ("id", "step", "role", "decider", "verdict", "superseded"))
    _section("approvals", parts["approvals"], ("id", "trigger", "to", "status", "entry_id"))
    _section("runs", parts["runs"], ("id", "step", "agent", "reason", "status", "entry_id"))


def service_line(at: Any) -> str:
    """Where a task stands, in a line."""
    place = f"{at.workflow}/{at.step}, entry {at.entry_id}" if at.step else "not in a workflow"
    return f"{at.id}: {place}" + (f", waits for {at.queued_workflow}/{at.queued_for}" if at.queued_for else "")


def _section(title: str, rows: Any, columns: tuple[str, ...]) -> None:
    rows = list(rows)
    if rows:
        click.echo(f"\n{title}")
        click.echo(table([[getattr(row, column) for column in columns] for row in rows], columns), nl=False)


@task.command("list")
@desk
def list_(desk: Desk) -> None:
    """List all tasks and where they stand.

    \b
    newel task list --json
    """
    desk.file_must_exist()
    with desk.opened() as ledger, ledger.read() as reader:
        tasks = list(reader.tasks())
    if desk.json:
        click.echo(as_json(tasks), nl=False)
    else:
        columns = ("id", "workflow", "step", "entry_id", "queued_for")
        click.echo(table([[getattr(row, column) for column in columns] for row in tasks], columns), nl=False)
