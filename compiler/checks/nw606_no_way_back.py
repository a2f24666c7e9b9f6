"""NW606: an approval guard without a way for those who reject."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW606",
    name="no-way-back",
    severity="warning",
    message="no way out of `{step}` when `{role}` does not approve",
    hint="add a move for it: a guard that holds when `{role}` rejects, or a move without a guard",
    why="""\
The guard holds when the role approves. When somebody rejects, no declared move is ever taken: the task stands here
until a person moves it by hand, or the decision is changed.""",
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
      -> done when all_approve(reviewer)
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
    """Looks at each role whose approval is asked at a step where every move has a guard.

    A guard lets those out who reject if it asks for their rejection, for a decision of either kind, or for no approval.
    """
    for gate in facts.gates:
        if any(move.guard is None for _, move in gate.step.moves()):
            continue
        told = {asked.role for asked in gate.asked if asked.negated == (asked.mark == "approval")}
        for asked in gate.asked:
            if asked.mark == "approval" and asked.role not in told:
                told.add(asked.role)
                fields = {"step": gate.step.name, "role": asked.role}
                yield Finding(RULE, asked.call.span, fields, asked.call.trace)
