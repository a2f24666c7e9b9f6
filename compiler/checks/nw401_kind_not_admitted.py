"""NW401: kind not admitted. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW401",
    name="kind-not-admitted",
    severity="error",
    message="`{name}` may not stand under `{trigger}`",
    hint="move it under a trigger that its declaration names",
    why="""\
The declaration of a kind says under which triggers it may stand. Elsewhere nothing would run it, or it would run at a
moment it was not made for.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete {
      ensure_participant_seat(reviewer)
      -> done
    }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { ensure_participant_seat(reviewer) }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
