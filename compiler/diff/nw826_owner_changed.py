"""NW826: a kind that was run by the arrival and is left to the session, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW826",
    name="owner-changed",
    severity="warning",
    message="`{kind}` is run by {new} now, not by {old}",
    hint="look at what runs it: a handler that is called with the arrival, or the session, which may not be there",
    why="""\
A dispatched kind is run by the arrival itself, by its handler; an excluded one only where a session is live. For the
tasks that stand nothing is run again: the revision on the row says who ran it. From the next arrival on the other one
does, or nobody.""",
    extra={
        "old.newel": """\
action page_someone on enter
dispatch { page_someone }

workflow desk "Desk" {
  step work "Work" {
    start
    on enter { page_someone }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
action page_someone on enter
exclude { page_someone }

workflow desk "Desk" {
  step work "Work" {
    start
    on enter { page_someone }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
action page_someone on enter
dispatch { page_someone }

workflow desk "Desk" {
  step work "Work" {
    start
    on enter { page_someone }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares in which list the kinds of entry actions stand."""
    owners = {"dispatch": "the arrival", "exclude": "the session"}
    for name, old in versions.old.vocabulary.kinds.items():
        new = versions.new.vocabulary.kinds.get(name)
        if new is not None and old.owner and new.owner and old.owner != new.owner:
            concerns = tuple(where for step in versions.entering(name) for where in step.concerns)
            fields = {"kind": name, "new": owners[new.owner], "old": owners[old.owner]}
            yield Change(RULE, ("vocabulary", name), fields, concerns, new.place, old.place)
