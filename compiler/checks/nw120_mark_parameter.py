"""NW120: mark parameter. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW120",
    name="mark-parameter",
    severity="error",
    message="{problem}",
    hint="name a parameter of the declaration in the brackets of the mark",
    why="""\
A word in the brackets of a mark names the parameter that holds the role, or the count. The checks and the runtime
read it from there, so it must exist, always have a value, and be of a type that can hold it.""",
    wrong="""\
guard two_agree(role: role) means approval(part)

workflow board "Board" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
guard two_agree(role: role) means approval(role)

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
