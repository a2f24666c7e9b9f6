"""NW813: a way out that was not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW813",
    name="way-out-added",
    severity="note",
    message="`{step}` leads to `{to}` on `{trigger}` now{when}",
    hint="nothing has to be done",
    why="""\
It holds at once for the tasks that stand there, from the next trigger on.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step aside "Aside" { on comment { -> done } }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
    on comment { -> aside }
  }
  step aside "Aside" { on comment { -> done } }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step aside "Aside" { on comment { -> done } }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Looks at each move that is in the new version alone."""
    for step in versions.steps:
        for trigger, to in sorted(step.after.moves.keys() - step.before.moves.keys()):
            moves = step.after.moves[trigger, to]
            when = "" if moves[0].guard is None else f", when {step.after.condition(moves)}"
            fields = {"step": step.new.name, "to": to, "trigger": trigger, "when": when}
            yield step.change(RULE, fields, moves[0].place)
