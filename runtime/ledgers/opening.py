"""A ledger's URL to the ledger behind it."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module, metadata
from typing import cast

from newel.runtime.errors import BadArgument, LedgerUnavailable
from newel.runtime.ledgers.base import Ledger

LEDGERS = {
    "memory": "newel.runtime.ledgers.sqlite:open_sqlite",
    "postgresql": "newel.runtime.ledgers.postgres:open_postgres",
    "sqlite": "newel.runtime.ledgers.sqlite:open_sqlite",
}
"""Which function opens the URLs of a scheme. Others register theirs, as `(url, migrate) -> Ledger`, under the scheme's
name in the entry-point group `newel.ledgers`."""

GROUP = "newel.ledgers"


def open_ledger(url: str, migrate: bool = True) -> Ledger:
    """The ledger of a URL: `memory:`, `sqlite:///PATH`, `postgresql://HOST/DATABASE`, or what an installed
    package registered.

    A new database gets its schema at once. An older schema is brought up to date; with `migrate=False` it raises
    `SchemaTooOld`. A newer one raises `SchemaTooNew`, one that cannot be opened `LedgerUnavailable`, and what is no
    URL at all `BadArgument`.
    """
    for name, value, kind, wanted in (("url", url, str, "a text"), ("migrate", migrate, bool, "True or False")):
        if not isinstance(value, kind):  # which is not repeated: bytes may be a URL with a password
            hint = "; a file's is sqlite:///PATH" if isinstance(value, os.PathLike) else ""
            raise BadArgument(f"open_ledger: `{name}` takes {wanted}, not a {type(value).__name__}{hint}")
    scheme = url.partition(":")[0]
    opener = _opener(scheme)
    if opener is None:
        known = ", ".join(f"{name}:" for name in sorted({*LEDGERS, *_registered()}))
        # a URL without `//` may be anything, a password among them; a scheme is safe to repeat
        named = f"`{scheme}:`" if url.startswith(f"{scheme}://") and scheme.islower() else "that URL"
        is_path = ":" not in url and (url.endswith(".db") or "/" in url)
        hint = "; write sqlite:///PATH for a file" if is_path else ""
        raise LedgerUnavailable(f"no ledger answers to {named}; there are {known}{hint}")
    return opener(url, migrate)


def _opener(scheme: str) -> Callable[[str, bool], Ledger] | None:
    opener: Callable[[str, bool], Ledger] | None = None
    if home := LEDGERS.get(scheme):
        module, _, name = home.partition(":")
        opener = getattr(import_module(module), name)
    elif point := _registered().get(scheme):
        opener = _loaded(point)
    return opener


def _loaded(point: metadata.EntryPoint) -> Callable[[str, bool], Ledger]:
    """The function that a package registered. Raises `LedgerUnavailable` for one that is not there."""
    try:
        opener = point.load()
    except Exception as error:  # importing runs code of theirs
        raise _unusable(point, f"{type(error).__name__}: {error}") from error
    if not callable(opener):
        raise _unusable(point, f"that is a {type(opener).__name__}, and no function")
    return cast("Callable[[str, bool], Ledger]", opener)


def _unusable(point: metadata.EntryPoint, why: str) -> LedgerUnavailable:
    package = f" of the package `{point.dist.name}`" if point.dist else ""
    said = f"the ledger `{point.name}:`{package} cannot be loaded from its entry point `{point.value}`"
    return LedgerUnavailable(f"{said} in the group `{GROUP}`: {why}")


def _registered() -> dict[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group=GROUP)}
