"""NW506: a second step marked `start`."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW506",
    name="several-starts",
    severity="error",
    message="`{step}` is a second start: `{first}` is one already",
    hint="leave `start` at the step that new tasks begin in",
    why="""\
A task that is created without naming a step begins at the workflow's start, so exactly one step is marked `start`.""",
    wrong="""\
workflow desk "Desk" {
  step open "Open" { start }
  step urgent "Urgent" { start }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step open "Open" { start }
  step urgent "Urgent" {}
  step done "Done" { end }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks at every step marked `start` after the first."""
    for flow in facts.flows:
        places = [(step.name, step.start) for step in flow.steps.values() if step.start is not None]
        for name, place in places[1:]:
            first, at = places[0]
            related = (Related("the first start", at.span), *place.trace)
            yield Finding(RULE, place.span, {"step": name, "first": first}, related)
