"""NW410: moves on entry. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW410",
    name="moves-on-entry",
    severity="error",
    message="no move is made under `{name}`",
    hint="take `{name}` out; moves stand under triggers that happen to a standing task",
    why="""\
`enter` and `exit` belong to the language: their lists run while a task arrives or leaves, already on its way.""",
    wrong="""\
moves on exit

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
