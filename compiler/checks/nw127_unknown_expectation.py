"""NW127: unknown expectation. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW127",
    name="unknown-expectation",
    severity="error",
    message="`expect` knows no `{name}`",
    hint="name something that can be expected",
    why="""\
What may be expected is a short list: where the task stands, what its arrival ran, how many runs were queued. An
expectation that nobody can read is never taken to hold.""",
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
  fire turn_complete
  expect att done
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
