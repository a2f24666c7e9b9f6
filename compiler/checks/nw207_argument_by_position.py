"""NW207: argument by position. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW207",
    name="argument-by-position",
    severity="error",
    message="`{owner}` takes nothing in this place, but {found} stands there",
    hint="give it by name",
    why="""\
Arguments are named; only the first may be given by position, where the declaration has a parameter to take it. What a
second value without a name is meant for could only be guessed.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { queue_run(primary, "judge") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { queue_run(primary, reason="judge") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
