"""NW006: a round, square or value bracket that is never closed."""

from __future__ import annotations

from newel.dsl.findings import Rule

UNCLOSED_BRACKET = Rule(
    code="NW006",
    name="unclosed-bracket",
    severity="error",
    message="`{sign}` is never closed",
    hint="add `{closer}` before the end of the line",
    why="""\
Between brackets a line break means nothing, so a bracket that is left open runs into the lines below. The finding
stands at the bracket, not where the trouble shows.""",
    wrong="""\
workflow w "W" {
  step work "Work" {
    start
    on enter {
      queue_run(reason="please_judge"
      clear_decisions
    }
  }
}
""",
    right="""\
workflow w "W" {
  step work "Work" {
    start
    on enter {
      queue_run(reason="please_judge")
      clear_decisions
    }
  }
}
""",
)
