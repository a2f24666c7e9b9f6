"""NW831: a role that is asked and that the old entry seated nobody in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW831",
    name="role-left-unseated",
    severity="error",
    message="`{step}` asks `{role}`, and nobody is seated in that role for the tasks that stand there",
    hint="seat somebody for each of them (`newel task seat`), give the step `seats`, or let them go out and in again",
    why="""\
Who decides was settled when the task arrived: the old list seated another role. The seat that the new list makes is
made on the next arrival only. A guard over an empty slate never holds, whatever is decided, and those who have
decided are asked no more.""",
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
      -> done when all_approve(reviewer)
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
      -> done when all_approve(approver)
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
      -> done when all_approve(reviewer)
      -> work when any_reject(reviewer)
    }
  }
  step done "Done" { end }
}
""",
    judged=True,
)


def find(versions: Versions) -> Iterator[Change]:
    """Looks for guards whose role has no seat that the old entry made or that the new step gives."""
    for step in versions.steps:
        for role, move in step.unseated.items():
            fields = {"step": step.new.name, "role": role}
            yield step.change(RULE, fields, move.place, step.old.place)
