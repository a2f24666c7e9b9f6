"""NW802: a workflow under another name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW802",
    name="workflow-renamed",
    severity="warning",
    message="the workflow `{old}` is called `{new}` now",
    hint="switch its tasks to `{new}`, each to the step where it stands",
    why="""\
Tasks keep the name of the workflow in which they stand. To the program a renamed workflow is one that has gone and
another that has come: until its tasks are switched, every trigger on them is refused. The switch is an arrival, so
that the list of the step is run again.""",
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
workflow bench "Desk" {
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
    """Names each workflow that has another name, which its steps or its title give away."""
    for workflow in versions.workflows:
        if workflow.renamed:
            old, new = workflow.old, workflow.new
            concerns = tuple((old.name, step) for step in old.steps if step in workflow.names)
            yield Change(RULE, (new.name,), {"old": old.name, "new": new.name}, concerns, new.place, old.place)
