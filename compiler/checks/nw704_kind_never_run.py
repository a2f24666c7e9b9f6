"""NW704: a kind that this host does not carry out."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts, Host
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW704",
    name="kind-never-run",
    severity="warning",
    message="this host has no handler for `{kind}`, so it is never carried out",
    hint="register a handler for it, or delete the action",
    why="""\
A kind is declared in the language and carried out by a handler in Python. The handlers this project names have none
for this kind. What the arriving session runs needs none: the kinds under `exclude`, and those that mean `session`.""",
    wrong="""\
action page_someone(who: text) on enter
dispatch { page_someone }

workflow desk "Desk" {
  step work "Work" {
    start
    on enter { page_someone("ada") }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter { queue_run }
  }
  step done "Done" { end }
}
""",
)

HOST = Host(kinds=frozenset({"queue_run"}))
"""A host that was given no handler of its own."""


def check(facts: Facts) -> Iterator[Finding]:
    """Compares each action with what the host has said; a host that says nothing is asked nothing."""
    handled = facts.host.kinds
    if handled is None:
        return
    excluded = {entry.kind for entry in facts.model.vocabulary.lists if entry.owner == "exclude"}
    for flow in facts.flows:
        for step in flow.steps.values():
            for action in (action for on in step.on.values() for action in on.actions):
                by_session = action.kind.name in excluded or "session" in action.kind.marks
                if not by_session and action.kind.name not in handled:
                    yield Finding(RULE, action.span, {"kind": action.kind.name}, action.trace)
