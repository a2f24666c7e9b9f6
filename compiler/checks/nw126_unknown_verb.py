"""NW126: unknown verb. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW126",
    name="unknown-verb",
    severity="error",
    message="no line of a scenario begins with `{name}`",
    hint="begin it with one of the verbs",
    why="""\
A scenario is a list of lines; the verb says what happens to the task. A line that nobody can read would be left out,
and the scenario would pass without what it was written for.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter         { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}

scenario "straight through" for board {
  create
  fir turn_complete
  expect at done
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter         { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}

scenario "straight through" for board {
  create
  fire turn_complete
  expect at done
}
""",
)
