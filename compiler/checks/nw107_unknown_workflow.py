"""NW107: unknown workflow. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW107",
    name="unknown-workflow",
    severity="error",
    message="no workflow is called `{name}`",
    hint="name a workflow of these files",
    why="""\
A scenario is about one workflow, and an argument of type `workflow` names one. It must be among the files that are
compiled together.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}

scenario "straight through" for bord {
  create
  fire turn_complete
  expect at done
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

scenario "straight through" for board {
  create
  fire turn_complete
  expect at done
}
""",
)
