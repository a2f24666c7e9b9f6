"""NW504: a step that no way leads to."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW504",
    name="unreachable",
    severity="warning",
    message="no way leads to `{step}`",
    hint="move to it from some step, let people put tasks there, or delete it",
    why="""\
A task gets from one step to another by a declared move, by hand where the step allows it, or by a pull. From the
start no chain of these leads here, so no task will ever stand here unless it is created here.""",
    wrong="""\
workflow desk "Desk" {
  step open "Open" { start }
  step waiting "Waiting" { manual_move false }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step open "Open" {
    start
    on turn_complete { -> waiting }
  }
  step waiting "Waiting" { manual_move false }
  step done "Done" { end }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Compares the steps with those reached from the start; not asked where there is none, or a move is unknown."""
    for flow in facts.flows:
        if flow.workflow.starts and flow.whole:
            for name, step in flow.steps.items():
                if name not in flow.reachable:
                    yield Finding(RULE, step.span, {"step": name})
