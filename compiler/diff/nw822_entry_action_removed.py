"""NW822: an entry action that is run no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW822",
    name="entry-action-removed",
    severity="note",
    message="entering `{step}` no longer runs `{action}`; what it did for the tasks that stand there stays",
    hint="keep its handler as long as such tasks stand",
    why="""\
Seats that were made and runs that were queued are not taken back. A `redispatch` of an old entry still runs it, since
it runs the list of the revision on the row: keep the handler as long as such tasks stand.""",
    extra={
        "old.newel": """\
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
    },
    wrong="""\
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
    right="""\
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
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the entry lists of the steps that are in both."""
    for step in versions.steps:
        for action in step.entry.removed:
            fields = {"step": step.new.name, "action": step.before.written(action)}
            yield step.change(RULE, fields, step.new.place, action.place)
