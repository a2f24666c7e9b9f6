"""Text that is not ours made harmless to a terminal: what would act on it is shown as a sign instead."""

from __future__ import annotations

import re

# Controls (C0, DEL, C1), what turns or hides text (bidirectional marks, separators, invisible operators, tags), and
# halves of surrogate pairs, which no terminal's encoding can carry. Joiners stay: scripts and emoji need them.
_ACTIVE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def safe(text: str) -> str:
    """The text with every active character replaced by one sign of one column."""
    return _ACTIVE.sub(_sign, text)


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"
