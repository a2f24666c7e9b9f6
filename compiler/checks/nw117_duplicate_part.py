"""NW117: duplicate part. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW117",
    name="duplicate-part",
    severity="error",
    message="the {what} `{name}` is given twice in one declaration",
    hint="delete one of the two",
    why="""\
Within one declaration each parameter, field, case, mark and trigger has its own name; the second would hide the first
or say nothing.""",
    wrong="""\
type size = small | large | small
setting step size: size?

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
type size = small | large
setting step size: size?

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
