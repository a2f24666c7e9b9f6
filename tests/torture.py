"""The long runs: `make torture`, or `make torture ARGS="fuzz"` for one part, or `make torture ARGS="SE3 OL1"` for the
edits of some lines of the contract.

Each part prints its figures; the whole exits 1 on a missed bar.
"""

from __future__ import annotations

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.promises.edits import Edit, broken, edits

FAILED = 1  # pytest: tests ran and some failed; anything else means the edit broke more than the promise


def promises(lines: list[str]) -> bool:
    """Break every promise in a copy of the project: the tests of its line must fail there."""
    chosen = [edit for edit in edits() if not lines or edit.line in lines]
    with tempfile.TemporaryDirectory(prefix="newel-broken-") as folder:

        def one(edit: Edit) -> tuple[Edit, int, str]:
            done = broken(edit, Path(folder))
            return edit, done.returncode, done.stdout[-2000:] + done.stderr[-2000:]

        missed = 0
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for edit, code, said in pool.map(one, chosen):
                caught = code == FAILED
                missed += not caught
                print(f"{'caught' if caught else 'MISSED'}  {edit.line:5} {edit.file}: {edit.why}", flush=True)
                if not caught:
                    print(said, flush=True)
    print(f"promises: {len(chosen) - missed} of {len(chosen)} edits caught")
    return missed == 0


def fuzz(seconds: int) -> bool:
    """R11: the compiler under two fuzzers for so long, one that throws dice and one that follows the coverage."""
    from tests.fuzz.torture import guided, thrown

    return all([thrown(seconds // 2), guided(seconds // 2)])


def main(arguments: list[str]) -> bool:
    """The parts asked for, all of them where none is named."""
    parts = [word for word in arguments if word in PARTS]
    lines = [word for word in arguments if word not in PARTS]
    done = []
    if not parts or lines or "promises" in parts:
        done.append(promises(lines))
    if "fuzz" in parts or not arguments:
        done.append(fuzz(int(os.environ.get("NEWEL_FUZZ_SECONDS", "7200"))))
    return all(done)


PARTS = ("promises", "fuzz")

if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
