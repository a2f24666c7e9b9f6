"""Two programs to every change between them, by the order of the rules."""

from __future__ import annotations

from newel.compiler.diff.changes import Change
from newel.compiler.diff.pairing import Versions
from newel.compiler.diff.registry import DIFFERENCES
from newel.compiler.program import Program


def compare(old: Program, new: Program) -> tuple[Change, ...]:
    """What is another in the new program; nothing where the revision is the same."""
    if old.revision == new.revision:
        return ()
    versions = Versions(old, new)
    return tuple(change for difference in DIFFERENCES for change in difference.find(versions))
