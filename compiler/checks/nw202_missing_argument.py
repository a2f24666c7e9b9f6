"""NW202: missing argument. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW202",
    name="missing-argument",
    severity="error",
    message="`{owner}` needs `{name}`",
    hint="give it: `{name}=...`",
    why="""\
A parameter with neither a default nor `?` in its declaration has to be given wherever the kind, guard, fragment or
case is used.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { ensure_participant_seat }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { ensure_participant_seat(reviewer) }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
