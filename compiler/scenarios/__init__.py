"""Scenarios: what a workflow is expected to do, as lines of verbs and words.

`forms` is the table of the verbs; `newel.compiler.bind.scenarios` binds lines by it, `newel test` plays them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newel.compiler.scenarios.forms import FORMS as FORMS
    from newel.compiler.scenarios.forms import VERBS as VERBS
    from newel.compiler.scenarios.script import Line as Line
    from newel.compiler.scenarios.script import Script as Script

_HOMES = {
    "FORMS": "newel.compiler.scenarios.forms",
    "VERBS": "newel.compiler.scenarios.forms",
    "Line": "newel.compiler.scenarios.script",
    "Script": "newel.compiler.scenarios.script",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # pyright: ignore[reportUnsupportedDunderAll] - one list, the table above


def __getattr__(name: str) -> Any:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    return getattr(import_module(home), name)
