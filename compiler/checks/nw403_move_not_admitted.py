"""NW403: move not admitted. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW403",
    name="move-not-admitted",
    severity="error",
    message="no move is made under `{trigger}`",
    hint="move it under a trigger named in `moves on`",
    why="""\
`moves on` says under which triggers moves stand. A list of another trigger - an entry or exit list above all - runs
while a task is on its way; a move in it would never be made.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on enter { -> done }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
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
