"""NW816: a move whose approvals that wait find it no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW816",
    name="approval-lost",
    severity="error",
    message="the move from `{step}` to `{to}` on `{trigger}` {how}: what waits for its approval cannot be approved",
    hint="settle the approvals that wait before you deploy, or keep the move where it stands",
    why="""\
An approval that waits names the trigger, the position in its list and the destination of its move. Where the new list
has another statement there, `approve` finds no such move: the task stays, and the trigger that asked for it has been
and gone. Add new statements after such a move, not before it.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done requires approval }
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
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done requires approval }
  }
  step done "Done" { end }
}
""",
    judged=True,
)


def find(versions: Versions) -> Iterator[Change]:
    """Looks for each move that requires approval in the place where it stood."""
    for step in versions.steps:
        for trigger, position, move in step.before.approvals:
            items = step.new.on.get(trigger, ())
            item = items[position] if position < len(items) else None
            if getattr(item, "approval", False) and getattr(item, "to", None) == move.to:
                continue
            again = step.after.moves.get((trigger, step.to(move.to)), ())
            if step.renamed and any(each.approval for each in again):
                continue  # what waits is abandoned by the move to the new name; nothing else is lost
            left_open = bool(again) and not any(each.approval for each in again)
            how = "is gone" if not again else "stands elsewhere in its list, or leads to a step with another name"
            fields = {
                "step": step.new.name,
                "to": move.to,
                "trigger": trigger,
                "how": "requires no approval any more" if left_open else how,
                "open": left_open,
            }
            place = again[0].place if again else step.new.place
            yield step.change(RULE, fields, place, move.place, anew="warning")
