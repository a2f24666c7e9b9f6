"""The long runs: `make torture`, or `make torture ARGS="SE3 OL1"` for the edits of some lines of the contract.

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


if __name__ == "__main__":
    sys.exit(0 if promises(sys.argv[1:]) else 1)
