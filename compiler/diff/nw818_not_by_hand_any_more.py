"""NW818: a step that no longer takes tasks by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW818",
    name="not-by-hand-any-more",
    severity="warning",
    message="a person can no longer take a task to `{step}`",
    hint="look whether tasks were to come there by hand; the other routes still lead there",
    why="""\
A move by hand into a step that does not take them is refused (`NotByHand`). Tasks for which that was the way on need
another one.""",
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
    """Compares which steps a person may take a task to."""
    for step in versions.steps:
        if step.before.taken_by_hand and not step.after.taken_by_hand:
            yield replace(step.change(RULE, {"step": step.new.name}, step.new.place, step.old.place), concerns=())
