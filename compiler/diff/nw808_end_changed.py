"""NW808: a step that is no end any more, or is one now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW808",
    name="end-changed",
    severity="warning",
    message="`{step}` is {now} end: a task that stands there counts as {finished}",
    hint="look whether a parent waits for such a task, or is woken too early by it",
    why="""\
A task at an end is finished. Whoever waits for it - `children_completed` of its parent, a report of the host - reads
that off the program of now, so that the tasks that stand there change from one to the other with the deployment,
without an arrival.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> held }
  }
  step held "Held" {
    end
    on comment { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> held }
  }
  step held "Held" { on comment { -> done } }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> held }
  }
  step held "Held" {
    end
    on comment { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares which steps are ends."""
    for step in versions.steps:
        if step.old.end != step.new.end:
            now, finished = ("an", "finished from now on") if step.new.end else ("no longer an", "unfinished again")
            fields = {"step": step.new.name, "now": now, "finished": finished}
            yield step.change(RULE, fields, step.new.place, step.old.place)
