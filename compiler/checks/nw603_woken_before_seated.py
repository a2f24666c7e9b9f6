"""NW603: a role that is woken before it is seated."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW603",
    name="woken-before-seated",
    severity="warning",
    message="`{step}` wakes `{role}` before it seats one",
    hint="seat the role first",
    why="""\
An entry list is run in its order. Waking a role wakes those who sit at that moment: on a first entry, nobody.""",
    wrong="""\
workflow desk "Desk" {
  step work "Work" { start }
  step review "Review" {
    on enter {
      clear_decisions
      queue_run_for_each_participant(reviewer)
      ensure_participant_seat(reviewer)
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
  step work "Work" { start }
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
)


def check(facts: Facts) -> Iterator[Finding]:
    """Compares the places of waking and seating in each entry list; who sits there anyhow need not be seated first."""
    for gate in facts.gates:
        for woken in gate.woken:
            seats = [seat for seat in gate.seating if seat.role == woken.role]
            if seats and seats[0].index > woken.index and woken.role not in gate.seated_before:
                fields = {"step": gate.step.name, "role": woken.role}
                related = (Related("seated only here", seats[0].action.span), *woken.action.trace)
                yield Finding(RULE, woken.action.span, fields, related)
