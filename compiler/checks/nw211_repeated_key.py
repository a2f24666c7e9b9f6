"""NW211: repeated key. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW211",
    name="repeated-key",
    severity="error",
    message="the key `{name}` stands twice in a map",
    hint="delete one of the two",
    why="""\
Of two values under one key only one could count.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { queue_run(payload={tone: "kind", tone: "terse"}) }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { queue_run(payload={tone: "kind"}) }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
