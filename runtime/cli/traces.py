"""Played lines of scenarios to lines for a person: each with what it did, up to where it failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from newel.compiler.reports.safe import safe
from newel.runtime.cli.shown import outcome_lines, report_lines
from newel.runtime.scenarios.expecting import told_run
from newel.runtime.scenarios.playing import refusal

if TYPE_CHECKING:
    from newel.compiler.scenarios import Line
    from newel.runtime.rows import Task
    from newel.runtime.scenarios import Act, Said, Stage


def written(line: Line) -> str:
    """A line as its author wrote it, on one line."""
    return safe(" ".join(line.span.text.split()))


def trace_lines(trace: Sequence[Said]) -> Iterator[str]:
    """Each line that was played, with its number in the file, and under it what came of it."""
    width = max((len(str(_number(said.line))) for said in trace), default=0)
    for said in trace:
        yield f"  {_number(said.line):>{width}}  {written(said.line)}"
        yield from (f"  {'':{width}}    {told}" for told in told_lines(said))


def told_lines(said: Said) -> Iterator[str]:
    """What came of one line."""
    if said.act is not None:
        yield from _act(said.act, refused=said.failure is None)
    if said.failure is not None:
        yield f"^ {safe(said.failure)}"


def _act(act: Act, *, refused: bool) -> Iterator[str]:
    if act.outcome is not None:
        yield from outcome_lines(act.line.task, act.outcome)
    yield from (f"note: {safe(each)}" for each in act.advice)
    if act.report is not None:
        yield from report_lines(act.report)
    if act.error is not None and refused:
        yield safe(refusal(act.error))
    yield from (f"ran {each.kind} on {each.trigger} of {each.step}" for each in act.ran)
    yield from (f"queued {safe(told_run(run))}" for run in act.queued)
    yield from (f"an approval waits to go to {each.to}" for each in act.asked)


def _number(line: Line) -> int:
    return line.span.source.line_of(line.span.start)


def standing(stage: Stage) -> str:
    """Where every task stands, in a line each."""
    return "\n".join(_standing(stage, task) for task in stage.service.tasks()) or "There is no task yet."


def _standing(stage: Stage, task: Task) -> str:
    if task.workflow is None or task.step is None:
        where = "stands nowhere"
    else:
        step = stage.program.workflows[task.workflow].steps[task.step]
        where = f'stands at {step.name} "{safe(step.title)}"' + (", and is finished" if step.end else "")
    waits = f", and waits for a place at {task.queued_for}" if task.queued_for else ""
    asked = [f", and an approval waits to go to {each.to}" for each in stage.pending(task.id)]
    return f"{safe(task.id)} {where}{waits}{''.join(asked)}"
