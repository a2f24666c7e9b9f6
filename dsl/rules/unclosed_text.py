"""NW002: a text that is never closed."""

from __future__ import annotations

from newel.dsl.findings import Rule

UNCLOSED_TEXT = Rule(
    code="NW002",
    name="unclosed-text",
    severity="error",
    message="this text is never closed",
    hint='add `"`',
    why='''\
A text in quotes ends on the line it begins on. A text of several lines stands between `"""` at the end of a line and
`"""` on a line of its own; one that holds `"""` itself uses a longer fence on both sides.''',
    wrong="""\
workflow w "W" {
  step work "Work {
    start
  }
}
""",
    right="""\
workflow w "W" {
  step work "Work" {
    start
  }
}
""",
)
