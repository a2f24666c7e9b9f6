"""NW111: file outside root. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW111",
    name="file-outside-root",
    severity="error",
    message="`{path}` is outside the project",
    hint="move the file into the project, or compile from a folder above both",
    why="""\
A workflow reads no file outside the project's root - the folder of its configuration, else of the file that was given
- so that a workflow somebody else wrote cannot read what is not meant for it.""",
    wrong="""\
use "../elsewhere.newel"

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
