"""NW509: a loop that the clock, the system or decisions drive."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.compiler.checks.loops import nature, places, trace
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW509",
    name="loop-without-a-person",
    severity="note",
    message="this goes round {often}, with no person in it: {trace}",
    hint="nothing need be done where that is meant",
    why="""\
No person has to act anywhere in this loop, but something has to happen: the clock, an event of the system, a decision
of those who sit at a step. That is how review boards work, so it is a note, and off unless it is asked for.""",
    wrong="""\
workflow desk "Desk" {
  step write "Write" {
    start
    requires_signal
    on enter         { auto_start_agent }
    on turn_complete { -> check }
  }
  step check "Check" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done  when all_approve(reviewer)
      -> write when any_reject(reviewer)
    }
  }
  step done "Done" { end }
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
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done  when all_approve(reviewer)
      -> write requires approval
    }
  }
  step done "Done" { end }
}
""",
    default=False,
)


def check(facts: Facts) -> Iterator[Finding]:
    """Takes the loops with a driven or a decided hop and no personal one."""
    for flow, loops in facts.loops:
        for trail in loops.driven:
            driven = any(nature(flow, hop) == "driven" for hop in trail)
            often = "as often as something happens" if driven else "as long as it is decided so"
            yield Finding(RULE, trail[0].move.span, {"often": often, "trace": trace(trail)}, places(trail))
