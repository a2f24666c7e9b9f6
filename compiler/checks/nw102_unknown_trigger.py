"""NW102: unknown trigger. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW102",
    name="unknown-trigger",
    severity="error",
    message="no trigger is called `{name}`",
    hint="declare it with `trigger {name}`, or correct the name",
    why="""\
A list stands under the trigger that runs it. Under a trigger nobody declares it would never run.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_completed { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
