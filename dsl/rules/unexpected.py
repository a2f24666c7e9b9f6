"""NW003: something that cannot stand here."""

from __future__ import annotations

from newel.dsl.findings import Rule

UNEXPECTED = Rule(
    code="NW003",
    name="unexpected",
    severity="error",
    message="{problem}",
    hint="remove it, or write what is meant",
    why="""\
The file says something at a place where the language has no use for it, or leaves out what must stand there. The
message says what could stand at the place. The statement is skipped up to the end of its line, or of its block; what
follows is read as usual, and names in the skipped text are not reported as unknown.""",
    wrong="""\
workflow w "W" {
  step work "Work" {
    start
    color: "bg-blue-500"
  }
}
""",
    right="""\
workflow w "W" {
  step work "Work" {
    start
    color "bg-blue-500"
  }
}
""",
)
