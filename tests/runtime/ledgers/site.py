"""What installing the package of somebody's ledger leaves behind: a folder that tells its entry points."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from newel.runtime.ledgers.opening import GROUP


@contextmanager
def installed(folder: Path, scheme: str, opener: str) -> Iterator[None]:
    """A ledger's opener is found by its scheme, here and in every process that looks where this one does."""
    told = folder / f"{scheme}_ledger-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {scheme}-ledger\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text(f"[{GROUP}]\n{scheme} = {opener}\n")
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
