"""A revision to the program that a ledger keeps under it, as far as this version can read it."""

from __future__ import annotations

from newel.compiler.program import Program
from newel.runtime.errors import RevisionUnknown
from newel.runtime.ledgers.base import Reading


def kept(view: Reading, revision: str) -> Program | None:
    """The program, None where the ledger holds none of that revision. Raises `RevisionUnknown` for an unreadable one:
    it is of a newer format, or something else has written there."""
    text = view.program(revision)
    if text is None:
        return None
    try:
        return Program.from_json(text)
    except (ValueError, RecursionError) as error:
        said = str(error).partition("\n")[0] or "it is nested too deep"
        raise RevisionUnknown(
            f"the ledger's program of revision {revision} is not readable: {said}; a later version of Newel may read it"
        ) from error
