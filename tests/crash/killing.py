"""R2: processes that move tasks about and are killed at random, and what they leave."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg

from newel.runtime.outcomes import Outcome
from tests.crash.hosting import Host, Store
from tests.crash.whole import unrecorded, wrong

WORKERS, TASKS = 4, 3


@dataclass
class Figures:
    """What many kills have shown."""

    kills: int = 0
    arrivals: int = 0
    lost: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.kills} kills among {self.arrivals} arrivals, {self.lost} dispatches lost and recovered, "
            f"{len(self.wrong)} wrong"
        )


def _calls(host: Host, task: str, other: str, number: str, dice: random.Random) -> list[Callable[[], object]]:
    """What a worker may do; moves oftener than anything else."""
    service = host.service
    return [
        lambda: service.move(task, dice.choice("abc")),
        lambda: service.move(task, dice.choice("bd")),
        lambda: service.move_many([(task, dice.choice("ac")), (other, dice.choice("bc"))]),
        lambda: service.decide(task, role="reviewer", decider="ada", verdict="approved"),
        lambda: service.handle(task, "comment", payload={"comment_id": number}),
        lambda: service.redispatch(service.task(task).entry_id or 0),
    ]


def roam(store: Store, tasks: list[str], seed: int, told: int) -> None:
    """Call until killed. Each call that returned is told: the entries whose arrivals it reported."""
    host, dice, numbers = Host(store.url, store.marks), random.Random(seed), count()  # noqa: S311 - what to do next
    os.write(told, b"ready\n")
    while True:
        task, other = dice.sample(tasks, 2)
        try:
            found = dice.choice(_calls(host, task, other, f"{seed}-{next(numbers)}", dice))()
        except Exception as error:
            os.write(told, f"raised {error!r}\n".encode())
            raise
        outcomes = found if isinstance(found, list) else [found]
        for outcome in outcomes:
            if isinstance(outcome, Outcome):
                entries = [one.entry.entry_id for one in (outcome, *outcome.pulled) if one.entry]
                os.write(told, "".join(f"{entry}\n" for entry in entries).encode())


def _worker(store: Store, tasks: list[str], seed: int, pipe: Path) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            roam(store, tasks, seed, os.open(pipe, os.O_WRONLY | os.O_APPEND | os.O_CREAT))
        finally:
            os._exit(1)
    return pid


def _round(store: Store, number: int, dice: random.Random) -> list[str]:
    """Let some workers go and kill one after the other; what they told."""
    tasks = [f"R{number}-{n}" for n in range(TASKS)]
    with Host(store.url, store.marks) as host:
        for task in tasks:
            host.service.create(task, "w")
    pipe = store.marks.with_name("told")
    pipe.unlink(missing_ok=True)
    pids = [_worker(store, tasks, number * WORKERS + n, pipe) for n in range(WORKERS)]
    deadline = time.monotonic() + 30
    while not pipe.exists() or pipe.read_text().count("ready") < WORKERS:
        assert time.monotonic() < deadline, "the workers do not begin"
        time.sleep(0.002)
    for pid in pids:
        time.sleep(dice.random() * 0.06)
        os.kill(pid, signal.SIGKILL)
    codes = {os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids}
    said = pipe.read_text().splitlines()
    return said if codes == {-signal.SIGKILL} else [*said, f"raised: a worker ended with {codes}"]


def _silence(store: Store) -> None:
    """Wait until the server has noticed that the killed processes are gone."""
    if store.application is None:
        return
    query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"
    with psycopg.connect(store.url.rpartition("&schema=")[0], application_name="looking", autocommit=True) as looking:
        while looking.execute(query, (store.application,)).fetchall() != [(0,)]:
            time.sleep(0.005)


def kills(store: Store, number: int, seed: int = 1) -> Figures:
    """So many kills; after each round of them the ledger is opened, looked at and recovered."""
    figures, dice = Figures(), random.Random(seed)  # noqa: S311 - moments to kill at
    rounds = count()
    while figures.kills < number:
        said = _round(store, next(rounds), dice)
        figures.kills += WORKERS
        _silence(store)
        with Host(store.url, store.marks) as host:
            _look(host, said, figures)
    return figures


def _look(host: Host, said: list[str], figures: Figures) -> None:
    # Whoever is killed while he dispatches an entry anew may have called its outside action once more.
    figures.wrong += [line for line in said if line.startswith("raised")]
    figures.wrong += wrong(host, crashes=figures.kills)
    tasks = host.service.tasks()
    rows = {row.id for task in tasks for row in host.service.history(task.id)}
    lost = {entry for task in tasks for entry in unrecorded(host, task.id)}
    acknowledged = {int(line) for line in said if line.isdigit()}
    figures.arrivals += len(rows)
    figures.lost += len(lost)
    figures.wrong += [f"acknowledged and gone: {entry}" for entry in acknowledged - rows]
    figures.wrong += [f"acknowledged and lost: {entry}" for entry in acknowledged & lost]
    if len(lost) > 3 * WORKERS:  # one call may commit several arrivals before it dispatches: a bulk move, a pull
        figures.wrong.append(f"{WORKERS} kills lost {len(lost)} dispatches")
    host.recover()
    figures.wrong += wrong(host, crashes=figures.kills)
    figures.wrong += [f"after the recovery: {item}" for item in host.audit() if item.kind.value != "superseded"]
    for task in tasks:
        host.service.remove(task.id)
    host.forget()
