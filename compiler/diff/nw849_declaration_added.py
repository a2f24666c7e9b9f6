"""NW849: a new declaration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW849",
    name="declaration-added",
    severity="note",
    message="{what} is new",
    hint="nothing has to be done",
    why="""\
Nothing uses it yet but the new version, and what it does there is told with the steps.""",
    extra={
        "old.newel": """\
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
setting step team: text?

workflow desk "Desk" {
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
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Names what is in the new vocabulary alone."""
    for each in versions.declarations:
        if each.new and not each.old:
            yield Change(RULE, each.group, {"what": each.said}, (), each.new.place)
    for name in sorted({*versions.new.vocabulary.placeholders} - {*versions.old.vocabulary.placeholders}):
        yield Change(RULE, ("vocabulary", name), {"what": f"the placeholder `{name}`"})
