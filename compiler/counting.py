"""A number and a word to the words that are said: one place, so that nothing says `1 steps`."""

from __future__ import annotations


def counted(number: int, word: str) -> str:
    """`1 step`, `2 steps`."""
    return f"{number} {word}{'' if number == 1 else 's'}"
