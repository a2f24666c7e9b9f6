"""NW805: a workflow or step that was not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW805",
    name="added",
    severity="note",
    message="{what} `{name}` is new",
    hint="nothing has to be done",
    why="""\
Nothing stands there yet. What leads to a new step from where tasks stand is told by itself.""",
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
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}

workflow support "Support" {
  step call "Call" {
    start
    on turn_complete { -> closed }
  }
  step closed "Closed" { end }
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
    """Names what is in the new version alone."""
    known = set(versions.names.values())
    for name, new in versions.new.workflows.items():
        if name not in known:
            yield Change(RULE, (name,), {"what": "the workflow", "name": name}, new=new.place)
    for workflow in versions.workflows:
        for step in workflow.added:
            fields = {"what": "the step", "name": step.name}
            yield Change(RULE, (workflow.new.name, step.name), fields, new=step.place)
