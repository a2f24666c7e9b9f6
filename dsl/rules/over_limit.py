"""NW011: a file, or something in it, is larger than its limit."""

from __future__ import annotations

from newel.dsl.findings import Rule

OVER_LIMIT = Rule(
    code="NW011",
    name="over-limit",
    severity="error",
    message="this {what} has more than {limit} {unit}",
    hint="make it shorter",
    why="""\
Every size is bounded, so that any file is read in bounded time: the file itself, its lines, names, texts, numbers, and
the number of syntax findings, after which the rest of a file is not read. The limits are far above what a person
writes; a file that meets one was made by a program, or is no workflow file.""",
    wrong=f"""\
workflow w "W" {{
  step {"long" * 25}er "Work" {{ start }}
}}
""",
    right="""\
workflow w "W" {
  step short "Work" { start }
}
""",
)
