"""NW505: a step that no way leads out of."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW505",
    name="dead-end",
    severity="warning",
    message="no way leads out of `{step}`, and it is not marked `end`",
    hint="move on from it, or mark it `end`",
    why="""\
A task that comes here stays here: no move is declared, no other step is entered by hand, none pulls from this one. A
step where tasks are meant to end is marked `end`, which also makes them count as finished. The last step needs no
mark.""",
    wrong="""\
workflow desk "Desk" {
  every step { manual_move false }
  step open "Open" {
    start
    on turn_complete { -> refused }
    on comment       { -> done }
  }
  step refused "Refused" {}
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  every step { manual_move false }
  step open "Open" {
    start
    on turn_complete { -> refused }
    on comment       { -> done }
  }
  step refused "Refused" { end }
  step done "Done" { end }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks at every step but the last and those marked `end`."""
    for flow in facts.flows:
        for step in list(flow.steps.values())[:-1]:
            understood = not step.incomplete and all(move.to is not None for _, move in step.moves())
            if step.end is None and understood and not flow.has_way_out(step.name):
                yield Finding(RULE, step.span, {"step": step.name})
