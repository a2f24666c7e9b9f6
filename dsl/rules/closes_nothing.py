"""NW005: a closing bracket too many."""

from __future__ import annotations

from newel.dsl.findings import Rule

CLOSES_NOTHING = Rule(
    code="NW005",
    name="closes-nothing",
    severity="error",
    message="this `{sign}` closes nothing",
    hint="remove it, or look above for a bracket that is closed too early",
    why="""\
A closing bracket needs an opening one of the same kind. One too many either stands here by mistake, or something above
it was closed too early.""",
    wrong="""\
workflow w "W" {
  step work "Work" { start }
}
}
""",
    right="""\
workflow w "W" {
  step work "Work" { start }
}
""",
)
