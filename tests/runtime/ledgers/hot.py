"""Many processes that move few tasks for some seconds, each through a service of its own, and what they met (R5).

Run as a program: the ledger's URL, how many processes, how many seconds. Prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time

from newel.compiler.pipeline import compile_text
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.service import Service

TASKS = ("T0", "T1", "T2")
BOARD = """
workflow w "W" {
  step a "A" { start }
  step b "B" { on enter { clear_decisions } }
  step c "C" {}
}
"""


def mover(url: str, seed: int, until: float) -> dict[str, object]:
    """Move tasks until then, every second move decided on the entry that was read before."""
    calls: list[float] = []
    failed: list[str] = []
    lost = 0
    choose = random.Random(seed)  # noqa: S311 - which task is moved next is no secret
    with Service(compile_text(BOARD).require(), open_ledger(url)) as service:
        while time.time() < until:
            task, to = choose.choice(TASKS), choose.choice("abc")
            entry = service.task(task).entry_id if choose.random() < 0.5 else None
            began = time.perf_counter()
            try:
                lost += service.move(task, to, if_entry=entry).kind.value == "abandoned"
            except Exception as error:
                failed.append(repr(error))
            calls.append(time.perf_counter() - began)
    return {"calls": calls, "failed": failed, "lost": lost}


def main(url: str, processes: int, seconds: float) -> None:
    """Fork the movers before anything is open, and put together what they tell."""
    with Service(compile_text(BOARD).require(), open_ledger(url)) as service:
        for task in TASKS:
            service.create(task, "w")
    pipes = []
    until = time.time() + 1 + seconds
    for seed in range(processes):
        reading, writing = os.pipe()
        if os.fork() == 0:
            with os.fdopen(writing, "w") as told:
                json.dump(mover(url, seed, until), told)
                told.flush()
            os._exit(0)
        os.close(writing)
        pipes.append(reading)
    found = [json.load(os.fdopen(reading)) for reading in pipes]
    calls = [call for one in found for call in one["calls"]]
    said = {
        "calls": len(calls),
        "median": statistics.median(calls),
        "longest": max(calls),
        "lost": sum(one["lost"] for one in found),
        "failed": [error for one in found for error in one["failed"]],
    }
    print(json.dumps(said))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
