"""The grammar file to the table of this process: out of the user's cache, else made by Lark and put there."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path

from newel import grammars
from newel.dsl import cache
from newel.dsl.table import Table, as_data, from_data


def grammar_text() -> str:
    """The grammar, as it stands in `newel.grammars`."""
    return _GRAMMAR.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Names everything the table depends on: the grammar, Lark, Python and the code that makes the table."""
    here = Path(__file__)
    made_of = (_GRAMMAR, _lark(), here.with_name("tablemaker.py"), here.with_name("table.py"))
    return cache.key([sys.version.encode(), *(path.read_bytes() for path in made_of)])


_GRAMMAR = Path(grammars.__path__[0]) / "newel.lark"


def _lark() -> Path:
    """The file of Lark's that says its version, found without importing it."""
    spec = PathFinder.find_spec("lark")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("lark is not installed as files", name="lark")
    return Path(spec.origin)


@lru_cache(maxsize=1)
def load() -> Table:
    """The table of this process: out of the cache, else made anew and put there."""
    name = f"grammar-{fingerprint()}"
    kept = cache.read(name)
    if kept is not None:
        try:
            return from_data(kept)
        except (AttributeError, KeyError, TypeError, ValueError):
            pass
    from newel.dsl.tablemaker import make  # imports Lark, which costs more than reading a file of a thousand lines

    table = make(grammar_text())
    cache.write(name, as_data(table))
    return table
