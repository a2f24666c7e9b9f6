"""NW010: a `##` comment that documents nothing."""

from __future__ import annotations

from newel.dsl.findings import Rule

STRAY_DOCUMENTATION = Rule(
    code="NW010",
    name="stray-documentation",
    severity="error",
    message="this `##` comment documents nothing",
    hint="put it on the line before a declaration, or write `#`",
    why="""\
A comment that begins with `##` is documentation: it goes into the compiled model, the pages and the editor's help of
the declaration on the next line. Before an empty line, a setting, an action or the end of a block, or behind a
statement, it would be lost without a word. An ordinary comment begins with one `#` and may stand anywhere.""",
    wrong="""\
## The only step.

workflow w "W" {
  step work "Work" { start }
}
""",
    right="""\
workflow w "W" {
  ## The only step.
  step work "Work" { start }
}
""",
)
