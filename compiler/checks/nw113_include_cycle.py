"""NW113: include cycle. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW113",
    name="include-cycle",
    severity="error",
    message="the fragment `{name}` includes itself: {path}",
    hint="take the `include` out; put what repeats into a fragment of its own",
    why="""\
`include` puts a fragment's statements in its place. A fragment that comes back to itself would have no end.""",
    wrong="""\
fragment loud {
  include quiet
}

fragment quiet {
  on enter { queue_run(reason="hush") }
  include loud
}

workflow board "Board" {
  step work "Work" {
    start
    include loud
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
fragment loud {
  include quiet
}

fragment quiet {
  on enter { queue_run(reason="hush") }
}

workflow board "Board" {
  step work "Work" {
    start
    include loud
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)
