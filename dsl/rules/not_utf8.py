"""NW001: the file is not UTF-8 text."""

from __future__ import annotations

from newel.dsl.findings import Rule

NOT_UTF8 = Rule(
    code="NW001",
    name="not-utf8",
    severity="error",
    message="this file is not UTF-8 text: {what}",
    hint="save it as UTF-8",
    why="""\
A `.newel` file is UTF-8 text. One that an editor saved in another encoding would be read with wrong letters in titles
and prompts, and nobody would notice until an agent or a customer sees them; so it is not read at all. A byte order mark
at the beginning is allowed and ignored. NUL, UTF-16 and the character U+FFFD outside a text, which some programs leave
where they lost a letter, are reported here too.""",
    wrong="""\
workflow w "W" {
  step caf\ufffd "Café" { start }
}
""",
    right="""\
workflow w "W" {
  step cafe "Café" { start }
}
""",
)
