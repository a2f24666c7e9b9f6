"""NW842: a payload that old deliveries do not fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.compiler.diff.fitting import unfit_for
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW842",
    name="payload-changed",
    severity="error",
    message="{given} does not fit any more: {what}",
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
    """Compares the fields of the triggers and keys that are in both vocabularies."""
    for each in versions.declarations:
        what = ", ".join(unfit_for(versions, each))
        if what and each.old and each.new:
            given = "what is fired as" if each.word == "trigger" else "what is given for the key"
            fields = {"given": f"{given} `{each.name}`", "what": what}
            yield Change(RULE, each.group, fields, (), each.new.place, each.old.place)
