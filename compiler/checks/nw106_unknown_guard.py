"""NW106: unknown guard. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW106",
    name="unknown-guard",
    severity="error",
    message="no guard is called `{name}`",
    hint="declare it with `guard {name}`, or correct the name",
    why="""\
A move with a guard is taken only where the guard holds. A guard that cannot be read is never taken for "no guard":
that would open the gate it was meant to close.""",
    wrong="""\
workflow board "Board" {
  step review "Review" {
    start
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done when all_aprove(reviewer)
      -> work when any_reject(reviewer)
    }
  }
  step work "Work" {
    on turn_complete { -> review }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step review "Review" {
    start
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> work when any_reject(reviewer)
    }
  }
  step work "Work" {
    on turn_complete { -> review }
  }
  step done "Done" { end }
}
""",
)
