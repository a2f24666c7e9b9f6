"""Meaning: names, types, ownership, checks, the compiled program, and what is written from it.

Names are resolved on first use, so that checking a file loads no more than it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newel.compiler.errors import BlankOperation as BlankOperation
    from newel.compiler.errors import CompileError as CompileError
    from newel.compiler.errors import NewelError as NewelError
    from newel.compiler.errors import UnknownTrigger as UnknownTrigger
    from newel.compiler.program import Program as Program

_HOMES = {
    "BlankOperation": "newel.compiler.errors",
    "CompileError": "newel.compiler.errors",
    "NewelError": "newel.compiler.errors",
    "Program": "newel.compiler.program",
    "UnknownTrigger": "newel.compiler.errors",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll] - one list, the table above


def __getattr__(name: str) -> Any:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    return getattr(import_module(home), name)
