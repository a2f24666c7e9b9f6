"""NW837: a seat whose decision is asked for, or no longer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW837",
    name="seat-asked-otherwise",
    severity="warning",
    message="the decision of `{agent}` as {role} at `{step}` is {now}",
    hint="look at the tasks that stand there: {mend}",
    why="""\
Guards count the seats that must decide. A seat that no longer has to decide is not waited for; one that must decide is
waited for by every task that stands there too.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step review "Review" {
    start
    seats [seat(reviewer, agent="ada"), seat(reviewer, agent="ben")]
    on turn_complete { -> done when all_approve(reviewer) }
    on comment       { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step review "Review" {
    start
    seats [seat(reviewer, agent="ada"), seat(reviewer, agent="ben", required=false)]
    on turn_complete { -> done when all_approve(reviewer) }
    on comment       { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step review "Review" {
    start
    seats [seat(reviewer, agent="ada"), seat(reviewer, agent="ben")]
    on turn_complete { -> done when all_approve(reviewer) }
    on comment       { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the seats that are in both versions."""
    for step in versions.steps:
        asked = {(seat.role, seat.agent): seat.required for seat in step.after.seats}
        for seat in step.before.seats:
            now = asked.get((seat.role, seat.agent), seat.required)
            if now != seat.required:
                said = "asked for now" if now else "no longer asked for"
                mend = "they wait for it" if now else "what is decided already may be enough"
                fields = {"agent": seat.agent, "role": seat.role, "step": step.new.name, "now": said, "mend": mend}
                yield step.change(RULE, fields, step.new.place, step.old.place)
