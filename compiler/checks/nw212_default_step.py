"""NW212: default step. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW212",
    name="default-step",
    severity="error",
    message="`{name}` of type `{type}` cannot have a default",
    hint="delete the default; let it be given, or make it optional with `?`",
    why="""\
A declaration stands for all workflows, and steps belong to one. A step that were the default in every workflow would
be missing in most.""",
    wrong="""\
setting step escalates_to: step = done

workflow board "Board" {
  every step { escalates_to done }
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
setting step escalates_to: step?

workflow board "Board" {
  every step { escalates_to done }
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
