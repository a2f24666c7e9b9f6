"""NW105: unknown setting. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW105",
    name="unknown-setting",
    severity="error",
    message="a {owner} has no setting `{name}`",
    hint="declare it with `setting {owner} {name}: ...`, or correct the name",
    why="""\
Settings are data for the program that runs the workflow, and some of them act on the runtime. One that nobody
declares would be read by nobody. Settings of workflows and settings of steps are declared apart.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    colour "bg-blue-500"
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
    color "bg-blue-500"
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
