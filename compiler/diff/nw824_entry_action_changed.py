"""NW824: an entry action with other arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW824",
    name="entry-action-changed",
    severity="note",
    message="entering `{step}` runs `{new}` instead of `{old}`",
    hint="nothing has to be done",
    why="""\
The tasks that stand there had the old one, and a `redispatch` of their entries runs that again.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter { queue_run(reason="please_do") }
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
    on enter { queue_run(reason="please_build") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter { queue_run(reason="please_do") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares what is called with other arguments."""
    for step in versions.steps:
        for old, new in step.entry.changed:
            fields = {"step": step.new.name, "old": step.before.written(old), "new": step.after.written(new)}
            yield step.change(RULE, fields, new.place, old.place)
