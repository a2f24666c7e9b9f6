"""A workflow walked by hand: what may happen next is shown with numbers, and a choice becomes a line of a scenario."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from newel.compiler.program import Guard, Joined, Move, Negated, Parameter, Statement, Step
from newel.compiler.reports.safe import safe
from newel.compiler.scenarios.forms import FORMS
from newel.compiler.scenarios.script import TASK
from newel.runtime.cli.traces import standing, told_lines, written
from newel.runtime.errors import NewelError
from newel.runtime.quorum import slate

if TYPE_CHECKING:
    from newel.compiler.scenarios import Line
    from newel.compiler.scenarios.reading import LineReader
    from newel.runtime.rows import Task
    from newel.runtime.scenarios import Stage
    from newel.runtime.scenarios.recording import Recording

HELP = "Choose a number, write a line of a scenario, ? to see which there are, or q to stop."
AGAIN = "whoever decides is cast from the beginning: all was played again"
TAKEN_BACK = "a scenario ends where a line fails: all is as before it"


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may happen: how it is shown, and what asks for the rest and makes the line."""

    shown: str
    line: Callable[[], str]


def answer(guard: str) -> bool:
    """Ask whoever walks what a guard of a vocabulary of their own answers."""
    return click.confirm(f"  Does {guard} hold?", default=True)


def lines_there_are() -> str:
    """How each line of a scenario is written, and what it says."""
    width = max(len(form.usage) for form in FORMS.values())
    return "\n".join([HELP, *(f"  {form.usage:<{width}}  {form.says}" for form in FORMS.values())])


