"""R2: processes that move tasks about and are killed at random, and what they leave."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg

from newel.runtime.outcomes import Outcome
from newel.runtime.ports import Actor
from newel.runtime.rows import HistoryRow
from tests.crash.hosting import Host, Store
from tests.crash.whole import Seen, repeated, twice, wrong

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


def _calls(
    host: Host, task: str, other: str, actor: Actor, number: str, dice: random.Random
) -> list[Callable[[], object]]:
    """What a worker may do; moves oftener than anything else."""
    service = host.service
    return [
        lambda: service.move(task, dice.choice("abc"), actor=actor),
        lambda: service.move(task, dice.choice("bd"), actor=actor),
        lambda: service.move_many([(task, dice.choice("ac")), (other, dice.choice("bc"))], actor=actor),
        lambda: service.decide(task, role="reviewer", decider="ada", verdict="approved", actor=actor),
        lambda: service.handle(task, "comment", payload={"comment_id": f"{actor.id}-{number}"}, actor=actor),
        lambda: service.redispatch(service.task(task).entry_id or 0),
    ]


def roam(store: Store, tasks: list[str], seed: int, told: int) -> None:
    """Call until killed. Each call that returned is told: the entries whose arrivals it reported."""
    host, dice, numbers = Host(store.url, store.marks), random.Random(seed), count()  # noqa: S311 - what to do next
    actor = Actor.agent(f"worker {seed}")
    os.write(told, b"ready\n")
    while True:
        task, other = dice.sample(tasks, 2)
        try:
            found = dice.choice(_calls(host, task, other, actor, str(next(numbers)), dice))()
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
    """No process calls the outside action of an entry twice, but several that redispatch it at once may each call it;
    so may, once more, the recovery where none of them came to record it."""
    seen = Seen.of(host)
    figures.wrong += [line for line in said if line.startswith("raised")]
    figures.wrong += wrong(host, calls=WORKERS, seen=seen)
    figures.wrong += twice(host)
    lost = [entry for task in seen.tasks for entry in seen.unrecorded(task)]
    acknowledged = {int(line) for line in said if line.isdigit()}
    figures.arrivals += len(seen.records)
    figures.lost += len(lost)
    figures.wrong += [f"acknowledged and gone: {entry}" for entry in acknowledged - seen.records.keys()]
    figures.wrong += [f"acknowledged and lost: {entry}" for entry in acknowledged.intersection(lost)]
    figures.wrong += _too_much(seen, lost)
    host.recover()
    after = Seen.of(host)
    figures.wrong += wrong(host, calls=WORKERS + 1, seen=after)
    figures.wrong += repeated(seen, after)
    figures.wrong += [f"after the recovery: {item}" for item in host.audit() if item.kind.value != "superseded"]
    for task in seen.tasks:
        host.service.remove(task)
    host.forget()


def _too_much(seen: Seen, lost: list[int]) -> Iterator[str]:
    """A kill loses what one call had committed and not yet run: one arrival, both of a bulk move, or one pull, which
    comes after the caller's own entries. A pull bears no caller's name."""
    rows = {row.id: row for rows in seen.rows.values() for row in rows}
    of: dict[str, list[HistoryRow]] = {}
    for entry in lost:
        of.setdefault(rows[entry].actor_id or "pulled", []).append(rows[entry])
    pulled = of.pop("pulled", [])
    for actor, mine in of.items():
        mine.sort(key=lambda row: row.id)
        if len(mine) > 1 and [row.route for row in mine] != ["bulk_move"] * 2:
            yield f"the kill of {actor} lost {mine}"
        later = [row.route for row in rows.values() if row.actor_id == actor and row.id > mine[0].id]
        if later and [row.route for row in mine[:1]] + later != ["bulk_move"] * 2:  # another may have run the second
            yield f"{actor} went on after it had left {mine} undone"
    if len(of) + len(pulled) > WORKERS or any(row.route != "pull" for row in pulled):
        yield f"{WORKERS} kills lost {len(lost)} dispatches: {of}, {pulled}"
