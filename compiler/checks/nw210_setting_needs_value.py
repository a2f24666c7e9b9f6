"""NW210: setting needs value. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW210",
    name="setting-needs-value",
    severity="error",
    message="`{name}` needs a value of type `{type}`",
    hint="write the value after the name",
    why="""\
Only a flag may stand alone, and then it is on. Any other setting says what it is set to.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    wip_limit
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    wip_limit 3
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
