"""The Office workflow from file to finished task: checked, compiled, run on an SQLite file, verified, documented.

`make demo` runs this. Every line that begins with `$` is a command you can type yourself, in the folder `examples`.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE.parent / "demo"
NEWEL = Path(sys.executable).with_name("newel")


def say(text: str) -> None:
    """Print a line of explanation."""
    sys.stdout.write(f"\n{text}\n")
    sys.stdout.flush()


def newel(*arguments: str, expect: int = 0) -> str:
    """Run a command, show it and what it prints, and stop the demo where it does not end as expected."""
    sys.stdout.write(f"$ newel {shlex.join(arguments)}\n")
    done = subprocess.run(  # noqa: S603 - the program this demo is about
        [NEWEL, *arguments], cwd=HERE, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    sys.stdout.write(done.stdout + done.stderr)
    sys.stdout.flush()
    if done.returncode != expect:
        sys.exit(f"demo: `newel {shlex.join(arguments)}` ended with {done.returncode}, not {expect}")
    return done.stdout


def task(*arguments: str, expect: int = 0) -> str:
    """Run `newel task` on the Office workflow."""
    return newel("task", *arguments, "--program", "office.newel", expect=expect)


def entry(printed: str) -> str:
    """The number of the entry that a command printed."""
    return next(line.split()[1] for line in printed.splitlines() if line.strip().startswith("entry "))


def main() -> None:
    """Walk the Office workflow."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()

    say("Check it, and compile it to a typed program.")
    newel("check", "office.newel")
    newel("compile", "office.newel", "-o", "../demo/office.json")

    say("What the file says is expected of it holds: its scenarios are played on ledgers in memory.")
    newel("test", "office.newel")

    say("A task begins at Work. A turn that ends without the agent's signal moves nothing; with it, the task goes on.")
    task("create", "T-1", "--workflow", "office")
    task("fire", "T-1", "turn_complete")
    first = task("fire", "T-1", "turn_complete", "--signalled")

    say("Review cleared old decisions, seated a reviewer and queued one run. The reviewer rejects: back to Work.")
    task("show", "T-1")
    task("decide", "T-1", "rejected", "--role", "reviewer", "--by", "ben")

    say("Review again is a new entry, with a fresh run.")
    second = task("fire", "T-1", "turn_complete", "--signalled")

    say("The same entry dispatched again is recognised: nothing changes. One that was left is superseded.")
    again = ("ledger", "redispatch", "--program", "office.newel")
    newel(*again, entry(second))
    newel(*again, entry(first))

    say("All approve: on to Approval, and Done.")
    task("decide", "T-1", "approved", "--role", "reviewer", "--by", "ben")
    task("decide", "T-1", "approved", "--role", "approver", "--by", "eve")
    task("show", "T-1")

    say("Every arrival is in the ledger, and the ledger proves itself.")
    newel("ledger", "history", "T-1")
    newel("ledger", "audit")

    say("And the documentation, with pictures.")
    newel("docs", "office.newel", "-o", "../demo/site")
    newel("graph", "office.newel", "--format", "svg", "-o", "../demo/office.svg")
    newel("graph", "office.newel", "--format", "mermaid", "-o", "../demo/office.mmd")

    say("Look at demo/site/index.html, demo/office.svg and demo/office.json.")


if __name__ == "__main__":
    main()
