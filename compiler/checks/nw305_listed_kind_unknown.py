"""NW305: a listed kind that nobody declares."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.bind.reports import Nearest
from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW305",
    name="listed-kind-unknown",
    severity="error",
    message="`{kind}` is in `{owner}` but no such kind is declared",
    hint="declare it with `action {kind} on enter`, or delete it from the list",
    why="""\
A list that names a kind nobody declares is a misspelling, or what is left of a kind that was renamed or taken away.
Left alone it would hide that the real kind is in no list.""",
    wrong="""\
use nothing

action reserve on enter

dispatch { reserve, refund }
""",
    right="""\
use nothing

action reserve on enter
action refund  on enter

dispatch { reserve, refund }
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks up each listed kind."""
    vocabulary = facts.model.vocabulary
    entries = [kind.name for kind in vocabulary.kinds.values() if kind.on_entry]
    nearest = Nearest()
    for entry in vocabulary.lists:
        if entry.kind not in vocabulary.kinds and entry.kind not in facts.model.suspects:
            near = nearest(entry.kind, entries)
            related = [Related(f"`{near}` is declared here", vocabulary.kinds[near].span)] if near else []
            fields = {"kind": entry.kind, "owner": entry.owner}
            yield Finding(RULE, entry.span, fields, tuple(related), f"did you mean `{near}`?" if near else None)
