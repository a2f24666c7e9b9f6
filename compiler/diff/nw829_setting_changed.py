"""NW829: data of the host with another value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.compiler.diff.settings import ChangedSetting, changed_settings, settings_told
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW829",
    name="setting-changed",
    severity="note",
    message="{told}",
    hint="nothing has to be done",
    why="""\
Prompts, colours and the like are data for whoever shows and starts: it reads them from the program of now. An agent
that was started with the old prompt goes on with it. What the runtime acts on - limits, seats, signals - is told by
rules of its own.""",
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
    """Compares the settings of workflows and steps, but for what other rules have told of them."""
    for workflow in versions.workflows:
        name, new, old = workflow.new.name, workflow.new.place, workflow.old.place
        changed = changed_settings(workflow, "workflow", workflow.old.settings, workflow.new.settings)
        if changed:
            yield Change(RULE, (name,), _fields(name, changed), (), new, old)
        for step in workflow.steps:
            told = settings_told(step)
            changed = changed_settings(workflow, "step", step.old.settings, step.new.settings)
            left = [each for each in changed if each.name not in told]
            if left:
                yield step.change(RULE, _fields(step.new.name, left), step.new.place, step.old.place)


def _fields(of: str, changed: Sequence[ChangedSetting]) -> dict[str, object]:
    return {"told": "; ".join(each.told(of) for each in changed)}
