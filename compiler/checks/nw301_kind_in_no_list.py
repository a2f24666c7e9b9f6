"""NW301: an entry kind that stands in neither list."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.compiler.model import Listed
from newel.dsl.findings import Finding, Related, Rule

RULE = Rule(
    code="NW301",
    name="kind-in-no-list",
    severity="error",
    message="`{kind}` may stand under `on enter` but is in neither list, `dispatch` or `exclude`",
    hint="if it needs only the task, add it to `dispatch {{ ... }}`; if the arriving session runs it, to `exclude`",
    why="""\
Every kind that may stand under `on enter` is run by somebody: from the arrival itself (`dispatch`), or by the
arriving session's own handler (`exclude`). A kind in neither list would be run by nobody, or by both. The lists say
it once for everybody who reads them, and may be spread over several files.""",
    wrong="""\
use nothing

action reserve on enter
action page    on enter

dispatch { reserve }
exclude  { }
""",
    right="""\
use nothing

action reserve on enter
action page    on enter

dispatch { reserve, page }
exclude  { }
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks at every kind that may stand under `on enter`."""
    lists = facts.model.vocabulary.lists
    listed = {entry.kind for entry in lists}
    for kind in facts.model.vocabulary.kinds.values():
        if kind.on_entry and kind.name not in listed:
            beside = [entry for entry in lists if entry.file is kind.file] or lists
            yield Finding(RULE, kind.span, {"kind": kind.name}, tuple(_places(beside)))


def _places(lists: list[Listed]) -> Iterator[Related]:
    """Where each of the two lists begins to be filled."""
    for owner in ("dispatch", "exclude"):
        entry = next((entry for entry in lists if entry.owner == owner), None)
        if entry is not None:
            yield Related(f"the list `{owner}`", entry.span)
