"""JSON text to YAML text of the same length, where YAML would read it otherwise or not at all."""

from __future__ import annotations

import re

_BREAKS: tuple[int, ...] = (0x85, 0x2028, 0x2029)
_STRING_OR_TAB = re.compile(r'"(?:[^"\\]|\\.)*"|\t', re.DOTALL)
_PAIR = re.compile(r"\\\\|\\(u[dD][89abAB][0-9a-fA-F]{2})\\(u[dD][c-fC-F][0-9a-fA-F]{2})")


def as_yaml(text: str) -> tuple[str, dict[int, int | None]]:
    """JSON as YAML of the same length, so that places stay, and what to translate in every value that is read of it.

    Tabs may indent JSON but not YAML: each becomes a space. Some line breaks of YAML are plain characters in JSON:
    others stand for them meanwhile. JSON writes a character beyond the first plane as two escapes of six letters: they
    become the one of ten that YAML knows, and two characters that are taken out again.
    """
    if not text.lstrip().startswith(("{", "[")):
        return text, {}
    free = [each for each in range(0xE000, 0xE100) if chr(each) not in text]
    if len(free) <= len(_BREAKS):
        return text, {}
    filler = chr(free.pop())
    standing = dict(zip(_BREAKS, free, strict=False))

    def joined(match: re.Match[str]) -> str:
        if not match[1]:
            return match[0]
        code = 0x10000 + ((int(match[1][1:], 16) & 0x3FF) << 10) + (int(match[2][1:], 16) & 0x3FF)
        return f"\\U{code:08X}{filler}{filler}"

    def piece(match: re.Match[str]) -> str:
        return " " if match[0] == "\t" else _PAIR.sub(joined, match[0]).translate(standing)

    back: dict[int, int | None] = {taken: code for code, taken in standing.items()}
    return _STRING_OR_TAB.sub(piece, text), {**back, ord(filler): None}
