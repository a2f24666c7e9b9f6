"""NW014: a word that is no name."""

from __future__ import annotations

from newel.dsl.findings import Rule

BAD_NAME = Rule(
    code="NW014",
    name="bad-name",
    severity="error",
    message="`{word}` is no name: {reason}",
    hint="wording in any script goes into the title",
    why="""\
A name holds ASCII letters, digits, `_` and, between others, `-`; it begins with a letter or `_`. Names travel into
columns, keys, addresses and class names, where other letters make trouble. What people read is the title, and that may
be written in any script.""",
    wrong="""\
workflow w "W" {
  step prüfung "Prüfung" { start }
}
""",
    right="""\
workflow w "W" {
  step pruefung "Prüfung" { start }
}
""",
)
