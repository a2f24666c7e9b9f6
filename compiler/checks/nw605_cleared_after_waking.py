"""NW605: an entry that clears decisions after it has woken those who decide."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW605",
    name="cleared-after-waking",
    severity="warning",
    message="`{step}` clears decisions after it has woken `{role}`",
    hint="clear first, then seat and wake",
    why="""\
An entry list is run in its order. Who is woken may look at what was decided, and sees the decisions of the last time;
what is cleared comes first, so that nobody is woken to an old table.""",
    wrong="""\
workflow desk "Desk" {
  step work "Work" { start }
  step review "Review" {
    on enter {
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
      clear_decisions
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
    """Compares the places of waking and clearing in each entry list of a gate that can be entered again."""
    for gate in facts.gates:
        if gate.asked and gate.woken and gate.cleared is not None and gate.step.name in gate.flow.comes_back:
            index, action = gate.cleared
            woken = gate.woken[0]
            if woken.index < index:
                fields = {"step": gate.step.name, "role": woken.role}
                yield Finding(RULE, action.span, fields, (Related("woken here", woken.action.span), *action.trace))
