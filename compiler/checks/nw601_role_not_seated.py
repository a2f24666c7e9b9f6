"""NW601: a role that is asked or woken where nobody sits in it."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.compiler.checks.gates import Gate
from newel.compiler.model import Call
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW601",
    name="role-not-seated",
    severity="warning",
    message="nobody is seated as `{role}` at `{step}`: {effect}",
    hint="{mend}",
    why="""\
A guard that asks a role counts the seats of that role, and an empty table satisfies nothing; a kind that wakes a role
wakes the same seats. What counts here is the step's own entry list and its own seats, and roles seated on every way
into it. Seats that a person or a host adds to a single task are not seen in the file.""",
    wrong="""\
workflow desk "Desk" {
  step work "Work" { start }
  step review "Review" {
    on enter {
      clear_decisions
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> work when any_reject(reviewer)
    }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" { start }
  step review "Review" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> work when any_reject(reviewer)
    }
  }
  step done "Done" { end }
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks at each role asked or woken at a gate, once."""
    mend = _mend(facts)
    for gate in facts.gates:
        told = set(gate.seated)
        for role, call, effect in _needing(gate):
            if role not in told:
                told.add(role)
                fields = {"role": role, "step": gate.step.name, "effect": effect, "mend": mend.format(role=role)}
                beside = (woken.action for woken in gate.woken if woken.role == role and woken.action is not call)
                related = [Related("and this wakes nobody", action.span) for action in beside]
                yield Finding(RULE, call.span, fields, (*related[:1], *call.trace))


def _needing(gate: Gate) -> Iterator[tuple[str, Call, str]]:
    """The roles that have to sit there, with the guard or action that needs them, and what happens otherwise."""
    for asked in gate.asked:
        if asked.mark != "rejection":
            yield asked.role, asked.call, "this guard never holds"
    for woken in gate.woken:
        yield woken.role, woken.action, "this wakes nobody"


def _mend(facts: Facts) -> str:
    """What to write, in the words of the vocabulary: a kind that seats a role on entry, else a setting."""
    for kind in facts.model.vocabulary.kinds.values():
        if kind.on_entry and "seats" in kind.marks:
            return f"seat one on entry, before anybody is woken: `{kind.name}({{role}})`"
    for setting in facts.model.vocabulary.settings_marked("seats"):
        return f"give the step seats with `{setting.name}`"
    return "let the step seat one"
