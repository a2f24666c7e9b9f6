"""NW825: earlier decisions that count no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW825",
    name="decisions-stop-counting",
    severity="warning",
    message="`{step}` forgets decisions on entry now: those of an earlier stay no longer count",
    hint="decisions that were meant to stand over a return have to be given again",
    why="""\
At a step that clears on entry only decisions of the current entry count, whether the clearing was run or not. That is
read off the program of now: a task that came back here with approvals from its last stay loses them with the
deployment.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> review }
  }
  step review "Review" {
    on enter {
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
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares which steps forget decisions on entry."""
    for step in versions.steps:
        if step.after.clears and not step.before.clears:
            place = next(action.place for action in step.after.actions("enter") if step.after.cleared_by(action))
            yield step.change(RULE, {"step": step.new.name}, place, step.old.place, anew="note")
