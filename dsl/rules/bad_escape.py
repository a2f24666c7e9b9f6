"""NW007: a text holds an escape or a character that it cannot hold."""

from __future__ import annotations

from newel.dsl.findings import Rule

BAD_ESCAPE = Rule(
    code="NW007",
    name="bad-escape",
    severity="error",
    message="`{escape}` is no escape",
    hint="write `\\\\` for a backslash",
    why="""\
In a text in quotes a backslash begins an escape, and the escapes are those of JSON: `\\"`, `\\\\`, `\\/`, `\\b`, `\\f`,
`\\n`, `\\r`, `\\t` and `\\u` with four hexadecimal digits. Half of a surrogate pair and `\\u0000` are no characters.
Control characters, a tab among them, are written as escapes. In a long text, between lines of three quotes, there are
no escapes at all: a backslash is a backslash.""",
    wrong="""\
workflow w "W" {
  step work "Work" {
    start
    about "see C:\\docs"
  }
}
""",
    right="""\
workflow w "W" {
  step work "Work" {
    start
    about "see C:\\\\docs"
  }
}
""",
)
