"""Text of a user's to text that can stand in a picture or a page: nothing in it acts, and labels are wrapped."""

from __future__ import annotations

import re
import unicodedata

from newel.compiler.reports.safe import safe

_NO_CHARACTER = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}  # XML has no way to write them
_NOT_IN_ANCHOR = re.compile(r"[^A-Za-z0-9_-]")


def lines(text: str) -> str:
    """The text with its line breaks and tabs; every other character that would act is shown as a sign."""
    if text.isascii() and text.isprintable():
        return text
    kept = re.split(r"([\n\t])", text.replace("\r\n", "\n"))
    return "".join(part if part in ("\n", "\t") else safe(part) for part in kept).translate(_NO_CHARACTER)


def line(text: str) -> str:
    """The text on one line, white space as single blanks."""
    return " ".join(lines(text).split())


def anchor(name: str) -> str:
    """The name as it can stand in an id or an address: itself where it is an ASCII name. Different names differ."""
    return _NOT_IN_ANCHOR.sub(lambda found: f".{ord(found[0]):x}.", name)


def columns(text: str) -> int:
    """How wide a text is, in halves of an em: signs of East Asian scripts and pictures take two."""
    return len(text) if text.isascii() else sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def wrapped(text: str, width: int, most: int) -> list[str]:
    """One line of text as at most `most` lines of at most `width` columns; what does not fit ends in an ellipsis."""
    rows: list[str] = []
    for word in line(text).split():
        for piece in _pieces(word, width):
            if rows and columns(rows[-1]) + 1 + columns(piece) <= width:
                rows[-1] += " " + piece
            else:
                rows.append(piece)
        if len(rows) > most:
            return [*rows[: most - 1], rows[most - 1][: width - 1].rstrip() + "\u2026"]
    return rows


def _pieces(word: str, width: int) -> list[str]:
    """A word cut where a line would overflow; behind a joint (`_ - , ( =`) if there is one."""
    pieces: list[str] = []
    while columns(word) > width:
        end = _fits(word, width)
        joint = max((word.rfind(sign, 0, end) + 1 for sign in "_-,.(=:/"), default=0)
        end = joint if joint > end // 2 else end
        pieces.append(word[:end])
        word = word[end:]
    return [*pieces, word]


def _fits(word: str, width: int) -> int:
    taken = 0
    for index, sign in enumerate(word):
        taken += columns(sign)
        if taken > width:
            return max(index, 1)
    return len(word)
