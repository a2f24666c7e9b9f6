"""NW507: a move after one that is always taken."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW507",
    name="move-never-taken",
    severity="warning",
    message="this move to `{to}` is never taken: the one to `{before}` always is",
    hint="put it first, give the move before it a guard, or delete it",
    why="""\
Of the moves under one trigger the first whose guard holds is taken. A move without guard and without approval always
is, so what follows it under the same trigger never gets its turn.""",
    wrong="""\
workflow desk "Desk" {
  step open "Open" {
    start
    on turn_complete {
      -> done
      -> refused requires approval
    }
  }
  step refused "Refused" { end }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step open "Open" {
    start
    on turn_complete {
      -> refused requires approval
      -> done
    }
  }
  step refused "Refused" { end }
  step done "Done" { end }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks at what follows the first unconditional move of each list."""
    for flow in facts.flows:
        for step in flow.steps.values():
            for on in step.on.values():
                always = None
                for move in on.moves:
                    if always is not None:
                        fields = {"to": move.to or move.relative, "before": always.to or always.relative}
                        yield Finding(RULE, move.span, fields, (Related("always taken", always.span), *move.trace))
                    elif move.unconditional:
                        always = move
