"""NW008: something begins like a number and is none."""

from __future__ import annotations

from newel.dsl.findings import Rule

BAD_NUMBER = Rule(
    code="NW008",
    name="bad-number",
    severity="error",
    message="`{written}` is neither a number nor a duration",
    hint="a number is `5` or `0.5`, a duration `90s`, `15m`, `24h` or `7d`",
    why="""\
A number is written in digits, with a point before the decimals and no exponent. A duration is a whole number followed
by `s`, `m`, `h` or `d` for seconds, minutes, hours or days, without a space between.""",
    wrong="""\
workflow w "W" {
  step work "Work" {
    start
    auto_archive 2weeks
  }
}
""",
    right="""\
workflow w "W" {
  step work "Work" {
    start
    auto_archive 14d
  }
}
""",
)
