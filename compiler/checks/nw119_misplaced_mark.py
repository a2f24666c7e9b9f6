"""NW119: misplaced mark. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW119",
    name="misplaced-mark",
    severity="error",
    message="`{name}` is no mark of {bearer}",
    hint="delete the mark, or put it on the declaration it belongs to",
    why="""\
Each mark belongs to one sort of declaration, and to settings of one type: what acts as a limit has to be a whole
number, what opens a step by hand has to be a flag.""",
    wrong="""\
setting step greeting: int(0..) = 0 means prompt

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
setting step greeting: text? means prompt

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
