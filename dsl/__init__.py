"""Text to tree and back; knows form, not meaning. Names are found when they are first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newel.dsl.findings import Finding, Related, Rule, Severity
    from newel.dsl.limits import Limits
    from newel.dsl.parser import parse
    from newel.dsl.reading import decode, read_source
    from newel.dsl.rules import SYNTAX_RULES
    from newel.dsl.source import Position, Source, Span
    from newel.dsl.tree import File
    from newel.dsl.words import broken_in, broken_words, is_broken

__all__ = [
    "SYNTAX_RULES",
    "File",
    "Finding",
    "Limits",
    "Position",
    "Related",
    "Rule",
    "Severity",
    "Source",
    "Span",
    "broken_in",
    "broken_words",
    "decode",
    "is_broken",
    "parse",
    "read_source",
]

_HOMES = {
    "SYNTAX_RULES": "rules",
    "File": "tree",
    "Finding": "findings",
    "Limits": "limits",
    "Position": "source",
    "Related": "findings",
    "Rule": "findings",
    "Severity": "findings",
    "Source": "source",
    "Span": "source",
    "broken_in": "words",
    "broken_words": "words",
    "decode": "reading",
    "is_broken": "words",
    "parse": "parser",
    "read_source": "reading",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
