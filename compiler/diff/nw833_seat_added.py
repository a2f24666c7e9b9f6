"""NW833: a seat that tasks find from now on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW833",
    name="seat-added",
    severity="warning",
    message="`{agent}` is seated as {role} at `{step}` now{missed}",
    hint="queue a run for them, or tell them: a guard that asks for every seat waits for this one too",
    why="""\
The seats of a step count for the tasks that stand there at once, but whoever is to decide was woken by the entry, and
that has been. A redelivery adds nobody: the fan-out of an entry is done as a whole.""",
    extra={
        "old.newel": """\
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
    },
    wrong="""\
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
    right="""\
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
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the seats that every task finds."""
    for step in versions.steps:
        known = {(seat.role, seat.agent) for seat in step.before.seats}
        for seat in step.after.seats:
            if (seat.role, seat.agent) not in known and seat.required:
                missed = "" if step.renamed else ", and was not woken for the tasks that stand there"
                fields = {"agent": seat.agent, "role": seat.role, "step": step.new.name, "missed": missed}
                yield step.change(RULE, fields, step.new.place, step.old.place, anew="note")
