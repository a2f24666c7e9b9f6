"""NW204: repeated argument. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW204",
    name="repeated-argument",
    severity="error",
    message="`{name}` is given twice",
    hint="delete one of the two",
    why="""\
Of two values for one parameter only one could count.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { queue_run(reason="judge", reason="look") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { queue_run(reason="judge") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
