"""NW128: no task yet. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW128",
    name="no-task-yet",
    severity="error",
    message="`{name}` stands before its task is there",
    hint="begin with `{create}`",
    why="""\
A scenario begins in an empty ledger. Its task is there from `create` on; what is said of it before could only be
refused.""",
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
  fire turn_complete
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
