"""NW112: use cycle. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW112",
    name="use-cycle",
    severity="error",
    message="files use each other in a circle: {path}",
    hint="take one `use` of the circle out; put what both need into a third file",
    why="""\
A file that is used brings its declarations in. Files that use each other have no order in which they could be read.""",
    wrong="""\
use "second.newel"

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
use "third.newel"

workflow board "Board" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    extra={"second.newel": 'use "example.newel"\n', "third.newel": "# Nothing yet.\n"},
)
