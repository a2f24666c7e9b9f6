"""NW836: another step to pull from, or none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW836",
    name="feeder-changed",
    severity="warning",
    message="free places at `{step}` are {now}",
    hint="look at the tasks that stand at {where}: {mend}",
    why="""\
A pull takes tasks that are not asked to go. Those that stood there to be pulled stay when it is gone; those that
stand at a step which is pulled from now go with the next place that becomes free.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step ready "Ready" {
    start
    on comment { -> done }
  }
  step work "Work" {
    wip_limit 2
    pull_from ready
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step ready "Ready" {
    start
    on comment { -> done }
  }
  step work "Work" {
    wip_limit 2
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step ready "Ready" {
    start
    on comment { -> done }
  }
  step work "Work" {
    wip_limit 2
    pull_from ready
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares from where free places are filled."""
    for step in versions.steps:
        old, new = step.before.feeder, step.after.feeder
        if old != new:
            where = " and ".join(f"`{name}`" for name in (old, new) if name)
            fields = {
                "step": step.new.name,
                "now": f"filled from `{new}` now" if new else f"no longer filled from `{old}`",
                "where": where,
                "mend": "who else takes them on?" if not new else "they are taken in turn",
            }
            back = {now: was for was, now in step.workflow.names.items()}
            concerns = tuple((step.workflow.old.name, back[name]) for name in (old, new) if name in back)
            yield replace(step.change(RULE, fields, step.new.place, step.old.place), concerns=concerns)
