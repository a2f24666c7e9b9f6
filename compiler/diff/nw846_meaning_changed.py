"""NW846: a declaration that means something else to the runtime."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions
    from newel.compiler.program import Declared, Mark

RULE = Rule(
    code="NW846",
    name="meaning-changed",
    severity="warning",
    message="{what} means {new} now, not {old}",
    hint="look at the steps that use it: they do as the new version says from now on",
    why="""\
What `means` says of a declaration is what the runtime and the checks know of it: that a kind wakes somebody, that a
guard asks a role, that a setting is a limit. What stands under it changes with it, also for the tasks that are on
their way.""",
    extra={
        "old.newel": """\
action tidy on enter
dispatch { tidy }

workflow desk "Desk" {
  step work "Work" {
    start
    on enter         { tidy }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
action tidy on enter  means wakes
dispatch { tidy }

workflow desk "Desk" {
  step work "Work" {
    start
    on enter         { tidy }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
action tidy on enter
dispatch { tidy }

workflow desk "Desk" {
  step work "Work" {
    start
    on enter         { tidy }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the marks of what is declared in both versions, and which triggers are part of a turn."""
    for each in versions.declarations:
        if each.old and each.new and _marks(each.old) != _marks(each.new):
            fields = {"what": each.said, "new": _said(each.new), "old": _said(each.old)}
            yield Change(RULE, each.group, fields, (), each.new.place, each.old.place)


def _marks(declared: Declared) -> tuple[str, ...]:
    marks: tuple[Mark, ...] = getattr(declared, "marks", ())  # types and keys have none
    said = [f"{mark.name}({', '.join(mark.parameters)})" if mark.parameters else mark.name for mark in marks]
    return (*said, *(["in_turn"] if getattr(declared, "in_turn", False) else []))


def _said(declared: Declared) -> str:
    return ", ".join(f"`{mark}`" for mark in _marks(declared)) or "nothing of its own"
