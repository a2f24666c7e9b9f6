"""NW101: unknown kind. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW101",
    name="unknown-kind",
    severity="error",
    message="no kind of action is called `{name}`",
    hint="declare it with `action {name} on ...`, or correct the name",
    why="""\
Every action in a list must be of a declared kind. An action the compiler does not know would otherwise be dropped,
and the step would quietly do less than its author wrote. Kinds are declared with `action`; the standard vocabulary
brings those of agent boards.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { auto_start_agnt }
    on turn_complete { -> done }
  }
  step done "Done" { end }
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
""",
)
