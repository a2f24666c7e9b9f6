"""NW012: too many brackets are open at one place."""

from __future__ import annotations

from newel.dsl.findings import Rule

NESTED_TOO_DEEP = Rule(
    code="NW012",
    name="nested-too-deep",
    severity="error",
    message="more than {limit} brackets are open here",
    hint="take the inner part apart",
    why="""\
Brackets may be nested 64 deep. Nothing a person writes comes near; the limit keeps a made-up file from using up the
memory of whatever reads it.""",
    wrong=f"""\
workflow w "W" {{
  step work "Work" {{
    start
    on enter {{ queue_run(payload={{list: {"[" * 64}1{"]" * 64}}}) }}
  }}
}}
""",
    right="""\
workflow w "W" {
  step work "Work" {
    start
    on enter { queue_run(payload={list: [1]}) }
  }
}
""",
)
