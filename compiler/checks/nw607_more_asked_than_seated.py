"""NW607: a guard that asks more approvals than there are seats."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.compiler.model import named_by
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW607",
    name="more-asked-than-seated",
    severity="warning",
    message="the guard asks {count} of `{role}`, but the file seats {seats}",
    hint="ask for fewer, or seat more",
    why="""\
A count above the number of seats can never be met. What counts are the seats the step's settings give that must
decide; where only the entry list seats the role, it seats one. A person or a host may add seats to a single task,
which the file does not show.""",
    wrong="""\
workflow desk "Desk" {
  step work "Work" { start }
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
    right="""\
workflow desk "Desk" {
  step work "Work" { start }
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


def check(facts: Facts) -> Iterator[Finding]:
    """Compares each counted approval with the seats of its role; a role without any is another finding."""
    for gate in facts.gates:
        for asked in gate.asked:
            count = named_by(asked.call, "approval", 1)
            seats = gate.template.get(asked.role, 0) or (asked.role in gate.seated)
            if isinstance(count, int) and seats and count > seats:
                fields = {"count": count, "role": asked.role, "seats": int(seats)}
                yield Finding(RULE, asked.call.span, fields, asked.call.trace)
