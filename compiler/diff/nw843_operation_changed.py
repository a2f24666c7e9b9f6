"""NW843: operation ids of another shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions
    from newel.compiler.program import OperationShape

RULE = Rule(
    code="NW843",
    name="operation-changed",
    severity="warning",
    message="deliveries of `{name}` have other operation ids: {new} instead of {old}",
    hint="deploy when nothing is being delivered again, or restart: ids live as long as the process",
    why="""\
An id remembers that a delivery was applied. Under another shape a delivery that is made again is taken for a new one:
its list runs once more, and runs it queues have other keys.""",
    extra={
        "old.newel": """\
trigger paid(order: text, attempt: text)
  operation "paid:{order}"  means system
moves guarded on paid

workflow desk "Desk" {
  step work "Work" {
    start
    on paid { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
trigger paid(order: text, attempt: text)
  operation "paid:{order}:{attempt}"  means system
moves guarded on paid

workflow desk "Desk" {
  step work "Work" {
    start
    on paid { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
trigger paid(order: text, attempt: text)
  operation "paid:{order}"  means system
moves guarded on paid

workflow desk "Desk" {
  step work "Work" {
    start
    on paid { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the shapes of operation ids, of triggers and of keys."""
    for name, old in versions.old.vocabulary.triggers.items():
        new = versions.new.vocabulary.triggers.get(name)
        if new and old.operations != new.operations:
            fields = {"name": name, "new": _shapes(new.operations), "old": _shapes(old.operations)}
            yield Change(RULE, ("vocabulary", name), fields, (), new.place, old.place)
    for name, key in versions.old.vocabulary.keys.items():
        now = versions.new.vocabulary.keys.get(name)
        if now and key.operation != now.operation:
            fields = {"name": name, "new": _shapes((now.operation,)), "old": _shapes((key.operation,))}
            yield Change(RULE, ("vocabulary", name), fields, (), now.place, key.place)


def _shapes(shapes: Sequence[OperationShape]) -> str:
    said = (f"`{shape.shape}`" + (" (edge)" if shape.edge else "") for shape in shapes)
    return " or ".join(said) or "none"
