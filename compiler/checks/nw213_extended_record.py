"""NW213: extended record. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW213",
    name="extended-record",
    severity="error",
    message="`{name}` has fields and no cases to extend",
    hint="declare a type of your own; only types made of cases grow",
    why="""\
`extend type` adds cases to a type made of cases. A type that has only fields is one shape; every value written
elsewhere has those fields.""",
    wrong="""\
extend type seat = chair

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
extend type role = chair

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
