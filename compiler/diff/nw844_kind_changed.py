"""NW844: a kind that is declared in another way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW844",
    name="kind-changed",
    severity="warning",
    message="`{kind}` {what}; old entries that are dispatched again still hand it over as it was",
    hint="let its handler take both forms as long as such tasks stand",
    why="""\
A `redispatch` runs the list of the revision on the row, with the actions as they were declared then. The handler is
that of now: it must know both, or the recovery of a lost entry fails.""",
    extra={
        "old.newel": """\
action page_someone(who: text) on enter
dispatch { page_someone }

workflow desk "Desk" {
  step work "Work" {
    start
    on enter { page_someone("ada") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
action page_someone(who: text, loud: flag = false) on enter
dispatch { page_someone }

workflow desk "Desk" {
  step work "Work" {
    start
    on enter { page_someone("ada") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
action page_someone(who: text) on enter
dispatch { page_someone }

workflow desk "Desk" {
  step work "Work" {
    start
    on enter { page_someone("ada") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the parameters of the kinds that the entry lists of the old version use."""
    for name, old in versions.old.vocabulary.kinds.items():
        new = versions.new.vocabulary.kinds.get(name)
        users = versions.entering(name)
        if users and (new is None or new.parameters != old.parameters):
            what = "has other parameters" if new else "is no longer declared"
            concerns = tuple(where for step in users for where in step.concerns)
            fields = {"kind": name, "what": what}
            yield Change(RULE, ("vocabulary", name), fields, concerns, new.place if new else None, old.place)
