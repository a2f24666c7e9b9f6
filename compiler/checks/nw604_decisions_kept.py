"""NW604: a gate that keeps the decisions of an earlier entry."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW604",
    name="decisions-kept",
    severity="warning",
    message="`{step}` can be entered again and keeps the decisions of the last time",
    hint="{mend}",
    why="""\
A task can leave this step and come back. What was decided then still counts unless the entry list clears it: an old
approval lets the new work through unseen, an old rejection sends it back at once.""",
    wrong="""\
workflow desk "Desk" {
  step work "Work" { start }
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
    """Looks at each gate that asks and can be entered again."""
    clearing = [kind.name for kind in facts.model.vocabulary.kinds.values() if kind.on_entry and "clears" in kind.marks]
    mend = f"begin its entry list with `{clearing[0]}`" if clearing else "declare a kind that means `clears`"
    for gate in facts.gates:
        if gate.asked and gate.cleared is None and gate.step.name in gate.flow.comes_back:
            yield Finding(RULE, gate.step.span, {"step": gate.step.name, "mend": mend})
