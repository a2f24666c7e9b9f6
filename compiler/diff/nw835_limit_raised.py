"""NW835: more places, or no limit any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW835",
    name="limit-raised",
    severity="warning",
    message="{now} tasks may stand at `{step}`; those that wait are not let in by that alone",
    hint="after the deployment: `newel task pull {workflow} {step}`",
    why="""\
A task that waits is let in when another leaves the step, or by `pull`. A limit that is raised lets nobody in at once,
and where it is taken away nobody looks for those who wait any more.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    wip_limit 1
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    wip_limit 3
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    wip_limit 1
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares how many tasks may stand at each step."""
    for step in versions.steps:
        old, new = step.before.limit, step.after.limit
        if old and (not new or new > old):
            fields = {
                "now": f"{new}" if new else "any number of",
                "step": step.new.name,
                "workflow": step.workflow.new.name,
            }
            yield step.change(RULE, fields, step.new.place, step.old.place)
