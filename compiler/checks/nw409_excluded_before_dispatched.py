"""NW409: an excluded kind written before a dispatched one."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW409",
    name="excluded-before-dispatched",
    severity="note",
    message="`{excluded}` is written before `{dispatched}` but runs after it",
    hint="write it after the last dispatched kind",
    why="""\
On entry the dispatched kinds run first, from the arrival itself, in the order of the list. What the session's own
handler runs comes after them, whatever the order in the file. A list written in the order in which it runs reads as
what it does.""",
    wrong="""\
workflow w "W" {
  step work "Work" {
    start
    on enter {
      auto_start_agent
      clear_decisions
    }
  }
}
""",
    right="""\
workflow w "W" {
  step work "Work" {
    start
    on enter {
      clear_decisions
      auto_start_agent
    }
  }
}
""",
    default=False,
)


def check(facts: Facts) -> Iterator[Finding]:
    """Compares the order of each entry list with the lists of kinds."""
    owner = {entry.kind: entry.owner for entry in facts.model.vocabulary.lists}
    for workflow in facts.model.workflows.values():
        for step in workflow.steps.values():
            dispatched = None
            for action in reversed(step.actions()):
                listed = owner.get(action.kind.name)
                if listed == "dispatch":
                    dispatched = action
                elif listed == "exclude" and dispatched is not None:
                    fields = {"excluded": action.kind.name, "dispatched": dispatched.kind.name}
                    yield Finding(RULE, action.span, fields, (Related("runs first", dispatched.span), *action.trace))
