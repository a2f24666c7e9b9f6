"""A ledger's URL to another process that opens it, and does there what it is asked to, one line for each.

The process is Python with the same search path. The URL is told on its standard input: one with a password stands in no
list of processes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from tempfile import TemporaryFile
from typing import Any

from newel.runtime.testing.bounds import PATIENCE, Aside


class Elsewhere:
    """The other process, seen from here."""

    def __init__(self, url: str) -> None:
        path = os.pathsep.join(each or "." for each in sys.path)
        self._said = TemporaryFile()  # noqa: SIM115 - open as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "newel.runtime.testing.elsewhere"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env={**os.environ, "PYTHONPATH": path},
        )
        self._tell(url)

    def _tell(self, what: object) -> None:
        if self._process.stdin is None:
            raise AssertionError("promised: the process is asked through a pipe")
        try:
            self._process.stdin.write(json.dumps(what).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise AssertionError(f"another process could not open the ledger\n{self._complaint()}") from error

    def begin(self, command: str, *arguments: object) -> None:
        """Let it do something; `answer` waits for it."""
        self._tell([command, *arguments])

    def answer(self) -> Any:
        """What came of what it was asked to do. Complains where it raised, or ended, or hangs."""
        out = self._process.stdout
        line = b"" if out is None else Aside(out.readline).result()
        if not line:
            self._process.wait(PATIENCE)
            raise AssertionError(f"another process that opened the ledger ended\n{self._complaint()}")
        told = json.loads(line)
        if "raised" in told:
            raise AssertionError(f"in another process that opened the ledger: {told['raised']}")
        return told["found"]

    def ask(self, command: str, *arguments: object) -> Any:
        """What comes of something that it does now."""
        self.begin(command, *arguments)
        return self.answer()

    def _complaint(self) -> str:
        self._said.seek(0)
        return self._said.read().decode(errors="replace")

    def gone(self) -> None:
        """Wait until it has ended of itself."""
        self._process.wait(PATIENCE)

    def end(self) -> None:
        """Kill it, whatever it is at."""
        self._process.kill()
        self._process.wait(PATIENCE)
        for stream in (self._process.stdin, self._process.stdout, self._said):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # what was not read is of no interest any more
                    continue


# ---------------------------------------------------------------- over there


def serve() -> None:
    """Open the ledger of the first line, and do what the others say."""
    from newel.runtime.ledgers.opening import open_ledger
    from newel.runtime.testing.errands import Errands

    answers, asked = os.dup(1), sys.stdin
    os.dup2(2, 1)  # what a ledger prints is no answer
    errands = Errands(open_ledger(json.loads(asked.readline())), lambda found: _answer(answers, {"found": found}))
    for line in asked:
        command, *arguments = json.loads(line)
        errand: Callable[..., None] = getattr(errands, command)
        try:
            errand(*arguments)
        except Exception as error:
            _answer(answers, {"raised": f"{type(error).__name__}: {error}"})


def _answer(where: int, what: object) -> None:
    os.write(where, json.dumps(what).encode() + b"\n")


if __name__ == "__main__":
    serve()
