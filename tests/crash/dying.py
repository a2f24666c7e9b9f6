"""R1: a call cut off at each of its named points, again and again, and what is there afterwards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

from newel.runtime.ledgers.sqlite_sql import STATEMENTS
from tests.crash.acts import ACTS, Act
from tests.crash.hosting import Host, Store
from tests.crash.points import DIED, Points, die_at, in_child, told_by_child
from tests.crash.whole import unrecorded, wrong

_numbers = count(1)


@dataclass
class Figures:
    """What many crashes have shown."""

    points: dict[str, int] = field(default_factory=dict)
    runs: int = 0
    lost: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.runs} crashes at {sum(self.points.values())} named points, {self.lost} dispatches lost and "
            f"recovered, {len(self.wrong)} wrong"
        )


class Dying:
    """Crashes of one act on one ledger, each with a task of its own, in a child of its own.

    Nobody has the ledger open while a child is made: an open SQLite file does not survive a fork.
    """

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name, self._act = store, name, ACTS[name]

    def host(self) -> Host:
        return Host(self._store.url, self._store.marks)

    def _before(self) -> str:
        task = f"T{next(_numbers)}"
        with self.host() as host:
            self._act.before(host, task)
        return task

    def points(self) -> list[str]:
        """Every point the act passes, by name and number, as a child that does it finds out."""
        task = self._before()

        def act() -> list[str]:
            passed: list[str] = []
            with self.host() as host:
                Points(passed.append)
                self._act.call(host, task)
            return passed

        seen: Counter[str] = Counter()
        named = []
        for name in told_by_child(act):
            seen[name] += 1
            named.append(f"{self._name}: {name} #{seen[name]}")
        with self.host() as host:
            self._removed(host, task)
        return named

    def _die(self, point: int, call: Act, task: str) -> int:
        def act() -> None:
            host = self.host()
            die_at(point)
            call.call(host, task)

        return in_child(act)

    def crash(self, point: int, again: int | None) -> tuple[int, list[str]]:
        """Die at a point, and `again` in the recovery; how many dispatches were lost, and what is wrong."""
        task = self._before()
        assert self._die(point, self._act, task) == DIED
        crashes = 1
        if again is not None:
            crashes += self._die(again, Act(self._act.before, _recovery, self._act.to), task) == DIED
        with self.host() as host:
            return self._looked_at(host, task, crashes)

    def _looked_at(self, host: Host, task: str, crashes: int) -> tuple[int, list[str]]:
        known = {found.id for found in host.service.tasks()}
        tasks = [task + suffix for suffix in self._act.tasks if task + suffix in known]
        found = wrong(host, tasks, crashes=crashes)
        lost = {one: unrecorded(host, one) for one in tasks}
        for one, entries in lost.items():
            if entries not in ([], [host.service.task(one).entry_id]):
                found.append(f"{one}: lost are {entries}, more than the current entry")
        if task not in known or host.service.task(task).step != self._act.to:
            self._act.call(host, task)
        reports = host.recover()
        if any(report.superseded for report in reports):
            found.append(f"{task}: a current entry was superseded")
        found += wrong(host, tasks, crashes=crashes)
        found += [f"after the recovery: {item}" for item in host.audit()]
        if host.service.task(task).step != self._act.to:
            found.append(f"{task} stands at {host.service.task(task).step}")
        self._removed(host, task)
        return sum(map(len, lost.values())), found

    def _removed(self, host: Host, task: str) -> None:
        """Take the tasks away again, the one that waits first, so that no run meets those of another."""
        for suffix in self._act.tasks:
            host.service.remove(task + suffix)
        host.forget()


def reads(point: str) -> bool:
    """Whether the statement of a named point changes nothing."""
    name = point.partition(": ")[2].partition(" #")[0]
    said = getattr(STATEMENTS, name, "")
    return name == "release" or (isinstance(said, str) and said.lstrip().upper().startswith("SELECT"))


def _recovery(host: Host, task: str) -> None:
    host.recover()


def crashes(store: Store, runs: int, acts: Iterable[str] = ACTS, *, briefly: bool = False) -> Figures:
    """So many crashes at each point of each act, and as many whose recovery is cut off as well.

    `briefly`: before what reads, nothing is different from before the statement that came earlier; so not there, and of
    the others every second one has its recovery cut off, no more.
    """
    figures, dice = Figures(), random.Random(1)  # noqa: S311 - points to die at
    for name in acts:
        dying = Dying(store, name)
        points = [(n, point) for n, point in enumerate(dying.points(), 1) if not (briefly and reads(point))]
        figures.points[name] = len(points)
        for number, point in points:
            for run in range(runs):
                again = dice.randrange(1, 30) if (run + number) % 2 else None
                lost, found = dying.crash(number, again)
                figures.runs += 1 + (again is not None)
                figures.lost += lost
                figures.wrong += [f"{point}, again at {again}: {what}" for what in found]
    return figures
