"""How large a file and its parts may be, so that every file is read in bounded time and space."""

from __future__ import annotations

from dataclasses import dataclass, fields

BYTES = 8 * 1024 * 1024
"""Size of a file, in bytes."""
LINES = 100_000
"""Lines of a file."""
NESTING = 64
"""Brackets open at one place."""
NAME_LENGTH = 100
"""Characters of a name."""
TEXT_LENGTH = 200_000
"""Characters of one text, as written in the file."""
DIGITS = 15
"""Digits of a number; so many are exact in every JSON reader."""
DURATION_DIGITS = 9
"""Digits of a duration."""
FINDINGS = 100
"""Syntax findings of one file; after that many the rest is not read."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one reading. They can be set lower, not higher."""

    bytes: int = BYTES
    lines: int = LINES
    nesting: int = NESTING
    name_length: int = NAME_LENGTH
    text_length: int = TEXT_LENGTH
    digits: int = DIGITS
    duration_digits: int = DURATION_DIGITS
    findings: int = FINDINGS

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if not 1 <= value <= each.default:
                raise ValueError(f"limit {each.name} must be from 1 to {each.default}, not {value}")


DEFAULT = Limits()
