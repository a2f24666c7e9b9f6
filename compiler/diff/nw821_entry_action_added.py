"""NW821: an entry action that the tasks which stand there never had."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW821",
    name="entry-action-added",
    severity="warning",
    message="entering `{step}` runs `{action}` now{missed}",
    hint="where they need it, move them out and in again, or do it by hand",
    why="""\
The list of an entry is run once, when the task arrives, as it was then. Nothing is made up for: not by the
deployment, and not by `redispatch`, which runs the list of the revision on the row.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
    requires_signal
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter {
      queue_run
      auto_start_agent
    }
    on turn_complete { -> done }
    requires_signal
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
    requires_signal
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the entry lists of the steps that are in both."""
    for step in versions.steps:
        for action in step.entry.added:
            if not (step.after.cleared_by(action) and not step.before.clears):
                missed = "" if step.renamed else "; it is not run for the tasks that stand there"
                fields = {"step": step.new.name, "action": step.after.written(action), "missed": missed}
                yield step.change(RULE, fields, action.place, step.old.place, anew="note")
