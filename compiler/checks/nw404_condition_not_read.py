"""NW404: condition not read. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW404",
    name="condition-not-read",
    severity="error",
    message="{what} is not read under `{trigger}`",
    hint="take it out, or move under a trigger named in `moves guarded on`",
    why="""\
Under some triggers moves are taken as they come: neither guards nor approval are read. A guard nobody reads looks
like a closed gate and is an open one.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on turn_start { -> done requires approval }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    on turn_complete { -> done requires approval }
  }
  step done "Done" { end }
}
""",
)
