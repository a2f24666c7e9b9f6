"""NW832: a seat that tasks no longer find."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW832",
    name="seat-lost",
    severity="warning",
    message="`{agent}` is no longer seated as {role} at `{step}`; what they have decided there no longer counts",
    hint="look at the decisions that are under way: fewer may be enough now",
    why="""\
The seats of a step count for the tasks that stand there at once. A decision of somebody without a seat is none, and a
guard that asks for every seat asks for one fewer.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> review }
  }
  step review "Review" {
    seats [seat(reviewer, agent="ada"), seat(reviewer, agent="ben")]
    on enter { queue_run_for_each_participant(reviewer) }
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
    seats [seat(reviewer, agent="ada")]
    on enter { queue_run_for_each_participant(reviewer) }
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
    seats [seat(reviewer, agent="ada"), seat(reviewer, agent="ben")]
    on enter { queue_run_for_each_participant(reviewer) }
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
    """Compares the seats that every task finds. Where a role is left without any, that is told instead."""
    for step in versions.steps:
        left = {(seat.role, seat.agent) for seat in step.after.seats}
        for seat in step.before.seats:
            if (seat.role, seat.agent) not in left and seat.role not in step.unseated:
                fields = {"agent": seat.agent, "role": seat.role, "step": step.new.name}
                yield step.change(RULE, fields, step.new.place, step.old.place, anew="note")
