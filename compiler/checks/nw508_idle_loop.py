"""NW508: a loop in which nobody has to do anything."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.compiler.checks.loops import places, trace
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW508",
    name="idle-loop",
    severity="error",
    message="this goes round for ever with nobody in it: {trace}",
    hint="let somebody decide on the way: add a guard that asks for decisions, or `requires approval`",
    why="""\
Each step of this loop starts somebody on entry, and each moves the task on when a turn is finished. No person and no
decision stands in between, so the task goes round, and starts work, for ever. Guards that do not ask for decisions do
not help: nothing says that they will ever stop it.""",
    wrong="""\
workflow desk "Desk" {
  step write "Write" {
    start
    requires_signal
    on enter         { auto_start_agent }
    on turn_complete { -> check }
  }
  step check "Check" {
    requires_signal
    on enter         { auto_start_agent }
    on turn_complete { -> write }
  }
}
""",
    right="""\
workflow desk "Desk" {
  step write "Write" {
    start
    requires_signal
    on enter         { auto_start_agent }
    on turn_complete { -> check }
  }
  step check "Check" {
    requires_signal
    on enter         { auto_start_agent }
    on turn_complete { -> write requires approval }
  }
}
""",
    judged=True,
)


def check(facts: Facts) -> Iterator[Finding]:
    """Takes the loops of idle hops."""
    for _, loops in facts.loops:
        for trail in loops.idle:
            yield Finding(RULE, trail[0].move.span, {"trace": trace(trail)}, places(trail))
