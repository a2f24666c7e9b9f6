"""NW701: a prompt at a step that starts nobody."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW701",
    name="prompt-never-used",
    severity="warning",
    message="the prompt of `{step}` is never used: nothing at this step starts an agent",
    hint="start an agent here, or delete the prompt",
    why="""\
A step's prompt is what an agent that is started there is told. No list of this step starts one, under any trigger,
and no agent is set for it.""",
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    prompt "Do what the task asks."
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    prompt "Do what the task asks."
    on enter { auto_start_agent }
  }
  step done "Done" { end }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks at each step with a prompt."""
    for flow in facts.flows:
        for step in flow.steps.values():
            started = any("starts" in action.kind.marks for on in step.on.values() for action in on.actions)
            if started or step.incomplete or facts.model.given(step, "agent"):
                continue
            for prompt in facts.model.given(step, "prompt"):
                yield Finding(RULE, prompt.span, {"step": step.name}, prompt.trace)
