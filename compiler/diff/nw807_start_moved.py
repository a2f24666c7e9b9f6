"""NW807: another start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW807",
    name="start-moved",
    severity="note",
    message="`{workflow}` starts at `{new}` now, not at `{old}`",
    hint="nothing has to be done for those that stand",
    why="""\
Only tasks that are created, or switched here without a step, from now on start elsewhere. Those that stand are where
they were.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step aside "Aside" { on turn_complete { -> work } }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step work "Work" { on turn_complete { -> done } }
  step aside "Aside" {
    start
    on turn_complete { -> work }
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
  step aside "Aside" { on turn_complete { -> work } }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares where the workflows start."""
    for workflow in versions.workflows:
        old, new = workflow.old, workflow.new
        if workflow.names.get(old.start, old.start) != new.start:
            fields = {"workflow": new.name, "old": old.start, "new": new.start}
            places = new.steps[new.start].place, old.steps[old.start].place
            yield Change(RULE, (new.name,), fields, (), *places)
