"""NW810: a step that a person may take tasks to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW810",
    name="by-hand-now",
    severity="note",
    message="a person can take a task to `{step}` now",
    hint="nothing has to be done",
    why="""\
Whoever stands elsewhere may be brought here by hand from now on. What has a limit keeps it.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" {
    end
    manual_move false
  }
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
  step done "Done" {
    end
    manual_move false
  }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares which steps a person may take a task to."""
    for step in versions.steps:
        if step.after.taken_by_hand and not step.before.taken_by_hand:
            yield replace(step.change(RULE, {"step": step.new.name}, step.new.place, step.old.place), concerns=())
