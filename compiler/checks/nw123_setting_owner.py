"""NW123: setting owner. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW123",
    name="setting-owner",
    severity="error",
    message="nothing called `{name}` has settings",
    hint="write `setting step ...` or `setting workflow ...`",
    why="""\
Settings belong to steps or to workflows; the word after `setting` says to which.""",
    wrong="""\
setting task priority: int = 0

workflow board "Board" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
setting step priority: int = 0

workflow board "Board" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
