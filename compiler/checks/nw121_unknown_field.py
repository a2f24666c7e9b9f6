"""NW121: unknown field. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW121",
    name="unknown-field",
    severity="error",
    message="there is no field `{name}` to build an operation id from",
    hint="name a payload field, or `task`, `step` or `workflow`",
    why="""\
An operation id is built from what the delivery carries: the trigger's payload, and the task, step and workflow it
meets. The id of a `key` is built from the key's own parameters alone.""",
    wrong="""\
trigger paid(payment: text)
  operation "paid:{payement}:{payment}" means person
moves guarded on paid

workflow order "Order" {
  step open "Open" {
    start
    on paid { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
trigger paid(payment: text)
  operation "paid:{payment}" means person
moves guarded on paid

workflow order "Order" {
  step open "Open" {
    start
    on paid { -> done }
  }
  step done "Done" { end }
}
""",
)
