"""NW703: a trigger that this host does not have."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW703",
    name="trigger-never-fired",
    severity="warning",
    message="this host never fires `{trigger}`, so what stands under it never runs",
    hint="delete the list, or name the trigger in `host-triggers` if the host does fire it",
    why="""\
The configuration says in `host-triggers` which triggers the program fires that runs these workflows. What is declared
under another one waits for something that does not come.""",
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on comment   { queue_run }
    on heartbeat { queue_run }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on comment { queue_run }
  }
  step done "Done" { end }
}
""",
    extra={"newel.toml": 'host-triggers = ["comment", "turn_complete"]\n'},
)


def check(facts: Facts) -> Iterator[Finding]:
    """Compares each list with what the host has said; a host that says nothing is asked nothing."""
    fired = facts.host.triggers
    if fired is None:
        return
    for flow in facts.flows:
        for step in flow.steps.values():
            for name, on in step.on.items():
                if name not in fired and name not in ("enter", "exit"):
                    yield Finding(RULE, on.span, {"trigger": name}, on.trace)
