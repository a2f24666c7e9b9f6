"""NW208: malformed type. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW208",
    name="malformed-type",
    severity="error",
    message="{problem}",
    hint="types are like `list(text)`, `int(1..5)`, `duration(1s..24h)`, `role?`",
    why="""\
`list` and `map` take the type of their elements, `int` and `duration` may take bounds of their own kind, the lower
first. No other type takes anything in brackets.""",
    wrong="""\
setting step labels: list?

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
setting step labels: list(text)?

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
