"""NW710: two declarations whose operation ids can be the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.compiler.model import Shape
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW710",
    name="operation-shared",
    severity="warning",
    message="an operation id of `{name}` can be one of {other}: {effect}",
    hint="begin the shape with a word of its own: `{name}:...`",
    why="""\
An id that was applied is not applied again, whatever brought it. Where two triggers have ids of one shape, a genuine
delivery of one is taken for the other come again, and nothing happens; of two like shapes of one trigger the second is
never used.""",
    wrong="""\
trigger paid(order: text)
  operation "order:{order}"  means system
trigger refunded(order: text)
  operation "order:{order}"  means system
moves guarded on paid, refunded

workflow desk "Desk" {
  step open "Open" {
    start
    on paid { -> done }
  }
  step done "Done" {
    end
    on refunded { -> open }
  }
}
""",
    right="""\
trigger paid(order: text)
  operation "paid:{order}"  means system
trigger refunded(order: text)
  operation "refunded:{order}"  means system
moves guarded on paid, refunded

workflow desk "Desk" {
  step open "Open" {
    start
    on paid { -> done }
  }
  step done "Done" {
    end
    on refunded { -> open }
  }
}
""",
)

_FIELD = re.compile(r"\{[^{}]*\}")


def check(facts: Facts) -> Iterator[Finding]:
    """Compares the shapes of triggers and keys, whatever their fields are called."""
    first: dict[str, tuple[str, Shape]] = {}
    for name, shape in _shapes(facts):
        pattern = _FIELD.sub("{}", shape.text)
        if pattern not in first:
            first[pattern] = (name, shape)
            continue
        other, before = first[pattern]
        same = other == name
        effect = "this shape is never used" if same else "what one has applied is not applied for the other"
        fields = {"name": name, "other": "another shape of it" if same else f"`{other}`", "effect": effect}
        yield Finding(RULE, shape.span, fields, (Related("the same shape", before.span),))


def _shapes(facts: Facts) -> Iterator[tuple[str, Shape]]:
    vocabulary = facts.model.vocabulary
    for trigger in vocabulary.triggers.values():
        yield from ((trigger.name, shape) for shape in trigger.operations)
    for key in vocabulary.keys.values():
        if key.operation is not None:
            yield key.name, key.operation
