"""NW501: a workflow without a start."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW501",
    name="no-start",
    severity="error",
    message="workflow `{workflow}` has no start",
    hint="mark the step that new tasks begin in with `start`",
    why="""\
A task that is created without naming a step begins at the workflow's start. Exactly one step is marked `start`. While
none is, nothing is said about steps that cannot be reached.""",
    wrong="""\
workflow desk "Desk" {
  step open "Open" {}
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step open "Open" { start }
  step done "Done" { end }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks for the step marked `start`."""
    for flow in facts.flows:
        if not flow.workflow.starts:
            yield Finding(RULE, flow.workflow.span, {"workflow": flow.workflow.name})
