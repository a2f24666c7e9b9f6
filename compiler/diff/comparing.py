"""Two programs to every change between them, by the order of the rules."""

from __future__ import annotations

from newel.compiler.diff import nw809_wording_changed
from newel.compiler.diff.changes import Change
from newel.compiler.diff.pairing import Versions
from newel.compiler.diff.registry import DIFFERENCES
from newel.compiler.program import Program


def compare(old: Program, new: Program) -> tuple[Change, ...]:
    """What is another in the new program. Where the revision is the same, only documentation can be."""
    versions = Versions(old, new)
    if old.revision == new.revision:
        return tuple(nw809_wording_changed.find(versions))
    return tuple(change for difference in DIFFERENCES for change in difference.find(versions))
