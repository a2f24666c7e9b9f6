"""NW819: moves that are tried in another order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW819",
    name="moves-reordered",
    severity="warning",
    message="the moves of `{step}` on `{trigger}` are tried in another order",
    hint="look whether a task that fulfils more than one of them goes where it should",
    why="""\
The first move whose guard holds is taken. Where several hold, as they may for what has been decided already, a task
that stands there now goes another way than it would have gone.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step review "Review" {
    start
    on enter { ensure_participant_seat(reviewer) }
    on turn_complete {
      -> back when any_reject(reviewer)
      -> done when all_approve(reviewer)
    }
  }
  step back "Back" { on turn_complete { -> review } }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step review "Review" {
    start
    on enter { ensure_participant_seat(reviewer) }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> back when any_reject(reviewer)
    }
  }
  step back "Back" { on turn_complete { -> review } }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step review "Review" {
    start
    on enter { ensure_participant_seat(reviewer) }
    on turn_complete {
      -> back when any_reject(reviewer)
      -> done when all_approve(reviewer)
    }
  }
  step back "Back" { on turn_complete { -> review } }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the order of the moves that are in both versions."""
    for step in versions.steps:
        for trigger in sorted(step.before.step.on.keys() & step.after.step.on.keys()):
            if step.reaction(trigger).moves_reordered:
                fields = {"step": step.new.name, "trigger": trigger}
                yield step.change(RULE, fields, step.new.place, step.old.place)
