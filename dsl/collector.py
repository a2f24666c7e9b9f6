"""The garbage collector stands still while trees are made: they hold no cycles, and it would look at every node."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """No collections inside; afterwards as before. Nested uses and other threads at worst collect early."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
