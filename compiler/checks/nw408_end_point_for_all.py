"""NW408: end point for all. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW408",
    name="end-point-for-all",
    severity="error",
    message="`{name}` cannot be said for every step",
    hint="say it in the step that is the {name}",
    why="""\
A workflow has one start, and its ends are the steps where a task is finished. `every step` is for what steps have in
common.""",
    wrong="""\
workflow board "Board" {
  every step {
    end
  }
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  every step {
    command_panel false
  }
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
