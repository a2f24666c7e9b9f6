"""NW303: a kind that stands twice in one list."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Edit, Finding, Fix, Related, Rule
from newel.dsl.source import Span

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
            facts_of_it = {"kind": entry.kind, "owner": entry.owner}
            yield Finding(RULE, entry.span, facts_of_it, (first[key],), fix=_removed(entry.span))
        else:
            first[key] = Related("listed here before", entry.span)


def _removed(span: Span) -> Fix:
    """The entry goes, with the comma on one side of it."""
    text = span.source.text
    before = len(text[: span.start].rstrip())
    if text[before - 1 : before] == ",":
        return Fix("delete this one", (Edit(Span(span.source, before - 1, span.end), ""),))
    after = span.end + len(text[span.end :]) - len(text[span.end :].lstrip(" \t"))
    comma = text[after : after + 1] == ","
    return Fix("delete this one", (Edit(Span(span.source, span.start, after + 1 if comma else span.end), ""),))
