"""NW104: unknown type. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW104",
    name="unknown-type",
    severity="error",
    message="no type is called `{name}`",
    hint="declare it with `type {name} = ...`, or correct the name",
    why="""\
The type of a parameter or setting is one of the language - `text int number flag duration step workflow list map` -
or one that is declared with `type`.""",
    wrong="""\
setting step owner: person?

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
type person(name: text)
setting step owner: person?

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
