"""NW841: a trigger that is no longer declared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW841",
    name="trigger-removed",
    severity="error",
    message="{what} is no longer declared",
    hint="first let the host stop firing it",
    why="""\
Whoever fires it is refused with `UnknownTrigger`. That is not a matter of a task, but of the host and of what is on
its way to it: deliveries are made again until they are taken.""",
    extra={
        "old.newel": """\
trigger paid(order: text)
  operation "paid:{order}"  means system
moves guarded on paid

workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
trigger paid(order: text)
  operation "paid:{order}"  means system
moves guarded on paid

workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    judged=True,
)


def find(versions: Versions) -> Iterator[Change]:
    """Names each trigger and each key that is in the old vocabulary alone."""
    for each in versions.declarations:
        if each.old and not each.new and each.word in ("trigger", "key"):
            yield Change(RULE, each.group, {"what": each.said}, old=each.old.place)
