"""Many processes that move few tasks for some seconds, each through a service of its own, and what they met (R5).

Run as a program: the ledger's URL, how many processes, how many seconds, and `few` or `crowd`: three tasks, or six that
crowd about a step with two places, which one more process counts meanwhile. Prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from newel.compiler.pipeline import compile_text
from newel.compiler.program import Program
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import OutcomeKind
from newel.runtime.service import Service

LIMIT = 2


@dataclass(frozen=True)
class Board:
    """What is moved about, and where; `limited` is the step with so few places."""

    text: str
    tasks: tuple[str, ...]
    limited: str | None = None

    def program(self) -> Program:
        return compile_text(self.text).require()


BOARDS = {
    "few": Board(
        """
        workflow w "W" {
          step a "A" { start }
          step b "B" { on enter { clear_decisions } }
          step c "C" {}
        }
        """,
        ("T0", "T1", "T2"),
    ),
    "crowd": Board(
        f"""
        workflow w "W" {{
          step a "A" {{ start
            on turn_complete {{ -> b }} }}
          step b "B" {{
            wip_limit {LIMIT}
            pull_from c
            on enter {{ clear_decisions }}
            on turn_complete {{ -> a }}
          }}
          step c "C" {{}}
        }}
        """,
        tuple(f"T{n}" for n in range(6)),
        "b",
    ),
}


def mover(url: str, board: Board, seed: int, until: float) -> dict[str, object]:
    """Move tasks until then, every second move decided on the entry that was read before; every fourth call of a crowd
    is a turn that ends."""
    calls: list[float] = []
    failed: list[str] = []
    lost = queued = 0
    choose = random.Random(seed)  # noqa: S311 - which task is moved next is no secret
    with Service(board.program(), open_ledger(url)) as service:
        while time.time() < until:
            task, to = choose.choice(board.tasks), choose.choice("abc")
            entry = service.task(task).entry_id if choose.random() < 0.5 else None
            turns = board.limited is not None and choose.random() < 0.25
            began = time.perf_counter()
            try:
                outcome = service.handle(task, "turn_complete") if turns else service.move(task, to, if_entry=entry)
                lost += outcome.kind is OutcomeKind.ABANDONED
                queued += outcome.kind is OutcomeKind.QUEUED
            except Exception as error:
                failed.append(repr(error))
            calls.append(time.perf_counter() - began)
    return {"calls": calls, "failed": failed, "lost": lost, "queued": queued}


def watcher(url: str, board: Board, until: float) -> dict[str, object]:
    """Count who stands at the limited step, again and again."""
    most = looks = 0
    with Service(board.program(), open_ledger(url)) as service:
        while time.time() < until:
            most = max(most, [task.step for task in service.tasks()].count(board.limited))
            looks += 1
            time.sleep(0.002)
    return {"most": most, "looks": looks}


def _in_child(work: Callable[[], dict[str, object]]) -> int:
    """Where to read what a child tells of its work."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        code = 1
        try:
            with os.fdopen(writing, "w") as told:
                json.dump(work(), told)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    return reading


def main(url: str, processes: int, seconds: float, which: str = "few") -> None:
    """Fork the movers before anything is open, and put together what they tell."""
    board = BOARDS[which]
    with Service(board.program(), open_ledger(url)) as service:
        for task in board.tasks:
            service.create(task, "w")
    until = time.time() + 1 + seconds
    pipes = [_in_child(lambda n=n: mover(url, board, n, until)) for n in range(processes)]  # type: ignore[misc] # of the lambda nothing can be inferred
    seen = {} if board.limited is None else json.load(os.fdopen(_in_child(lambda: watcher(url, board, until))))
    found = [json.load(os.fdopen(reading)) for reading in pipes]
    calls = [call for one in found for call in one["calls"]]
    said = {
        "calls": len(calls),
        "median": statistics.median(calls),
        "longest": max(calls),
        "lost": sum(one["lost"] for one in found),
        "queued": sum(one["queued"] for one in found),
        "failed": [error for one in found for error in one["failed"]],
        **seen,
    }
    print(json.dumps(said))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), *sys.argv[4:])
