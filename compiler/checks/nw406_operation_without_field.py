"""NW406: operation without field. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW406",
    name="operation-without-field",
    severity="warning",
    message="`{shape}` names no field of the delivery",
    hint="put a payload field into the shape that differs from delivery to delivery",
    why="""\
An operation id tells deliveries apart: one that was applied is not applied again. A shape in which nothing of the
delivery stands gives two genuine deliveries the same id, and the second is taken for the first come again. Where the
shape is fixed by contract, allow this with the reason.""",
    wrong="""\
trigger paid(payment: text)
  operation "paid:{task}" means person
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
