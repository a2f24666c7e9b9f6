"""NW402: guard not admitted. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW402",
    name="guard-not-admitted",
    severity="error",
    message="`{name}` may not be asked under `{trigger}`",
    hint="ask it under a trigger that its declaration names",
    why="""\
A guard may name the triggers it can stand under: it reads what they bring. Under another one there is nothing to
read.""",
    wrong="""\
trigger paid(amount: int)
  operation "paid:{amount}" means person
moves guarded on paid
guard in_full on paid

workflow order "Order" {
  step open "Open" {
    start
    on comment { -> done when in_full }
  }
  step done "Done" { end }
}
""",
    right="""\
trigger paid(amount: int)
  operation "paid:{amount}" means person
moves guarded on paid
guard in_full on paid

workflow order "Order" {
  step open "Open" {
    start
    on paid { -> done when in_full }
  }
  step done "Done" { end }
}
""",
)
