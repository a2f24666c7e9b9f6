"""NW302: a kind that stands in both lists."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW302",
    name="kind-in-both-lists",
    severity="error",
    message="`{kind}` is in both lists, `dispatch` and `exclude`",
    hint="take it out of one of them",
    why="""\
The two lists say who runs a kind on entry: the arrival itself, or the arriving session's own handler. A kind in both
would be run twice. The lists may be spread over several files, so the second place is often in another one.""",
    wrong="""\
use nothing

action reserve on enter

dispatch { reserve }
exclude  { reserve }
""",
    right="""\
use nothing

action reserve on enter

dispatch { reserve }
exclude  { }
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Compares the first place of each kind in either list."""
    first: dict[str, dict[str, Related]] = {}
    for entry in facts.model.vocabulary.lists:
        places = first.setdefault(entry.kind, {})
        if places and entry.owner not in places:
            yield Finding(RULE, entry.span, {"kind": entry.kind}, tuple(places.values()))
        places.setdefault(entry.owner, Related(f"in `{entry.owner}` here", entry.span))
