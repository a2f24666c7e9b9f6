"""NW827: another list under a trigger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import StepPair, Versions

RULE = Rule(
    code="NW827",
    name="reaction-changed",
    severity="note",
    message="`{step}` does something else on `{trigger}`: {what}",
    hint="nothing has to be done",
    why="""\
Lists of triggers are run as the program has them when the trigger is fired. It holds at once for the tasks that stand
there.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on comment { queue_run(reason="please_read") }
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
    on comment { queue_run(reason="please_answer") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on comment { queue_run(reason="please_read") }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the actions of every list but that of entry."""
    for step in versions.steps:
        for trigger in sorted(step.before.reactions | step.after.reactions):
            what = _what(step, trigger)
            if what:
                fields = {"step": step.new.name, "trigger": trigger, "what": what}
                yield step.change(RULE, fields, step.new.place, step.old.place)


def _what(step: StepPair, trigger: str) -> str:
    found = step.reaction(trigger)
    parts = [f"`{step.after.written(new)}` instead of `{step.before.written(old)}`" for old, new in found.changed]
    parts += [f"`{step.after.written(action)}` too" for action in found.added]
    parts += [f"no `{step.before.written(action)}`" for action in found.removed]
    return ", ".join(parts) or ("the same in another order" if found.reordered or found.rearranged else "")
