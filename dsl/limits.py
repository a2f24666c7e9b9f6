"""How large a file and its parts may be, so that every file is read in bounded time and space."""

from __future__ import annotations

from dataclasses import dataclass, fields

BYTES = 8 * 1024 * 1024
LINES = 100_000
NESTING = 64
NAME_LENGTH = 100
TEXT_LENGTH = 200_000
DIGITS = 15
DURATION_DIGITS = 9
FINDINGS = 100


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one reading. They can be set lower, not higher."""

    bytes: int = BYTES
    """Size of a file, in bytes."""
    lines: int = LINES
    """Lines of a file."""
    nesting: int = NESTING
    """Brackets open at one place."""
    name_length: int = NAME_LENGTH
    """Characters of a name."""
    text_length: int = TEXT_LENGTH
    """Characters of one text, as written in the file."""
    digits: int = DIGITS
    """Digits of a number; so many are exact in every JSON reader."""
    duration_digits: int = DURATION_DIGITS
    """Digits of a duration."""
    findings: int = FINDINGS
    """Syntax findings of one file; after that many the rest is not read."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if not 1 <= value <= each.default:
                raise ValueError(f"limit {each.name} must be from 1 to {each.default}, not {value}")


DEFAULT = Limits()
