"""`newel` in a folder, in a process of its own, and on a terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

NEWEL = Path(sys.executable).with_name("newel")


def environment(**more: str) -> dict[str, str]:
    """The one of this process, without what a terminal would add."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return {**kept, "TERM": "xterm", **more}


def newel(folder: Path, *arguments: str | Path, given: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run it to its end."""
    return subprocess.run(
        [NEWEL, *map(str, arguments)],
        cwd=folder,
        input=given,
        capture_output=True,
        env=environment(**more),
        timeout=60,
        check=False,
    )


class Terminal:
    """A command with a terminal for its output."""

    def __init__(self, folder: Path, *arguments: str, **more: str) -> None:
        self.ours, theirs = pty.openpty()
        self.said = ""
        self.process = subprocess.Popen(
            [NEWEL, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            env=environment(**more),
            start_new_session=True,
        )
        os.close(theirs)

    def until(self, text: str, seconds: float = 30) -> str:
        """What it says up to a text, and forgets it."""
        end = time.monotonic() + seconds
        while text not in self.said:
            assert time.monotonic() < end, f"no {text!r} in {self.said!r}"
            if not self._more():
                break
        before, found, self.said = self.said.partition(text)
        assert found, f"no {text!r} in {before!r}"
        return before + found

    def rest(self) -> str:
        """All it says until its end."""
        while self._more():
            pass
        self.process.wait(30)
        os.close(self.ours)
        return self.said

    def _more(self) -> bool:
        if select.select([self.ours], [], [], 0.1)[0]:
            try:
                read = os.read(self.ours, 65536)
            except OSError:  # the other side is closed
                return False
            self.said += read.decode("utf-8", "replace")
            return bool(read)
        return self.process.poll() is None
