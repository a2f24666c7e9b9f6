"""NW817: a move that waits for a person now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW817",
    name="approval-added",
    severity="warning",
    message="the move from `{step}` to `{to}` on `{trigger}` waits for an approval now",
    hint="tell those who approve; nothing else takes that move any more",
    why="""\
From the next trigger on the move is stored as waiting, and the task stays until a person approves it.""",
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
    on turn_complete { -> done requires approval }
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
    """Compares which moves require approval."""
    for step in versions.steps:
        for (trigger, to), new in sorted(step.after.moves.items()):
            old = step.before.moves.get((trigger, to), ())
            if old and sum(move.approval for move in new) > sum(move.approval for move in old):
                fields = {"step": step.new.name, "to": to, "trigger": trigger}
                yield step.change(RULE, fields, new[0].place, old[0].place)
