"""NW209: recursive type. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW209",
    name="recursive-type",
    severity="error",
    message="the type `{name}` holds itself: {path}",
    hint="take the field out, or hold a text that names the other value",
    why="""\
A type whose values hold values of the same type has no end. The language keeps its data flat.""",
    wrong="""\
type part(name: text, parts: list(part))
setting step parts: list(part)?

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
type part(name: text, parts: list(text))
setting step parts: list(part)?

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
