"""The verdicts that are told apart, and a verdict to the one it was probably meant to be."""

from __future__ import annotations

APPROVED = "approved"
REJECTED = frozenset({"rejected", "changes_requested"})
TOLD_APART = (APPROVED, *sorted(REJECTED))
_NEAR = 0.75


def meant(verdict: str) -> str | None:
    """The verdict told apart that another looks like; None for one that is told apart, and for a word of its own."""
    if verdict in TOLD_APART:
        return None
    from difflib import get_close_matches  # rarely needed

    near = get_close_matches(verdict.lower(), TOLD_APART, 1, _NEAR)
    return near[0] if near else None
