"""NW503: a move to the step it stands in."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW503",
    name="move-to-itself",
    severity="error",
    message="`{step}` moves to itself",
    hint="name another step, or delete the move",
    why="""\
A task that is told to move to the step it already stands in does not arrive anywhere: no entry, no entry list. If the
entry list is to run again, something has to take the task away first.""",
    wrong="""\
workflow desk "Desk" {
  step open "Open" {
    start
    on turn_complete { -> open }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step open "Open" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Compares each move with its own step."""
    for flow in facts.flows:
        for step in flow.steps.values():
            for _, move in step.moves():
                if move.to == step.name:
                    yield Finding(RULE, move.span, {"step": step.name}, move.trace)
