"""NW809: what is read, and not acted on, in other words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions
    from newel.compiler.program import Step, Workflow

RULE = Rule(
    code="NW809",
    name="wording-changed",
    severity="note",
    message="the {word} of {what} reads otherwise{how}",
    hint="nothing has to be done",
    why="""\
Titles are what people see, and documentation is what the pages of `newel docs` say. Neither moves a task, and no task
keeps any of it.""",
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
  step work "At work" {
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
    """Compares the titles of workflows and steps, and the documentation of all that has any."""
    for workflow in versions.workflows:
        name, place = workflow.new.name, (workflow.new.place, workflow.old.place)
        for word, how in _words(workflow.old, workflow.new):
            yield Change(RULE, (name,), {"word": word, "what": f"`{name}`", "how": how}, (), *place)
        for step in workflow.steps:
            for word, how in _words(step.old, step.new):
                fields = {"word": word, "what": f"`{step.new.name}`", "how": how}
                yield replace(step.change(RULE, fields, step.new.place, step.old.place), concerns=())
    for each in versions.declarations:
        if each.old and each.new and each.old.doc != each.new.doc:
            fields = {"word": "documentation", "what": each.said, "how": ""}
            yield Change(RULE, each.group, fields, (), each.new.place, each.old.place)


def _words(old: Workflow | Step, new: Workflow | Step) -> Iterator[tuple[str, str]]:
    if old.title != new.title:
        yield "title", f': "{new.title}", not "{old.title}"'
    if old.doc != new.doc:
        yield "documentation", ""
