"""NW103: unknown step. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW103",
    name="unknown-step",
    severity="error",
    message="this workflow has no step `{name}`",
    hint="add the step, or name one that is there",
    why="""\
A move, a pull and every argument of type `step` name a step of the same workflow. Steps of other workflows are out of
reach: a task gets there by a switch only.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> doen }
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
