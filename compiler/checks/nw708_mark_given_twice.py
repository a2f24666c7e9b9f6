"""NW708: two settings that mean the same to the runtime."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW708",
    name="mark-given-twice",
    severity="warning",
    message="`{name}` and `{other}` both mean `{mark}`: {effect}",
    hint="let one of them carry the mark; under `use nothing` a vocabulary need not have the standard ones",
    why="""\
What the runtime acts on is read from the settings that carry the mark, whatever they are called. Of two it cannot be
seen in a step which one holds: a flag that is turned off stays on by the other, and of two limits the larger says
nothing.""",
    wrong="""\
use nothing

trigger finished  means work_done
moves guarded on finished

setting step places: int(0..) = 0   means limit
setting step at_most: int(0..) = 0  means limit

workflow desk "Desk" {
  step work "Work" {
    start
    at_most 3
    on finished { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
use nothing

trigger finished  means work_done
moves guarded on finished

setting step at_most: int(0..) = 0  means limit

workflow desk "Desk" {
  step work "Work" {
    start
    at_most 3
    on finished { -> done }
  }
  step done "Done" { end }
}
""",
)

_EITHER = "where either is on, it holds"
_EFFECTS = {
    "limit": "the smaller of the two counts",
    "pull": "the one declared last counts",
    "signal": _EITHER,
    "cancel": _EITHER,
    "manual_entry": _EITHER,
}
"""By mark, what comes of two. Seats are added up, and prompts and agents are the host's."""


def check(facts: Facts) -> Iterator[Finding]:
    """Compares the settings of steps with the first that carries the same mark."""
    for mark, effect in _EFFECTS.items():
        those = facts.model.vocabulary.settings_marked(mark)
        for setting in those[1:]:
            fields = {"name": setting.name, "other": those[0].name, "mark": mark, "effect": effect}
            related = Related("this one too", those[0].marks[mark].span)
            yield Finding(RULE, setting.marks[mark].span, fields, (related,))
