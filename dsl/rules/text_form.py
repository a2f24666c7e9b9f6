"""NW013: a long text does not stand on lines of its own."""

from __future__ import annotations

from newel.dsl.findings import Rule

TEXT_FORM = Rule(
    code="NW013",
    name="text-form",
    severity="error",
    message='a long text begins on the line after `"""` and ends with `"""` on a line of its own',
    hint='write `"..."` for a text of one line',
    why='''\
`"""` ends its line, the text follows on lines of its own, and a last line holds the closing `"""`. That is what makes
the margin of the text plain. A text that fits on one line is written as `"..."`.''',
    wrong='''\
workflow w "W" {
  about """A primary agent does the work."""
  step work "Work" { start }
}
''',
    right="""\
workflow w "W" {
  about "A primary agent does the work."
  step work "Work" { start }
}
""",
)
