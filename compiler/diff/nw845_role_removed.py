"""NW845: a role that is no longer declared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions
    from newel.compiler.program import GuardDef, KindDef, Place, Program

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
    left = set(_roles(versions.new))
    for role, place in _roles(versions.old).items():
        if role not in left:
            concerns = tuple(where for step in versions.standing for where in step.concerns)
            yield Change(RULE, ("vocabulary", role), {"role": role}, concerns, old=place)


def _roles(program: Program) -> dict[str, Place | None]:
    """The roles with the places of their types."""
    found: dict[str, Place | None] = {}
    vocabulary = program.vocabulary
    declared: list[GuardDef | KindDef] = [*vocabulary.guards.values(), *vocabulary.kinds.values()]
    for each in declared:
        named = {mark.parameters[0] for mark in each.marks if mark.parameters}
        for parameter in each.parameters:
            type_ = vocabulary.types.get(parameter.type.name) if parameter.name in named else None
            found.update((case.name, type_.place) for case in type_.cases) if type_ else None
    return found
