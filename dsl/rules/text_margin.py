"""NW009: a line of a long text does not begin with the text's margin."""

from __future__ import annotations

from newel.dsl.findings import Rule

TEXT_MARGIN = Rule(
    code="NW009",
    name="text-margin",
    severity="error",
    message='this line does not begin with the white space that stands before the closing `"""`',
    hint="indent the line by {width}, or move the closing fence to the left",
    why='''\
The white space before the closing `"""` is the margin of a long text: it is taken off every line, so that the text can
stand indented in the file without being indented itself. A line with less of it, or with tabs where the fence has
spaces, leaves open what its indentation should be. Lines that hold only white space are exempt.''',
    wrong='''\
workflow w "W" {
  about """
    A primary agent does the work.
  Reviewers judge it.
    """
  step work "Work" { start }
}
''',
    right='''\
workflow w "W" {
  about """
    A primary agent does the work.
    Reviewers judge it.
    """
  step work "Work" { start }
}
''',
)
