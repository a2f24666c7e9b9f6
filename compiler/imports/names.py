"""Texts to names of the language: valid, short enough, and each once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from newel.dsl.limits import NAME_LENGTH

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*")
_OTHER = re.compile(r"[^A-Za-z0-9_-]+")
_EDGES = re.compile(r"^[-_]+|[-_]+$|(?<=[-_])[-_]+")
_ROOM = 8
"""Characters kept free for the number that tells two names apart."""
NO_STEP_IS_CALLED = frozenset({"next", "previous"})


def name_of(text: str, stem: str, taken: Collection[str]) -> str:
    """A name as near to the text as the language allows, none of those taken; `stem` where nothing of it is left."""
    name = text if NAME.fullmatch(text) else _made(text, stem)
    name = name[: NAME_LENGTH - _ROOM].rstrip("-") if len(name) > NAME_LENGTH else name
    if name in NO_STEP_IS_CALLED:
        name = f"{stem}_{name}"
    number, unique = 2, name
    while unique in taken:
        unique, number = f"{name[: NAME_LENGTH - _ROOM].rstrip('-')}_{number}", number + 1
    return unique


def _made(text: str, stem: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = _EDGES.sub("", _OTHER.sub("_", plain))
    if not name:
        return stem
    return name if NAME.fullmatch(name) else f"{stem}_{name}"