class Walk:
    """One walk of one task."""

    def __init__(self, recording: Recording, reader: LineReader) -> None:
        self._recording, self._reader = recording, reader

    @property
    def _stage(self) -> Stage:
        return self._recording.stage

    def go(self) -> None:
        """Ask and play until there is nothing more to ask; then show what was done, as a scenario that passes."""
        click.echo(HELP)
        try:
            while self._once():
                pass
        except click.Abort:
            click.echo()
        self._script()

    def _once(self) -> bool:
        choices = self._choices()
        click.echo(f"\n{standing(self._stage)}")
        for number, choice in enumerate(choices, 1):
            click.echo(f"  {number:>2}  {choice.shown}")
        said = click.prompt("What happens", prompt_suffix="? ").strip()
        if said in ("q", "quit"):
            return False
        if said in ("?", "h", "help"):
            click.echo(lines_there_are())
            return True
        if said.isdecimal():
            if not 1 <= int(said) <= len(choices):
                click.echo(f"There is no choice {said}.")
                return True
            said = choices[int(said) - 1].line()
        self._play(said)
        return True

    def _play(self, text: str) -> None:
        before = self._reader.standing
        try:
            lines, findings = self._reader.read(text)
        except NewelError as error:
            click.echo(f"  {error}")
            return
        for finding in findings:
            click.echo(f"  {safe(finding.message)}" + (f"; {safe(finding.advice)}" if finding.advice else ""))
        for line in () if findings else lines:
            if not self._line(line):
                self._reader.standing = before

    def _line(self, line: Line) -> bool:
        """Take a line and say what came of it; whether it stays."""
        stage = self._stage
        said = self._recording.take(line)
        click.echo(f"  {written(line)}")
        if self._stage is not stage and said.failure is None:
            click.echo(f"    {AGAIN}")
        for told in told_lines(said):
            click.echo(f"    {told}")
        if self._stage is not stage and said.failure is not None:
            click.echo(f"    {TAKEN_BACK}")
        if said.failure is None and line.form.startswith("expect "):
            click.echo("    it holds")
        return said.failure is None

    def _script(self) -> None:
        lines = list(self._recording.lines())
        if lines:
            click.echo(f'\nscenario "a walk" for {self._stage.workflow} {{')
            for line in lines:
                click.echo(f"  {safe(line)}")
            click.echo("}")

    # ---------------------------------------------------------------- what may happen

    def _choices(self) -> list[Choice]:
        at = self._stage.standing(TASK)
        if at is None:
            return [Choice("create", partial(str, "create"))]
        if at.workflow is None or at.step is None:
            return []
        step = self._stage.program.workflows[at.workflow].steps[at.step]
        return [*self._approvals(), *self._triggers(at, step), *self._decisions(at, step), *self._moves(at)]

    def _approvals(self) -> Iterator[Choice]:
        for to in dict.fromkeys(each.to for each in self._stage.pending(TASK)):
            for verb in ("approve", "reject"):
                line = f"{verb} to={to}"
                yield Choice(line, partial(str, line))

    def _triggers(self, at: Task, step: Step) -> Iterator[Choice]:
        for trigger, items in step.on.items():
            if trigger not in ("enter", "exit"):
                yield Choice(f"fire {trigger}{_led(items)}", partial(self._fire, trigger, at, step))

    def _decisions(self, at: Task, step: Step) -> Iterator[Choice]:
        for role in dict.fromkeys(role for items in step.on.values() for role in self._roles(items)):
            yield Choice(f"decide, as {role}", partial(self._decide, role, at, step))

    def _moves(self, at: Task) -> Iterator[Choice]:
        workflow = at.workflow or ""
        for to in self._stage.program.workflows[workflow].steps:
            if to != at.step and self._stage.program.flag(workflow, to, "manual_entry"):
                yield Choice(f"move {to}", partial(str, f"move {to}"))

    def _roles(self, items: tuple[Statement, ...]) -> Iterator[str]:
        """The roles that the guards of some moves ask."""
        for item in items:
            if isinstance(item, Move) and item.guard is not None:
                for guard in _asked(item.guard):
                    marks = self._stage.program.vocabulary.guards[guard.kind].marks
                    for mark in marks:
                        if mark.parameters:
                            yield str(getattr(guard, mark.parameters[0]))

    # ---------------------------------------------------------------- the rest of a line

    def _fire(self, trigger: str, at: Task, step: Step) -> str:
        declared = self._stage.program.vocabulary.triggers[trigger]
        fields = [f"{each.name}={_value(each)}" for each in declared.payload if each.required]
        line = f"fire {trigger}" + (f"({', '.join(fields)})" if fields else "")
        signal = self._stage.program.flag(at.workflow or "", step.name, "signal")
        if signal and declared.mark("work_done") and click.confirm("  Has the agent signalled it", default=True):
            line += " signalled=true"
        return line

    def _decide(self, role: str, at: Task, step: Step) -> str:
        seats = self._stage.service.seats(TASK)
        seated = [seat.agent for seat in slate(self._stage.program, at.workflow or "", step.name, role, seats)]
        decided = {d.decider for d in self._stage.service.decisions(TASK) if d.entry_id == at.entry_id}
        next_one = next((agent for agent in seated if agent not in decided), seated[0] if seated else role)
        who = click.prompt("  Who", default=next_one)
        verdict = click.prompt("  Verdict", default="approved")
        return f"decide {_quoted(who)} {_quoted(verdict)} role={role}"


def _led(items: tuple[Statement, ...]) -> str:
    """Where the moves of a list lead, and what it runs, in brackets."""
    parts = [f"-> {item.to}" if isinstance(item, Move) else item.kind for item in items]
    return f"  ({', '.join(parts)})" if parts else ""


def _asked(guard: Guard) -> Iterator[Guard]:
    if isinstance(guard, Joined):
        for part in guard.parts:
            yield from _asked(part)
    elif isinstance(guard, Negated):
        yield from _asked(guard.part)
    else:
        yield guard


def _value(parameter: Parameter) -> str:
    """What is typed for a field, as it is written in a file: a text may be typed without its quotes."""
    said: str = click.prompt(f"  {parameter.name} ({parameter.type.name})").strip()
    return json.dumps(said) if parameter.type.name == "text" and not said.startswith('"') else said


def _quoted(said: str) -> str:
    return said if said.replace("_", "a").replace("-", "a").isalnum() and said[:1].isalpha() else json.dumps(said)
