"""NW205: out of range. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW205",
    name="out-of-range",
    severity="error",
    message="`{what}` is {value}; allowed is {allowed}",
    hint="give a value within the bounds",
    why="""\
A bounded type - `int(1..)`, `duration(1s..24h)` - holds only what lies within its bounds, both included.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    wip_limit -1
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
    wip_limit 1
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
