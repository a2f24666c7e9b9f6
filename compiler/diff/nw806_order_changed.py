"""NW806: the steps of a workflow in another order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW806",
    name="order-changed",
    severity="note",
    message="the steps of `{workflow}` stand in another order: {order}",
    hint="nothing has to be done",
    why="""\
The order of the steps is that of the columns on a board. `-> next` and `-> previous` are resolved when a file is
compiled; where they lead elsewhere by it, that is told as a move.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step aside "Aside" { on comment { -> done } }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step aside "Aside" { on comment { -> done } }
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step aside "Aside" { on comment { -> done } }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the order of the steps that are in both versions."""
    for workflow in versions.workflows:
        before = list(workflow.names.values())
        after = [name for name in workflow.new.steps if name in before]
        if before != after:
            concerns = tuple((workflow.old.name, name) for name in workflow.names)
            fields = {"workflow": workflow.new.name, "order": ", ".join(f"`{name}`" for name in after)}
            yield Change(RULE, (workflow.new.name,), fields, concerns, workflow.new.place, workflow.old.place)
