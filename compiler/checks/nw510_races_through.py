"""NW510: a step that starts an agent and is left when its first turn ends."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.compiler.checks.flow import Hop, entered_with
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW510",
    name="races-through",
    severity="warning",
    message="`{step}` starts an agent, and its first finished turn moves the task on to `{to}`, which starts the next",
    hint="{mend}",
    why="""\
The first turn an agent finishes is rarely the end of the work: it may have asked something. Without a signal of
completion the task leaves all the same, and the next step starts somebody on half-done work.""",
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter         { auto_start_agent }
    on turn_complete { -> check }
  }
  step check "Check" {
    on enter { auto_start_agent }
  }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    requires_signal
    on enter         { auto_start_agent }
    on turn_complete { -> check }
  }
  step check "Check" {
    on enter { auto_start_agent }
  }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks at each step whose entry starts an agent and that waits for no signal."""
    for flow in facts.flows:
        signals = facts.model.vocabulary.settings_marked("signal")
        mend = f"add `{signals[0].name}` to `{{}}`" if signals else "give the move at `{}` a guard"
        for name, step in flow.steps.items():
            if step.incomplete:
                continue
            if "starts" in flow.entry_marks[name] and not facts.model.flag(step, "signal"):
                hop = next((hop for hop in flow.hops[name] if _races(hop) and flow.works(hop.to.name)), None)
                if hop is not None:
                    fields = {"step": name, "to": hop.to.name, "mend": mend.format(name)}
                    yield Finding(RULE, hop.move.span, fields, (*_places(hop), *hop.move.trace))


def _races(hop: Hop) -> bool:
    return "work_done" in hop.on.trigger.marks and hop.move.unconditional


def _places(hop: Hop) -> Iterator[Related]:
    for step, mark in ((hop.step, ("starts",)), (hop.to, ("starts", "wakes"))):
        action = entered_with(step, *mark)
        if action is not None:
            yield Related(f"starts work at `{step.name}`", action.span)
