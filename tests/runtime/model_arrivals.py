"""What the contract says of arrivals: rows, the lists that they run, seats, runs, and who is let in where it was full.

Plain Python: dictionaries and lists, no ledger, no transaction; written from the numbered lines of the contract, which
are named where they are followed. It knows one board, and nothing of how the runtime is made.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.runtime.model_board import (
    CANDIDATES,
    CLEAR,
    FEEDER,
    FULL,
    HALF,
    NOTE,
    PAGE,
    PLACES,
    SEAT,
    WAKE,
    By,
    Failed,
    MApproval,
    MDecision,
    MSeat,
    MTask,
    Place,
    Record,
    Refused,
    Report,
    Row,
    listed,
)

Run = tuple[str, int, int, str]
"""Task, entry, position, agent; what `note_it` leaves is one for nobody's agent `note`."""


@dataclass
class Arrivals:
    """All there is. Entries are numbers of its own, in the order of the rows."""

    tasks: dict[str, MTask] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    records: dict[int, dict[int, Record]] = field(default_factory=dict)
    pages: Counter[int] = field(default_factory=Counter)
    """How often entering has paged."""
    goodbyes: Counter[str] = field(default_factory=Counter)
    """How often leaving has paged."""
    runs: list[Run] = field(default_factory=list)
    keys: set[object] = field(default_factory=set)
    seats: dict[str, list[MSeat]] = field(default_factory=dict)
    decisions: list[MDecision] = field(default_factory=list)
    approvals: list[MApproval] = field(default_factory=list)
    applied: set[object] = field(default_factory=set)
    live: set[str] = field(default_factory=set)
    sessions: list[tuple[str, int]] = field(default_factory=list)
    """What ran in a live session: the task, the position."""
    reports: list[Report] = field(default_factory=list)
    port: bool = True
    """Whether there is anybody to ask for sessions."""
    broken: bool = False
    """Whether paging raises."""
    revision: int = 0
    clock: int = 0

    # ---------------------------------------------------------------- arrivals

    def _tick(self) -> int:
        self.clock += 1
        return self.clock

    def find(self, task: str) -> MTask:
        if task not in self.tasks:
            raise Refused
        return self.tasks[task]

    def row(self, entry: int) -> Row:
        return next(row for row in self.rows if row.entry == entry)

    def full(self, place: Place) -> bool:
        """LM2."""
        return place == FULL and sum(task.at == place for task in self.tasks.values()) >= PLACES

    def _arrive(self, name: str, to: Place | None, route: str, by: By | None = None, *, leave: bool = True) -> Row:
        """SL1, SL2, SL4: one row, from where the task stands; its id is the entry. EN12: after the exit list."""
        task = self.tasks[name]
        if leave:
            self._leave(name)
        cause = by and by.cause
        row = Row(self._tick(), name, task.at, to, cause or route, self.revision, by)
        self.rows.append(row)
        task.at, task.entry, task.waits = to, row.entry if to else None, None
        return row

    def stuck(self, name: str) -> bool:
        """EN12: whether the exit list would fail: the outside action of f comes first, and pages."""
        return self.broken and self.tasks[name].at == ("w", "f")

    def _leave(self, name: str) -> None:
        task = self.tasks[name]
        if self.stuck(name):
            raise Failed
        if task.at == ("w", "f"):
            self.goodbyes[name] += 1
        if task.at in (("w", "a"), ("w", "f")):
            self.runs.append((name, task.entry or 0, 0 if task.at == ("w", "a") else 1, "note"))

    def _wait(self, task: MTask, place: Place) -> str:
        if task.waits != place:
            task.waits, task.since = place, self._tick()
        return "queued"

    def dispatch(self, entry: int, *, upto: int | None = None, half: bool = False) -> None:
        """SE1, SE3-SE6: the list of the row's own program, but for what took effect already; `upto` is where it breaks
        off. SE9: the session's half comes after it, once, and not on a redispatch."""
        row = self.row(entry)
        assert row.to is not None
        records = self.records.setdefault(entry, {})
        report = Report(entry, bool(records))
        for position in listed(row.to[1], row.revision):
            if position == upto:
                return
            status = self._act(row, position, records.get(position))
            report.actions.append((position, status))
            known = records.setdefault(position, Record(status, 0))
            known.deliveries += 1
            known.status = status if known.status != "applied" else "applied"
        if report.actions:
            self.reports.append(report)
        if half and row.to[1] == "b" and row.task in self.live and self.port:
            self.sessions += [(row.task, position) for position in HALF]

    def _act(self, row: Row, position: int, record: Record | None) -> str:
        step = row.to[1] if row.to else ""
        done = record is not None and record.status == "applied"
        if (step, position) in (("b", PAGE), ("p", 0)):
            if not done and self.broken:
                return "failed"
            self.pages[row.entry] += not done
        elif (step, position) == ("b", NOTE):
            if not done:
                self.runs.append((row.task, row.entry, position, "note"))
        elif step == "c":
            done = not self._queue(row.task, row.entry, position, "xy"[position], (row.entry, position))
        else:
            return self._decided(row, position)
        return "redelivered" if done else "applied"

    def _decided(self, row: Row, position: int) -> str:
        """SE5: what b does with decisions and seats."""
        name, workflow = row.task, (row.to or ("", ""))[0]
        if position == CLEAR:
            kept = [d for d in self.decisions if (d.task, d.at) != (name, row.to) or d.entry >= row.entry]
            cleared, self.decisions = len(kept) < len(self.decisions), kept
            return "applied" if cleared else "unchanged"
        slate = self.slate(name, workflow, "b")
        if position == SEAT:
            return "applied" if not slate and self._ensure(name, workflow) else "unchanged"
        assert position == WAKE
        if any(run[1:3] == (row.entry, WAKE) for run in self.runs):
            return "redelivered"
        for agent in slate:
            self._queue(name, row.entry, WAKE, agent, (row.entry, WAKE, agent))
        return "applied" if slate else "unchanged"

    def _queue(self, task: str, entry: int, position: int, agent: str, key: object) -> bool:
        """K3: once for each key."""
        if key in self.keys:
            return False
        self.keys.add(key)
        self.runs.append((task, entry, position, agent))
        return True

    def _ensure(self, name: str, workflow: str) -> bool:
        """ST2, ST3: a candidate who sits in no other role, else the first; once for task, workflow and role."""
        seats = self.seats.setdefault(name, [])
        elsewhere = {seat.agent for seat in seats if seat.workflow == workflow and seat.role != "reviewer"}
        agent = next((each for each in CANDIDATES if each not in elsewhere), CANDIDATES[0])
        for seat in seats:
            here = (seat.workflow, seat.role) == (workflow, "reviewer")
            if here and (seat.ensured or (seat.step, seat.agent) == ("b", agent)):
                return False
        seats.append(MSeat(workflow, "b", "reviewer", agent, ensured=True))
        return True

    def slate(self, task: str, workflow: str, step: str) -> list[str]:
        """Q2, Q6: of each agent the seat at this step before those elsewhere; by position, then agent."""
        found: dict[str, MSeat] = {}
        seats = [seat for seat in self.seats.get(task, ()) if seat.required]
        for seat in sorted(seats, key=lambda seat: seat.step != step):
            if (seat.workflow, seat.role) == (workflow, "reviewer"):
                found.setdefault(seat.agent, seat)
        return sorted(found, key=lambda agent: (found[agent].position, agent))

    def after(self, *rows: Row, in_turn: bool = False) -> str:
        """SE2, LM3: the entries run, then the places that were left are filled."""
        for row in rows:
            if row.to is not None:
                self.dispatch(row.entry, half=not in_turn)
        for row in rows:
            if row.was == FULL:
                self.pull()
        return "moved"

    def pull(self) -> None:
        """LM3: who waits directly first, then the feeder's; by position, priority, time, id. Whoever cannot leave is
        passed over."""

        def order(name: str) -> tuple[bool, int, int, int, str]:
            task = self.tasks[name]
            since = task.since if task.waits else task.entry or 0
            return task.waits != FULL, task.position, -task.priority, since, name

        while not self.full(FULL):
            due = [
                name
                for name, task in self.tasks.items()
                if (task.waits == FULL or (task.waits is None and task.at == FEEDER)) and not self.stuck(name)
            ]
            if not due:
                return
            self.dispatch(self._arrive(min(due, key=order), FULL, "pull").entry, half=True)
