"""A Ctrl-C to one line and an exit code. Needs nothing that may not have been loaded yet."""

from __future__ import annotations

import sys

EXIT_INTERRUPTED = 130


def interrupted() -> int:
    """Say so, and give the exit code."""
    if sys.stderr is not None:
        sys.stderr.write("interrupted; nothing was left half-written\n")
    return EXIT_INTERRUPTED
