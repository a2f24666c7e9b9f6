"""NW206: unknown case. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW206",
    name="unknown-case",
    severity="error",
    message="the type `{type}` has no case `{name}`",
    hint="name one of its cases, or add one with `extend type {type} = {name}`",
    why="""\
A value of a declared type is one of its cases. Another file's type grows by `extend type`.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { ensure_participant_seat(reviwer) }
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
