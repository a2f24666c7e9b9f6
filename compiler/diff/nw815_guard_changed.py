"""NW815: a move with another guard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW815",
    name="guard-changed",
    severity="warning",
    message="{way} asks for something else: {new} instead of {old}",
    hint="look whether the tasks that stand there can still fulfil it",
    why="""\
Guards are asked by the program of now. What was done towards the old one counts for the new one only where that asks
for the same: decisions by the seats of the same role.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> review }
  }
  step review "Review" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done when n_approve(reviewer, count=1)
      -> work when any_reject(reviewer)
    }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> review }
  }
  step review "Review" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> work when any_reject(reviewer)
    }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> review }
  }
  step review "Review" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done when n_approve(reviewer, count=1)
      -> work when any_reject(reviewer)
    }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the guards of each move that is in both versions, but for roles that nobody is seated in."""
    for step in versions.steps:
        for (trigger, to), old, new in step.kept:
            told = any(step.after.roles(move) & step.unseated.keys() for move in new)
            if not told and not step.loosened(old, new):
                fields = {
                    "way": f"the move from `{step.new.name}` to `{to}` on `{trigger}`",
                    "old": f"`{step.before.condition(old)}`",
                    "new": f"`{step.after.condition(new)}`",
                    "trigger": trigger,
                    "to": to,
                    "to_before": old[0].to,
                }
                yield step.change(RULE, fields, new[0].place, old[0].place)
