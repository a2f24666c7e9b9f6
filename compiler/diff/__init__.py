"""Two versions of a program turned into what changed between them, in the terms of whoever reads the board.

One rule a file, as in `checks`, listed in `registry`; `compare` finds the changes, `findings_of_changes` their places.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newel.compiler.diff.changes import Change as Change
    from newel.compiler.diff.comparing import compare as compare
    from newel.compiler.diff.showing import allowing_nothing as allowing_nothing
    from newel.compiler.diff.showing import findings_of_changes as findings_of_changes
    from newel.compiler.diff.showing import nested as nested
    from newel.compiler.diff.versions import Version as Version

_HOMES = {
    "Change": "newel.compiler.diff.changes",
    "Version": "newel.compiler.diff.versions",
    "allowing_nothing": "newel.compiler.diff.showing",
    "compare": "newel.compiler.diff.comparing",
    "findings_of_changes": "newel.compiler.diff.showing",
    "nested": "newel.compiler.diff.showing",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # pyright: ignore[reportUnsupportedDunderAll] - one list, the table above


def __getattr__(name: str) -> Any:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    return getattr(import_module(home), name)
