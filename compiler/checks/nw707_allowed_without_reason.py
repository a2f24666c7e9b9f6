"""NW707: a comment that allows a finding and does not say why."""

from __future__ import annotations

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW707",
    name="allowed-without-reason",
    severity="warning",
    message="`{code}` is allowed here without a reason",
    hint="say why: `# newel: allow {code} because REASON`",
    why="""\
A finding is let pass by `# newel: allow CODE because REASON`. The reason is for whoever reads the file next, and has to
decide whether it still holds.""",
    wrong="""\
workflow desk "Desk" {
  step open "Open" { start }
  step done "Done" { end }
  # newel: allow NW512
  step later "Later" { pull_from open }
}
""",
    right="""\
workflow desk "Desk" {
  step open "Open" { start }
  step done "Done" { end }
  # newel: allow NW512 because the limit comes with the next board
  step later "Later" { pull_from open }
}
""",
)
