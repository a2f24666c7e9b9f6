"""A folder to whether writers of other processes wait for a database in it, so that none is overtaken for ever.

SQLite keeps no queue: whoever asks just as the lock comes free gets it, and a process that writes again at once always
is the one. So whoever has to wait says so, by a shared `flock` of the database's folder, and whoever comes anew and
finds it locked waits a moment first, as the others do. No file is made, and the lock dies with its process.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

fcntl: Any = import_module("fcntl") if find_spec("fcntl") else None
"""Some systems have no such locks: there nobody waits for the others."""


class Turns:
    """One process's part. Only one of its threads at a time asks or waits."""

    __slots__ = ("_folder", "_waiting")

    def __init__(self, path: str) -> None:
        self._waiting = False
        try:
            self._folder = -1 if fcntl is None else os.open(Path(path).parent, os.O_RDONLY)
        except OSError:
            self._folder = -1

    def others_wait(self) -> bool:
        """Whether a writer of another process waits."""
        if not self._lock(exclusive=True):
            return self._folder >= 0
        self._unlock()
        return False

    def wait(self) -> None:
        """Say that this process waits; it does until `take`."""
        self._waiting = self._waiting or self._lock(exclusive=False)

    def take(self) -> None:
        """Say that this process waits no longer."""
        if self._waiting:
            self._waiting = False
            self._unlock()

    def close(self) -> None:
        """Let go of the folder."""
        folder, self._folder = self._folder, -1  # another thread may close as well
        if folder >= 0:
            os.close(folder)

    def _lock(self, *, exclusive: bool) -> bool:
        if self._folder < 0:
            return False
        try:
            fcntl.flock(self._folder, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without such locks
            self.close()
            return False
        return True

    def _unlock(self) -> None:
        if self._folder >= 0:
            fcntl.flock(self._folder, fcntl.LOCK_UN)
