"""NW803: a step that the new version no longer has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW803",
    name="step-removed",
    severity="error",
    message="the step `{step}` of `{workflow}` is no more",
    hint="move the tasks away from it before you deploy",
    why="""\
A task that stands at a step the program no longer has cannot be worked on: every trigger on it and every decision is
refused with `StepGone`, and its exit list is not run. It can still be moved by hand, one task at a time, once the
program is in use.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step check "Check" { on turn_complete { -> done } }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step check "Check" { on turn_complete { -> done } }
  step done "Done" { end }
}
""",
    judged=True,
)


def find(versions: Versions) -> Iterator[Change]:
    """Names each step that is in the old version alone."""
    for workflow in versions.workflows:
        for step in workflow.gone:
            fields = {"step": step.name, "workflow": workflow.old.name}
            concerns = ((workflow.old.name, step.name),)
            yield Change(RULE, (workflow.new.name, step.name), fields, concerns, workflow.new.place, step.place)
