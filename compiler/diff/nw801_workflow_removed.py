"""NW801: a workflow that the new version no longer has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW801",
    name="workflow-removed",
    severity="error",
    message="the workflow `{workflow}` is no more",
    hint="move its tasks to another workflow before you deploy: `service.switch`, or let them end",
    why="""\
A task stands in a workflow by its name. Of one that the program no longer has, no trigger can be handled and no
decision taken: every call but a switch to another workflow or a detach is refused.""",
    extra={
        "old.newel": """\
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
    judged=True,
)


def find(versions: Versions) -> Iterator[Change]:
    """Names each workflow that is in the old version alone."""
    for name, workflow in versions.old.workflows.items():
        if name not in versions.names:
            concerns = tuple((name, step) for step in workflow.steps)
            yield Change(RULE, (name,), {"workflow": name}, concerns, old=workflow.place)
