"""What whoever brings a ledger of his own runs against it: the promises of a ledger, as tests of a class of his.

Names are resolved on first use, like those of the other doors.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newel.runtime.testing.promises import LedgerPromises as LedgerPromises

_HOMES = {"LedgerPromises": "newel.runtime.testing.promises"}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll] - one list, the table above


def __getattr__(name: str) -> Any:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    return getattr(import_module(home), name)
