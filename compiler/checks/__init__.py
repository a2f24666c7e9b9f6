"""What is looked for in a bound model, one rule a file, listed in `registry`; `run` looks, `settle` sorts and sifts.

Names are resolved on first use: the binder takes its rules from here, and the registry takes the model.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newel.compiler.checks.facts import Host as Host
    from newel.compiler.checks.registry import CHECKS as CHECKS
    from newel.compiler.checks.registry import Check as Check
    from newel.compiler.checks.registry import rules as rules
    from newel.compiler.checks.runner import run as run
    from newel.compiler.checks.selection import Selection as Selection
    from newel.compiler.checks.settling import settle as settle

_HOMES = {
    "CHECKS": "newel.compiler.checks.registry",
    "Check": "newel.compiler.checks.registry",
    "Host": "newel.compiler.checks.facts",
    "Selection": "newel.compiler.checks.selection",
    "rules": "newel.compiler.checks.registry",
    "run": "newel.compiler.checks.runner",
    "settle": "newel.compiler.checks.settling",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # pyright: ignore[reportUnsupportedDunderAll] - one list, the table above


def __getattr__(name: str) -> Any:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    return getattr(import_module(home), name)
