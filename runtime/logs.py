"""A standard logger whose handlers cannot fail a call: what one raises is printed as `logging` prints its own errors.

A record is written of what has happened. Nothing that follows from it may be lost because of who reads it.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from typing import Any


class Log:
    """The logger of a name; no handler is installed by it."""

    __slots__ = ("_logger",)

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def wants(self, level: int) -> bool:
        """Whether a record of a level, such as `logging.INFO`, would be written."""
        return self._logger.isEnabledFor(level)

    def write(
        self,
        level: int,
        text: str,
        *values: object,
        error: BaseException | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Write a record: `values` for the `%` signs of the text, `facts` as fields of its own."""
        try:
            self._logger.log(level, text, *values, exc_info=error, extra=facts, stacklevel=2)
        except Exception:
            if logging.raiseExceptions:
                with suppress(Exception):
                    traceback.print_exc(file=sys.stderr)
