"""NW512: a step that is filled from another but has no limit."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW512",
    name="pull-without-limit",
    severity="warning",
    message="`{step}` is filled from `{source}` but has no limit on its places",
    hint="{mend}",
    why="""\
A place that becomes free is filled from the step named. Where places are not limited none ever becomes free, so
nothing is pulled.""",
    wrong="""\
workflow desk "Desk" {
  step open "Open" { start }
  step work "Work" { pull_from open }
}
""",
    right="""\
workflow desk "Desk" {
  step open "Open" { start }
  step work "Work" {
    wip_limit 2
    pull_from open
  }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks at every step that is filled from another."""
    limits = facts.model.vocabulary.settings_marked("limit")
    mend = f"add `{limits[0].name}`" if limits else "declare a setting that means `limit`"
    for flow in facts.flows:
        for step in flow.steps.values():
            limited = any(facts.model.value(step, setting) for setting in limits)
            for value in facts.model.given(step, "pull"):
                if value.value is not None and not limited:
                    fields = {"step": step.name, "source": value.value, "mend": mend}
                    yield Finding(RULE, value.span, fields, value.trace)
