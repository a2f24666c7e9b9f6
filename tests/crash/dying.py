"""R1: a call cut off at each of its named points, again and again, and what is there afterwards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Self

from newel.runtime.errors import UnknownTask
from newel.runtime.ledgers.sqlite_sql import STATEMENTS
from tests.crash.acts import ACTS, Do
from tests.crash.hosting import Host, Store
from tests.crash.points import DIED, Points, die_at, in_child, told_by_child
from tests.crash.whole import Seen, repeated, wrong

_numbers = count(1)


@dataclass
class Figures:
    """What many crashes have shown."""

    points: dict[str, int] = field(default_factory=dict)
    runs: int = 0
    twice: int = 0
    lost: int = 0
    wrong: list[str] = field(default_factory=list)

    def __iadd__(self, more: Self) -> Self:
        self.points.update(more.points)
        self.runs, self.twice, self.lost = self.runs + more.runs, self.twice + more.twice, self.lost + more.lost
        self.wrong += more.wrong
        return self

    def __str__(self) -> str:
        return (
            f"{self.runs} crashes at {sum(self.points.values())} named points, {self.twice} of them with another in "
            f"the recovery, {self.lost} dispatches lost and recovered, {len(self.wrong)} wrong"
        )


class Dying:
    """Crashes of one act on one ledger, each with a task of its own, in a child of its own.

    Nobody has the ledger open while a child is made: an open SQLite file does not survive a fork.
    """

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name, self._act = store, name, ACTS[name]

    def host(self) -> Host:
        return Host(self._store.url, self._store.marks)

    def _before(self, number: int) -> list[str]:
        tasks = [f"T{next(_numbers)}" for _ in range(number)]
        with self.host() as host:
            for task in tasks:
                self._act.before(host, task)
        return tasks

    def points(self) -> list[str]:
        """Every point the act passes, by name and number, as a child that does it finds out."""
        (task,) = self._before(1)

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
            self._removed(host, [task])
        return named

    def _die(self, point: int, call: Do, task: str) -> int:
        def act() -> None:
            host = self.host()
            die_at(point)
            call(host, task)

        return in_child(act)

    def crash(self, crashes: list[Crash]) -> tuple[int, list[str]]:
        """Die at these points; how many dispatches were lost, and what is wrong. What is there is looked at once for
        all of them, where tasks do not stand in each other's way."""
        if len(self._act.tasks) > 1 and len(crashes) > 1:
            found = [self.crash([crash]) for crash in crashes]
            return sum(lost for lost, _ in found), [what for _, wrongs in found for what in wrongs]
        tasks = dict(zip(self._before(len(crashes)), crashes, strict=True))
        died = {}
        for task, crash in tasks.items():
            assert self._die(crash.point, self._act.call, task) == DIED
            died[task] = 1
            if crash.again is not None:
                assert self._die(crash.again, _recovery, task) in (DIED, 0)  # it may be over before it comes to die
                died[task] += 1
        with self.host() as host:
            return self._looked_at(host, tasks, died)

    def _looked_at(self, host: Host, crashes: dict[str, Crash], died: dict[str, int]) -> tuple[int, list[str]]:
        seen = Seen.of(host)
        every = {task: [one for suffix in self._act.tasks if (one := task + suffix) in seen.tasks] for task in crashes}
        calls = {one: died[task] for task, tasks in every.items() for one in tasks}
        found = wrong(host, list(calls), calls=calls, seen=seen) if calls else []
        lost = {one: seen.unrecorded(one) for one in calls}
        for one, entries in lost.items():
            if entries not in ([], [seen.tasks[one].entry_id]):
                found.append(f"{one}: lost are {entries}, more than the current entry")
        for task in crashes:
            if task not in seen.tasks or seen.tasks[task].step != self._act.to:
                self._act.call(host, task)
        if any(report.superseded for report in host.recover()):
            found.append("a current entry was superseded")
        found += self._recovered(host, crashes, seen, calls)
        return sum(map(len, lost.values())), found

    def _recovered(self, host: Host, crashes: dict[str, Crash], before: Seen, calls: dict[str, int]) -> Iterator[str]:
        """What is wrong after the recovery; then the tasks are taken away again."""
        after = Seen.of(host)
        every = [one for task in crashes for suffix in self._act.tasks if (one := task + suffix) in after.tasks]
        yield from wrong(host, every, calls={one: calls.get(one, 0) + 1 for one in every}, seen=after)
        yield from repeated(before, after)
        yield from (f"after the recovery: {item}" for item in host.audit())
        for task, crash in crashes.items():
            if after.tasks[task].step != self._act.to:
                yield f"{task}, which died at {crash}, stands at {after.tasks[task].step}"
        self._removed(host, crashes)

    def _removed(self, host: Host, tasks: Iterable[str]) -> None:
        """Take the tasks away again, the one that waits first, so that no run meets those of another."""
        for task in tasks:
            for suffix in self._act.tasks:
                host.service.remove(task + suffix)
        host.forget()


@dataclass(frozen=True)
class Crash:
    """A point to die at, and one to die at in the recovery."""

    point: int
    again: int | None = None


def reads(point: str) -> bool:
    """Whether the statement of a named point changes nothing."""
    name = point.partition(": ")[2].partition(" #")[0]
    said = getattr(STATEMENTS, name, "")
    return name == "release" or (isinstance(said, str) and said.lstrip().upper().startswith("SELECT"))


def _recovery(host: Host, task: str) -> None:
    """As an operator does it who has been told which entry is lost."""
    with suppress(UnknownTask):
        host.service.redispatch(host.service.task(task).entry_id or 0)


def crashes(store: Store, runs: int, acts: Iterable[str] = ACTS, *, briefly: bool = False, every: int = 2) -> Figures:
    """So many crashes at each point of each act; of each so many one has its recovery cut off as well.

    `briefly`: before what reads, nothing is different from before the statement that came earlier; so not there.
    """
    figures, dice = Figures(), random.Random(1)  # noqa: S311 - points to die at
    for name in acts:
        dying = Dying(store, name)
        points = [(n, point) for n, point in enumerate(dying.points(), 1) if not (briefly and reads(point))]
        figures.points[name] = len(points)
        for run in range(runs):
            again = [dice.randrange(1, 30) if (run + n) % every == 0 else None for n, _ in points]
            at = [Crash(number, then) for (number, _), then in zip(points, again, strict=True)]
            lost, found = dying.crash(at)
            figures.runs += len(at)
            figures.twice += sum(then is not None for then in again)
            figures.lost += lost
            figures.wrong += [f"{name}, run {run}: {what}" for what in found]
    return figures
