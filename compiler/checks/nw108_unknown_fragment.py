"""NW108: unknown fragment. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW108",
    name="unknown-fragment",
    severity="error",
    message="no fragment is called `{name}`",
    hint="declare it with `fragment {name}`, or correct the name",
    why="""\
`include` puts a declared piece into a step. Without the piece the step would lack what it was meant to have.""",
    wrong="""\
fragment notify(reason: text) {
  on enter { queue_run(reason=reason) }
}

workflow board "Board" {
  step work "Work" {
    start
    include notify(reason="new")
    on turn_complete { -> done }
  }
  step done "Done" {
    end
    include notifi(reason="done")
  }
}
""",
    right="""\
fragment notify(reason: text) {
  on enter { queue_run(reason=reason) }
}

workflow board "Board" {
  step work "Work" {
    start
    include notify(reason="new")
    on turn_complete { -> done }
  }
  step done "Done" {
    end
    include notify(reason="done")
  }
}
""",
)
