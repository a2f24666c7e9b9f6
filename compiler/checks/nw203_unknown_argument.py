"""NW203: unknown argument. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW203",
    name="unknown-argument",
    severity="error",
    message="`{owner}` has no parameter `{name}`",
    hint="see the declaration of `{owner}` for its parameters",
    why="""\
An argument that no parameter takes would be thrown away. Arguments go by the names of the declaration.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { queue_run(reson="judge") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { queue_run(reason="judge") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
