"""NW845: a role that is no longer declared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.compiler.diff.declared import roles
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW845",
    name="role-removed",
    severity="error",
    message="there is no role `{role}` any more",
    hint="take back the seats in that role first, and let decisions in it be settled",
    why="""\
Seats and decisions name their role. Of one that is no longer declared nothing new can be decided (`UnknownRole`), no
guard can ask, and what stands under it counts for nobody.""",
    extra={
        "old.newel": """\
extend type role = counsel

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
extend type role = counsel

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
    """Compares the cases of the types that marks name as roles."""
    left = set(roles(versions.new.vocabulary))
    for role, place in roles(versions.old.vocabulary).items():
        if role not in left:
            concerns = tuple(where for step in versions.steps for where in step.concerns)
            yield Change(RULE, ("vocabulary", role), {"role": role}, concerns, old=place)
