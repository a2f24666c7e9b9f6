"""NW830: what a cancelled turn counts for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW830",
    name="cancel-changed",
    severity="warning",
    message="a turn at `{step}` that a person cancels {now}",
    hint="tell those who cancel turns of the tasks that stand there",
    why="""\
Where a cancelled turn counts as a finished one, cancelling moves a task on; where it does not, the task stays and
somebody else has to move it. It holds for the turns that are under way.""",
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
    cancel_completes_turn
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
    """Compares at which steps a cancelled turn counts."""
    for step in versions.steps:
        if step.before.cancel != step.after.cancel:
            now = "counts as finished now" if step.after.cancel else "no longer counts as finished"
            yield step.change(RULE, {"step": step.new.name, "now": now}, step.new.place, step.old.place)
