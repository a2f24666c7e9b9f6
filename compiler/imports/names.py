"""Texts to names of the language: valid, short enough, and each once."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from newel.dsl.limits import NAME_LENGTH

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*")
_OTHER = re.compile(r"[^A-Za-z0-9_-]+")
_EDGES = re.compile(r"^[-_]+|[-_]+$|(?<=[-_])[-_]+")
_ROOM = 8
"""Characters kept free for the number that tells two names apart."""
NO_STEP_IS_CALLED = frozenset({"next", "previous"})


@dataclass(slots=True)
class Names:
    """The names of one kind of thing; `stem` stands in for a text of which nothing is left."""

    stem: str
    taken: set[str] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)

    def take(self, text: str) -> str:
        """A name as near to the text as the language allows, and none that was taken before."""
        name = text if NAME.fullmatch(text) else _made(text, self.stem)
        name = name[: NAME_LENGTH - _ROOM].rstrip("-") if len(name) > NAME_LENGTH else name
        if name in NO_STEP_IS_CALLED:
            name = f"{self.stem}_{name}"
        unique = name
        while unique in self.taken:
            number = self.numbers[name] = self.numbers.get(name, 1) + 1
            unique = f"{name[: NAME_LENGTH - _ROOM].rstrip('-')}_{number}"
        self.taken.add(unique)
        return unique


def _made(text: str, stem: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = _EDGES.sub("", _OTHER.sub("_", plain))
    if not name:
        return stem
    return name if NAME.fullmatch(name) else f"{stem}_{name}"
