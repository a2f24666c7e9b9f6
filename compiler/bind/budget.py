"""How much pieces, shared texts and defaults may add to what is written, so that a short file stays a short program."""

from __future__ import annotations

from collections.abc import Sequence

from newel.compiler.bind import rules
from newel.compiler.bind.reports import Reports
from newel.compiler.limits import Limits
from newel.compiler.model import Json
from newel.dsl.findings import Related
from newel.dsl.source import Span


class Budget:
    """What is left to add in one compilation. What goes beyond it is reported once, where it happens first."""

    def __init__(self, reports: Reports, limits: Limits) -> None:
        self.reports, self.limits = reports, limits
        self._characters = limits.copied
        self._statements = limits.included

    def add(self, characters: int, span: Span, trace: Sequence[Related] = (), statements: int = 0) -> bool:
        """Whether so many characters and statements more may be added."""
        if self._characters < 0 or self._statements < 0:
            return False
        self._characters -= characters
        self._statements -= statements
        if self._characters < 0:
            what, limit = "what shared texts, pieces and defaults add is", f"{self.limits.copied:,} characters"
        elif self._statements < 0:
            what, limit = "the statements that fragments and `every step` add are", f"{self.limits.included:,}"
        else:
            return True
        self.reports.add(rules.TOO_LARGE, span, related=trace[:1], what=what, limit=limit)
        return False


def weight(value: Json) -> int:
    """About how many characters a value takes when it is written down."""
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, list):
        return 2 + sum(weight(each) for each in value)
    if isinstance(value, dict):
        return 2 + sum(len(key) + 3 + weight(each) for key, each in value.items())
    return 5
