"""NW814: a move that is taken more easily."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW814",
    name="guard-loosened",
    severity="warning",
    message="{way} asks for less: {new} instead of {old}",
    hint="the next trigger or decision may let through what the old guard held back",
    why="""\
Guards are asked when something happens: the next trigger of the step, or the next decision on the task. Decisions
that have been given still count, so that a task which was held back by the old guard may leave with the first thing
that happens to it.""",
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
      -> done when n_approve(reviewer, count=2)
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
      -> done when n_approve(reviewer, count=1)
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
      -> done when n_approve(reviewer, count=2)
      -> work when any_reject(reviewer)
    }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the guards of each move that is in both versions."""
    for step in versions.steps:
        for (trigger, to), old, new in step.kept:
            if step.loosened(old, new):
                fields = {
                    "way": f"the move from `{step.new.name}` to `{to}` on `{trigger}`",
                    "old": f"`{step.before.condition(old)}`",
                    "new": f"`{step.after.condition(new)}`",
                    "trigger": trigger,
                    "to": to,
                    "to_before": old[0].to,
                }
                yield step.change(RULE, fields, new[0].place, old[0].place)
