"""NW848: a declaration that nothing of a task hangs on is gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW848",
    name="declaration-removed",
    severity="note",
    message="{what} is no longer declared",
    hint="nothing has to be done",
    why="""\
No step uses it any more, or the file would not compile, and no task keeps it. Triggers and keys (NW841), roles (NW845)
and kinds that old entries use (NW844) are told by themselves.""",
    extra={
        "old.newel": """\
setting step team: text?

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
setting step team: text?

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
    """Names what is in the old vocabulary alone, but for what breaks or needs something."""
    for each in versions.declarations:
        worse = each.word in ("trigger", "key") or (each.word == "kind" and versions.entering(each.name))
        if each.old and not each.new and not worse:
            yield Change(RULE, each.group, {"what": each.said}, old=each.old.place)
    for name in sorted({*versions.old.vocabulary.placeholders} - {*versions.new.vocabulary.placeholders}):
        yield Change(RULE, ("vocabulary", name), {"what": f"the placeholder `{name}`"})
