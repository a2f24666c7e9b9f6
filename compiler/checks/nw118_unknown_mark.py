"""NW118: unknown mark. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW118",
    name="unknown-mark",
    severity="error",
    message="no mark is called `{name}`",
    hint="see `means` in the manual for the marks of each declaration",
    why="""\
A mark after `means` tells the checks and the runtime what a declaration is about. The list of marks is closed: one
that nobody knows would change nothing.""",
    wrong="""\
trigger answered(letter: text)
  operation "answered:{letter}" means persn
moves guarded on answered

workflow board "Board" {
  step asked "Asked" {
    start
    on answered { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
trigger answered(letter: text)
  operation "answered:{letter}" means person
moves guarded on answered

workflow board "Board" {
  step asked "Asked" {
    start
    on answered { -> done }
  }
  step done "Done" { end }
}
""",
)
