"""NW201: wrong type. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW201",
    name="wrong-type",
    severity="error",
    message="`{what}` takes {expected}, not {found}",
    hint="give it {expected}",
    why="""\
A value must be of the type its parameter or setting is declared with. Nothing is converted: `"3"` is a text and no
number, and `"true"` is no flag. A value that were read some other way than it is written would fail open.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    requires_signal "true"
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
    requires_signal true
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
