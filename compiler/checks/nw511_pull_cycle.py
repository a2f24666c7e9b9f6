"""NW511: steps that are filled from one another in a circle."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.compiler.checks.flow import Flow
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW511",
    name="pull-cycle",
    severity="error",
    message="these steps are filled from one another in a circle: {trace}",
    hint="let one of them be filled from elsewhere, or by hand",
    why="""\
A freed place is filled from the step that is named, which frees a place there, which is filled from the next. In a
circle this would have no end.""",
    wrong="""\
workflow desk "Desk" {
  step open "Open" {
    start
    wip_limit 3
    pull_from work
  }
  step work "Work" {
    wip_limit 2
    pull_from open
  }
}
""",
    right="""\
workflow desk "Desk" {
  step open "Open" {
    start
    wip_limit 3
  }
  step work "Work" {
    wip_limit 2
    pull_from open
  }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Follows each step to where it is filled from; a circle is told once, at its first step."""
    for flow in facts.flows:
        for circle in _circles(flow):
            values = [value for name in circle for value in facts.model.given(flow.steps[name], "pull")]
            related = (*values[0].trace, *(Related("which is filled from", value.span) for value in values[1:]))
            yield Finding(RULE, values[0].span, {"trace": " <- ".join([*circle, circle[0]])}, related)


def _circles(flow: Flow) -> Iterator[list[str]]:
    seen: set[str] = set()
    for start in flow.pulls:
        name = start
        way: list[str] = []
        while name in flow.pulls and name not in seen:
            seen.add(name)
            way.append(name)
            name = flow.pulls[name]
        if name in way:
            circle = way[way.index(name) :]
            first = circle.index(min(circle, key=lambda at: flow.steps[at].index))
            yield circle[first:] + circle[:first]
