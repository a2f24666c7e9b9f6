"""NW407: setting said twice. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW407",
    name="setting-said-twice",
    severity="error",
    message="`{name}` is said twice",
    hint="delete one of the two",
    why="""\
A step says each setting once, and so does a workflow; a fragment counts as part of the step that includes it. `every
step` gives way to what a step says itself.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    wip_limit 3
    wip_limit 5
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
