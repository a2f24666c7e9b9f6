"""The grammar file to the table of this process: out of the user's cache, else made by Lark and put there."""

from __future__ import annotations

import hashlib
import sys
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from newel.dsl import cache
from newel.dsl.table import Table, as_data, from_data


def grammar_text() -> str:
    """The grammar, as it stands in `newel.grammars`."""
    return (_folder("newel.grammars") / "newel.lark").read_text(encoding="utf-8")


def fingerprint() -> str:
    """Names everything the table depends on: the grammar, Lark, Python and the code that makes the table."""
    digest = hashlib.sha256(sys.version.encode())
    for path in (
        _folder("newel.grammars") / "newel.lark",
        _folder("lark") / "__init__.py",
        _folder("newel.dsl") / "tablemaker.py",
        _folder("newel.dsl") / "table.py",
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _folder(package: str) -> Path:
    """Where a package lies, found without importing it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{package} is not installed as files", name=package)
    return Path(spec.origin).parent


@lru_cache(maxsize=1)
def load() -> Table:
    """The table of this process: out of the cache, else made anew and put there."""
    key = fingerprint()
    kept = cache.read(f"grammar-{key[:32]}")
    if kept is not None:
        try:
            return from_data(kept)
        except (AttributeError, KeyError, TypeError, ValueError):
            pass
    from newel.dsl.tablemaker import make  # imports Lark, which costs more than reading a file of a thousand lines

    table = make(grammar_text())
    cache.write(f"grammar-{key[:32]}", as_data(table))
    return table
