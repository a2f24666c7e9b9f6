"""NW602: a guard that asks another role than the one that is woken."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW602",
    name="asked-but-not-woken",
    severity="warning",
    message="the guard asks `{role}`, but entering `{step}` wakes {woken}",
    hint="wake the role that is asked, or ask the one that is woken",
    why="""\
Those who are woken on entry are to decide, and those who are asked have to. Where the two differ, the ones work for
nothing and the others do not know that they are waited for.""",
    wrong="""\
workflow desk "Desk" {
  step work "Work" { start }
  step review "Review" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      ensure_participant_seat(approver)
      queue_run_for_each_participant(approver)
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
    """Compares the roles asked at each gate with those its entry wakes."""
    for gate in facts.gates:
        woken = {entry.role: entry for entry in gate.woken}
        told = set(woken) | set(gate.mentioned)
        for asked in gate.asked:
            if woken and asked.mark != "rejection" and asked.role not in told:
                told.add(asked.role)
                names = ", ".join(f"`{role}`" for role in sorted(woken))
                fields = {"role": asked.role, "step": gate.step.name, "woken": names}
                places = [Related("woken here", entry.action.span) for entry in woken.values()]
                yield Finding(RULE, asked.call.span, fields, (*places, *asked.call.trace))
