"""NW842: a payload that old deliveries do not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions
    from newel.compiler.program import Parameter

RULE = Rule(
    code="NW842",
    name="payload-changed",
    severity="error",
    message="what is fired as `{trigger}` does not fit any more: {what}",
    hint="let the host send both for a while: make a new field optional, and take an old one away later",
    why="""\
A payload is held against the declaration of now, and refused with `PayloadError` where it does not fit: an unknown
field, a missing one, another type. Deliveries that are on their way were made for the old one, and so were the
payloads that are kept with approvals.""",
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
trigger paid(order: text, amount: int)
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
    judged=True,
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the fields of the triggers that are in both vocabularies."""
    for name, old in versions.old.vocabulary.triggers.items():
        new = versions.new.vocabulary.triggers.get(name)
        what = ", ".join(_what(old.payload, new.payload)) if new else ""
        if new and what:
            yield Change(RULE, ("vocabulary", name), {"trigger": name, "what": what}, (), new.place, old.place)


def _what(old: Sequence[Parameter], new: Sequence[Parameter]) -> Iterator[str]:
    before, after = ({field.name: field for field in fields} for fields in (old, new))
    for name, field in after.items():
        known = before.get(name)
        if known is None and field.required:
            yield f"`{name}` must be given"
        elif known is not None and field.required and not known.required:
            yield f"`{name}` may no longer be left out"
        elif known is not None and known.type.model_copy(update={"optional": field.type.optional}) != field.type:
            yield f"`{name}` has another type"
    yield from (f"there is no `{name}`" for name in before if name not in after)
