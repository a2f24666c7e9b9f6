"""NW116: duplicate step. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW116",
    name="duplicate-step",
    severity="error",
    message="the workflow `{workflow}` has two steps `{name}`",
    hint="rename one of the two",
    why="""\
A step is known by its name: moves name it, and the ledger writes it down. Titles may repeat.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
  step done "Cancelled" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
  step cancelled "Cancelled" { end }
}
""",
)
