"""NW847: a declaration with another shape."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING, Any

from newel.compiler.diff.changes import Change
from newel.compiler.diff.declared import roles
from newel.compiler.diff.fitting import unfit_for
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.declared import DeclaredPair
    from newel.compiler.diff.pairing import Versions
    from newel.compiler.program import Declared

RULE = Rule(
    code="NW847",
    name="declaration-changed",
    severity="note",
    message="{what} is declared otherwise: {facets}",
    hint="nothing has to be done",
    why="""\
What is fired, given or kept fits the new declaration as it fitted the old one. What does not is told by itself:
payloads (NW842), kinds that old entries use (NW844), roles (NW845).""",
    extra={
        "old.newel": """\
trigger paid(order: text)
  operation "paid:{order}"  means system
moves guarded on paid

workflow desk "Desk" {
  step work "Work" {
    start
    on paid { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
trigger paid(order: text, amount: int?)
  operation "paid:{order}"  means system
moves guarded on paid

workflow desk "Desk" {
  step work "Work" {
    start
    on paid { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
trigger paid(order: text)
  operation "paid:{order}"  means system
moves guarded on paid

workflow desk "Desk" {
  step work "Work" {
    start
    on paid { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares what no other rule compares of the declarations that are in both versions."""
    lost = roles(versions.old.vocabulary).keys() - roles(versions.new.vocabulary).keys()
    for each in versions.declarations:
        if each.old and each.new:
            before, after, told = _facets(each.old, lost), _facets(each.new, lost), set(_told(versions, each))
            changed = [_WORDS[name] for name in _WORDS if name not in told and before.get(name) != after.get(name)]
            if changed:
                fields = {"what": each.said, "facets": ", ".join(changed)}
                yield Change(RULE, each.group, fields, (), each.new.place, each.old.place)


def _told(versions: Versions, each: DeclaredPair) -> Iterator[str]:
    """The fields that a worse rule has told about: what is fired does not fit, or old entries use the kind."""
    if unfit_for(versions, each):
        yield from ("payload", "parameters")
    if each.word == "kind" and versions.entering(each.name):
        yield "parameters"


# What is compared, by field, in words. The rest has rules of its own: `marks` and `in_turn` NW846, `owner` NW826,
# `operations` and `operation` NW843, `doc` NW809.
_WORDS = {
    "parameters": "its parameters",
    "payload": "its fields",
    "fields": "its fields",
    "cases": "its cases",
    "type": "its type",
    "default": "its default",
    "triggers": "the triggers it may stand under",
    "moves": "whether moves may stand under it",
    "guarded": "whether its moves may have guards",
}


def _facets(declared: Declared, lost: Set[str]) -> dict[str, Any]:
    """The fields of a declaration. The order of cases is that of the files; a role that is lost is told by itself."""
    found = declared.model_dump(mode="json", by_alias=True)
    if "cases" in found:
        found["cases"] = sorted(
            (c for c in found["cases"] if c["name"] not in lost), key=lambda case: str(case["name"])
        )
    return found
