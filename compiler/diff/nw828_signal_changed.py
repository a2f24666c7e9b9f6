"""NW828: a signal that is asked for now, or no longer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW828",
    name="signal-changed",
    severity="warning",
    message="a finished turn at `{step}` {now}",
    hint="{mend}",
    why="""\
Whether a finished turn moves a task is asked of the program of now. An agent that was started before the change was
told other rules: it finishes its turns without the signal that is asked for now, or expects to be kept until it gives
one.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter { auto_start_agent }
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
    requires_signal
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares which steps wait for a signal."""
    for step in versions.steps:
        if step.before.signal != step.after.signal:
            now = (
                "moves nothing on without a signal now"
                if step.after.signal
                else "moves a task on now, with or without a signal"
            )
            mend = (
                "tell the agents at work there to signal, or fire their last turn again with `--signalled`"
                if step.after.signal
                else "look whether turns that are under way may be the last"
            )
            fields = {"step": step.new.name, "now": now, "mend": mend}
            yield step.change(RULE, fields, step.new.place, step.old.place)
