"""NW804: a step under another name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW804",
    name="step-renamed",
    severity="warning",
    message="the step `{old}` is called `{new}` now",
    hint="move the tasks that stand there: `newel task move TASK {new}`",
    why="""\
Tasks keep the name of the step where they stand, so that every trigger on them is refused until they are moved to the
new name. The move is an arrival: the list of the step is run, decisions given at the old name do not count, and an
approval that waits there is abandoned. The title can be changed freely.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step build "Work" {
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
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Names each step that has another name, which its title or what it says gives away."""
    for workflow in versions.workflows:
        for step in workflow.steps:
            if step.old.name != step.new.name:
                fields = {"old": step.old.name, "new": step.new.name}
                yield Change(RULE, step.group, fields, step.concerns, step.new.place, step.old.place)
