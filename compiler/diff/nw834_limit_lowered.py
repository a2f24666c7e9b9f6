"""NW834: fewer places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW834",
    name="limit-lowered",
    severity="warning",
    message="no more than {new} may stand at `{step}` now{old}",
    hint="where more stand, nobody comes in until enough have left",
    why="""\
Nobody is moved out by a limit. Those above it stay, and whoever wants in waits for longer than before.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    wip_limit 3
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
    wip_limit 1
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    wip_limit 3
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
        if new and (not old or new < old):
            fields = {"new": new, "step": step.new.name, "old": f", not {old}" if old else ""}
            yield step.change(RULE, fields, step.new.place, step.old.place)
