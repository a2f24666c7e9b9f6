"""NW513: a workflow too large to be searched for loops to the end."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule


def _wheel(rim: int, spokes: int) -> str:
    """A workflow of `rim` steps in a ring, with so many side ways from each to the next."""
    names = [f"r{i}" for i in range(rim)]
    lines = ["guard worn", "", 'workflow wheel "Wheel" {', '  step begin "Begin" { start }']
    for i, name in enumerate(names):
        to = names[(i + 1) % rim]
        sides = [f"{name}_{j}" for j in range(spokes)]
        moves = " ".join([f'step {name} "{name}" {{', "on heartbeat {"])
        lines += [f"  {moves}", *(f"    -> {side} when worn" for side in sides), f"    -> {to}", "  } }"]
        lines += [f'  step {side} "{side}" {{ on heartbeat {{ -> {to} }} }}' for side in sides]
    return "\n".join([*lines, "}\n"])


RULE = Rule(
    code="NW513",
    name="loops-not-searched",
    severity="warning",
    message="the search for loops through `{step}` gave up after {states} steps of work",
    hint="make the workflow smaller, or look at its loops by eye",
    why="""\
Loops are looked for in every connected part of a workflow, the shortest first, with a bound on the work. Here the
bound was met: what was found is true, but there may be more.""",
    wrong=_wheel(20, 8),
    right=_wheel(5, 2),
)


def check(facts: Facts) -> Iterator[Finding]:
    """Tells where the search was given up."""
    states = facts.model.limits.states
    for _, loops in facts.loops:
        for hop in loops.given_up:
            yield Finding(RULE, hop.move.span, {"step": hop.step.name, "states": states}, hop.move.trace)
