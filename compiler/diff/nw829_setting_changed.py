"""NW829: data of the host with another value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW829",
    name="setting-changed",
    severity="note",
    message="{names} of `{step}` {verb} another value",
    hint="nothing has to be done",
    why="""\
Titles, prompts, colours and the like are data for whoever shows and starts: it reads them from the program of now. An
agent that was started with the old prompt goes on with it.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    color "green"
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
    color "blue"
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    color "green"
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the settings that the runtime does not act on, and the titles."""
    for step in versions.steps:
        old, new = step.before.data, step.after.data
        changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        if changed:
            verb = "has" if len(changed) == 1 else "have"
            fields = {"names": ", ".join(f"`{n}`" for n in changed), "step": step.new.name, "verb": verb}
            yield Change(RULE, step.group, fields, step.concerns, step.new.place, step.old.place)
