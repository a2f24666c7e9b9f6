"""NW114: forbidden name. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW114",
    name="forbidden-name",
    severity="error",
    message="a {what} cannot be called `{name}`",
    hint="choose another name",
    why="""\
Words are not reserved; a few names would make a line mean two things, or stand for something the language has itself.
No step is called `next` or `previous`; no setting `step`, `every`, `on`, `include`, `start` or `end`; no setting or
kind `when`, `requires`, `and` or `or`; no guard `not`; no trigger `enter` or `exit`; no type like one of the
language. In the compiled program an action and a guard have `kind` and `place` beside their parameters and a value
has `case` beside its fields, and an operation id knows `task`, `step` and `workflow` beside the payload; those names
are taken there.""",
    wrong="""\
workflow board "Board" {
  step work "Work" { start }
  step next "Next up" {}
  step done "Done" { end }
}
""",
    right="""\
workflow board "Board" {
  step work "Work" { start }
  step upcoming "Next up" {}
  step done "Done" { end }
}
""",
)
