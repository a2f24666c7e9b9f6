"""JSON text to YAML text of the same length, where YAML would read it otherwise or not at all."""

from __future__ import annotations

import re
from io import StringIO

_BREAKS: tuple[int, ...] = (0x85, 0x2028, 0x2029)
# Nothing here is tried twice, so a text without an end costs no more than another.
_STRING_OR_TABS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|\t++', re.DOTALL)
_PAIR = re.compile(r"\\\\|\\(u[dD][89abAB][0-9a-fA-F]{2})\\(u[dD][c-fC-F][0-9a-fA-F]{2})")
_PRIVATE = re.compile(r"[\ue000-\ue0ff]|\\(?:u|U0000)([eE]0[0-9a-fA-F]{2})")
_DIFFERENT = re.compile(r"\t|\\u[dD]|[\x85\u2028\u2029]")


def as_yaml(text: str) -> tuple[str, dict[int, int | None]]:
    """JSON as YAML of the same length, so that places stay, and what to translate in every value that is read of it.

    Tabs may indent JSON but not YAML: each becomes a space. Some line breaks of YAML are plain characters in JSON:
    others stand for them meanwhile. JSON writes a character beyond the first plane as two escapes of six letters: they
    become the one of ten that YAML knows, and two characters that are taken out again.
    """
    if not text.lstrip().startswith(("{", "[")) or not _DIFFERENT.search(text):
        return text, {}
    used = {int(match[1], 16) if match[1] else ord(match[0]) for match in _PRIVATE.finditer(text)}
    free = [each for each in range(0xE000, 0xE100) if each not in used]
    if len(free) <= len(_BREAKS):
        return text, {}
    filler = chr(free.pop())
    standing = dict(zip(_BREAKS, free, strict=False))
    back: dict[int, int | None] = {taken: code for code, taken in standing.items()}
    return _translated(text, filler, standing), {**back, ord(filler): None}


def _translated(text: str, filler: str, standing: dict[int, int]) -> str:
    out, at = StringIO(), 0
    for match in _STRING_OR_TABS.finditer(text):
        out.write(text[at : match.start()])
        piece, at = match[0], match.end()
        if piece[0] == "\t":
            piece = " " * len(piece)
        elif _DIFFERENT.search(piece):
            piece = _PAIR.sub(lambda pair: _joined(pair, filler), piece).translate(standing)
        out.write(piece)
    out.write(text[at:])
    return out.getvalue()


def _joined(pair: re.Match[str], filler: str) -> str:
    if not pair[1]:
        return pair[0]
    code = 0x10000 + ((int(pair[1][1:], 16) & 0x3FF) << 10) + (int(pair[2][1:], 16) & 0x3FF)
    return f"\\U{code:08X}{filler}{filler}"
