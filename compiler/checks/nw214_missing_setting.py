"""NW214: missing setting. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW214",
    name="missing-setting",
    severity="error",
    message="the {owner} `{of}` has to say `{name}`",
    hint="write `{name}` and its value",
    why="""\
A setting whose declaration has neither a default nor `?` has to be given everywhere; for steps `every step` can give
it to all.""",
    wrong="""\
setting workflow team: text

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
setting workflow team: text

workflow board "Board" {
  team "core"
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
