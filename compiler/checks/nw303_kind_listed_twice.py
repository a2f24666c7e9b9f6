"""NW303: a kind that stands twice in one list."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW303",
    name="kind-listed-twice",
    severity="error",
    message="`{kind}` is twice in `{owner}`",
    hint="delete one of the two",
    why="""\
Who runs a kind on entry is said once, in one place, so that there is one place to change it. The lists may be spread
over several files, so the first place is often in another one.""",
    wrong="""\
use nothing

action reserve on enter
action page    on enter

dispatch { reserve, page, reserve }
""",
    right="""\
use nothing

action reserve on enter
action page    on enter

dispatch { reserve, page }
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks for the first place of each entry of a list."""
    first: dict[tuple[str, str], Related] = {}
    for entry in facts.model.vocabulary.lists:
        key = entry.owner, entry.kind
        if key in first:
            yield Finding(RULE, entry.span, {"kind": entry.kind, "owner": entry.owner}, (first[key],))
        else:
            first[key] = Related("listed here before", entry.span)
