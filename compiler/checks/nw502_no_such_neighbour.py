"""NW502: a relative move where there is no next or previous step."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW502",
    name="no-such-neighbour",
    severity="error",
    message="there is no {relative} step: `{step}` is the {place} one",
    hint="name the step the task should move to",
    why="""\
`next` and `previous` go by the order of the steps in the file. After the last and before the first there is nothing,
so the move could never be made.""",
    wrong="""\
workflow desk "Desk" {
  step open "Open" {
    start
    on turn_complete { -> next }
  }
  step done "Done" {
    on turn_complete { -> next }
  }
}
""",
    right="""\
workflow desk "Desk" {
  step open "Open" {
    start
    on turn_complete { -> next }
  }
  step done "Done" {
    on turn_complete { -> open }
  }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks at each relative move that led nowhere."""
    for flow in facts.flows:
        for step in flow.steps.values():
            for _, move in step.moves():
                if move.to is None and move.relative is not None:
                    place = "last" if move.relative == "next" else "first"
                    fields = {"relative": move.relative, "step": step.name, "place": place}
                    yield Finding(RULE, move.span, fields, move.trace)
