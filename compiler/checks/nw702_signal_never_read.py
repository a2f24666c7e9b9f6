"""NW702: a step that waits for a signal nothing asks about."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW702",
    name="signal-never-read",
    severity="warning",
    message="`{step}` waits for a signal, but nothing here happens when a turn is finished",
    hint="say what happens with `on {trigger}`, or delete `{setting}`",
    why="""\
A signal of completion decides whether a finished turn counts. At this step nothing is declared for a finished turn,
so the signal is asked for and never read.""",
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    requires_signal
    on enter { auto_start_agent }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    requires_signal
    on enter         { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks at each step that turns a signal on."""
    done = [trigger.name for trigger in facts.model.vocabulary.triggers.values() if "work_done" in trigger.marks]
    for flow in facts.flows:
        for step in flow.steps.values():
            if step.incomplete or not step.on.keys().isdisjoint(done):
                continue
            for value in facts.model.given(step, "signal"):
                if value.value is True:
                    fields = {"step": step.name, "setting": value.setting.name, "trigger": (done or ["TRIGGER"])[0]}
                    yield Finding(RULE, value.span, fields, value.trace)
