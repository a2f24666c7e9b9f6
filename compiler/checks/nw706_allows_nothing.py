"""NW706: a comment that allows what is not there, or cannot be allowed."""

from __future__ import annotations

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW706",
    name="allows-nothing",
    severity="warning",
    message="this comment allows nothing: {because}",
    hint="delete it",
    why="""\
A comment `# newel: allow CODE because REASON` lets a finding pass that stands on the same line or the next. Where none
does, the file has been mended, or the comment has lost its place: left standing, it would one day hide something else.
Errors in what a file says - a name nobody declares, a step that moves to itself - cannot be allowed, only mended.""",
    wrong="""\
workflow desk "Desk" {
  # newel: allow NW505 because refused tasks are meant to stay
  step refused "Refused" { start }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step refused "Refused" { start }
  step done "Done" { end }
}
""",
)
