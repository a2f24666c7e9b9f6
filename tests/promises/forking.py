"""A line with arguments to the exit code of pytest with them, in the working folder, each time in a new process.

A process that is forked from this one has loaded already what takes most of the time of a short run: pytest, the other
libraries and the compiler, which nobody mutates. The runtime is loaded by each process anew.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time

import hypothesis
import psycopg_pool
import pydantic
import pytest
import transitions

from newel.compiler import compile_text

LOADED = (hypothesis, psycopg_pool, pydantic, transitions)
PAUSE = 0.01


def run(arguments: list[str], patience: float) -> int | None:
    """The exit code; none where pytest does not come to an end within so many seconds."""
    process = os.fork()
    if not process:
        os.setpgid(0, 0)  # what the tests have started ends with them
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        os._exit(pytest.main(arguments))
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(PAUSE)
    os.killpg(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return None


def main() -> None:
    """Serve until nobody asks any more."""
    compile_text("").require()
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(run(asked["arguments"], asked["patience"])), flush=True)


if __name__ == "__main__":
    main()
