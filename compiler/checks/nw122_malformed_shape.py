"""NW122: malformed shape. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW122",
    name="malformed-shape",
    severity="error",
    message="this is no shape of an operation id: {problem}",
    hint='shapes are like `"paid:{{payment}}[:{{part}}]:{{digest(lines)}}"`',
    why="""\
In the shape of an operation id `{field}` stands for a plain value, `{digest(field)}` for the hash of a list, and
`[...]` for a part that is left out when a field in it is missing. Other braces and brackets have no meaning there.""",
    wrong="""\
trigger packed(parcel: text, lines: list(text))
  operation "packed:{parcel}:{lines}" means person
moves guarded on packed

workflow order "Order" {
  step open "Open" {
    start
    on packed { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
trigger packed(parcel: text, lines: list(text))
  operation "packed:{parcel}:{digest(lines)}" means person
moves guarded on packed

workflow order "Order" {
  step open "Open" {
    start
    on packed { -> done }
  }
  step done "Done" { end }
}
""",
)
