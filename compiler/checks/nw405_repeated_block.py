"""NW405: repeated block. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW405",
    name="repeated-block",
    severity="error",
    message="`on {trigger}` stands twice in one body",
    hint="put both lists into one block",
    why="""\
A body has one list for each trigger, so that the order in which things run can be read in one place. Blocks of a
fragment are appended to the step's own; that is what `include` is for.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on enter { queue_run(reason="look") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter {
      auto_start_agent
    }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
