"""NW304: a listed kind that may not stand under `on enter`."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW304",
    name="listed-kind-not-on-entry",
    severity="error",
    message="`{kind}` is in `{owner}` but may not stand under `on enter`",
    hint="delete it from the list, or let the kind stand `on enter`",
    why="""\
The two lists divide the kinds of entry lists, and nothing else. A kind that stands only under other triggers is run
where they are handled; a place in a list would promise something that never happens.""",
    wrong="""\
use nothing

trigger paid(payment: text)
  operation "paid:{payment}"

action reserve on enter
action thank   on paid

dispatch { reserve, thank }
""",
    right="""\
use nothing

trigger paid(payment: text)
  operation "paid:{payment}"

action reserve on enter
action thank   on paid

dispatch { reserve }
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks up each listed kind."""
    for entry in facts.model.vocabulary.lists:
        kind = facts.model.vocabulary.kinds.get(entry.kind)
        if kind is not None and not kind.on_entry:
            under = ", ".join(f"`{trigger}`" for trigger in kind.triggers)
            declared = Related(f"declared here, for {under}" if under else "declared here", kind.span)
            yield Finding(RULE, entry.span, {"kind": entry.kind, "owner": entry.owner}, (declared,))
