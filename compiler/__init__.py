"""Meaning: names, types, ownership, checks, the compiled program, and what is written from it.

Names are resolved on first use, so that checking a file loads no more than it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newel.compiler.checks.facts import Host as Host
    from newel.compiler.errors import BlankOperation as BlankOperation
    from newel.compiler.errors import CompileError as CompileError
    from newel.compiler.errors import NewelError as NewelError
    from newel.compiler.errors import NoSuchFile as NoSuchFile
    from newel.compiler.errors import UnknownTrigger as UnknownTrigger
    from newel.compiler.limits import Limits as Limits
    from newel.compiler.pipeline import Checked as Checked
    from newel.compiler.pipeline import Compiled as Compiled
    from newel.compiler.pipeline import check_files as check_files
    from newel.compiler.pipeline import check_text as check_text
    from newel.compiler.pipeline import compile_files as compile_files
    from newel.compiler.pipeline import compile_text as compile_text
    from newel.compiler.program import Program as Program
    from newel.compiler.schema import json_schema as json_schema

_HOMES = {
    "BlankOperation": "newel.compiler.errors",
    "Checked": "newel.compiler.pipeline",
    "CompileError": "newel.compiler.errors",
    "Compiled": "newel.compiler.pipeline",
    "Host": "newel.compiler.checks.facts",
    "Limits": "newel.compiler.limits",
    "NewelError": "newel.compiler.errors",
    "NoSuchFile": "newel.compiler.errors",
    "Program": "newel.compiler.program",
    "UnknownTrigger": "newel.compiler.errors",
    "check_files": "newel.compiler.pipeline",
    "check_text": "newel.compiler.pipeline",
    "compile_files": "newel.compiler.pipeline",
    "compile_text": "newel.compiler.pipeline",
    "json_schema": "newel.compiler.schema",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll] - one list, the table above


def __getattr__(name: str) -> Any:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    return getattr(import_module(home), name)
