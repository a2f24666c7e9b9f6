"""NW811: a step that nothing leads out of any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW811",
    name="last-way-out-lost",
    severity="error",
    message="nothing moves a task on from `{step}` any more; {rest}",
    hint="give `{step}` a move, let another step pull from it, or make it an `end`",
    why="""\
The tasks that stand there were to be taken on by a move or a pull, and whoever works on them goes on finishing turns
that lead nowhere. A step that only people are to take tasks from is made so on purpose: then say so to those who have
tasks there, and lower the severity.""",
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
    command_panel
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
    judged=True,
)


def find(versions: Versions) -> Iterator[Change]:
    """Looks at each step that something moved tasks from."""
    for step in versions.steps:
        before, after = step.before, step.after
        if before.moved_on and not after.moved_on and not step.new.end:
            rest = "only a person can take it on" if after.by_hand else "no person can take it on either"
            fields = {"step": step.new.name, "rest": rest}
            yield step.change(RULE, fields, step.new.place, step.old.place)
