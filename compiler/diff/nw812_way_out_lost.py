"""NW812: one of several ways out that is no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW812",
    name="way-out-lost",
    severity="warning",
    message="`{step}` no longer leads to `{to}` on `{trigger}`",
    hint="look whether a task that stands there was to go that way",
    why="""\
The tasks that stand there were begun when there was this way. What is fired for them from now on is run by the new
list; there is no memory of the old one.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
    on comment { -> aside }
  }
  step aside "Aside" { on comment { -> work } }
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
  step aside "Aside" { on comment { -> work } }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
    on comment { -> aside }
  }
  step aside "Aside" { on comment { -> work } }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Looks at each move that is in the old version alone, at steps that are left in another way still."""
    for step in versions.steps:
        lost = step.before.moves.keys() - step.after.moves.keys() if step.after.moved_on or step.new.end else ()
        for trigger, to in sorted(lost):
            moves = step.before.moves[trigger, to]
            if to in step.workflow.new.steps and not any(move.approval for move in moves):
                fields = {"step": step.new.name, "to": to, "trigger": trigger}
                yield step.change(RULE, fields, step.new.place, moves[0].place)
