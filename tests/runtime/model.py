"""What the contract says of one board, in plain Python: dictionaries and lists, no ledger, no transaction.

Written from the numbered lines of the contract, which are named where they are followed. It knows one program only, and
nothing of how the runtime is made.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

BOARD = """
action page on enter
dispatch { page }
workflow w "W" {
  step a "A" {
    start
    on comment { queue_run(target=agent(id="x"))
      -> c }
    on turn_complete { -> b }
    on children_completed { -> e }
  }
  step b "B" {
    on enter { clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
      page }
    on turn_complete { -> c when all_approve(reviewer)
      -> a when any_reject(reviewer) }
    on approval_resolved { -> e requires approval }
  }
  step c "C" {
    wip_limit 2
    pull_from e
    on enter { queue_run(target=agent(id="x")) }
    on turn_complete { -> d }
  }
  step d "D" { end }
  step e "E" { }
}
workflow v "V" {
  step p "P" { start
    on enter { page } }
  step q "Q" { end }
}
"""
STEPS = {"w": "abcde", "v": "pq"}
LISTS = {"b": 4, "c": 1, "p": 1}
"""How many dispatched actions entering a step has."""
PAGES = {"b": 3, "p": 0}
ENDS = "dq"
FULL, PLACES, FEEDER = "c", 2, "e"

Place = tuple[str, str]


class Refused(Exception):
    """The call is a mistake, and changes nothing."""


@dataclass
class MTask:
    """Where a task is (LM1: one that waits has not arrived)."""

    at: Place | None = None
    entry: int | None = None
    waits: Place | None = None
    since: int = 0
    priority: int = 0
    position: int = 0
    parent: str | None = None


@dataclass
class MDecision:
    """One that was given; `active` until its decider gives another there (Q5)."""

    task: str
    step: str
    entry: int
    role: str
    decider: str
    kind: str
    verdict: str
    active: bool = True


@dataclass
class MApproval:
    """One that was asked for (EN9)."""

    task: str
    entry: int
    status: str = "pending"


@dataclass
class Row:
    """One arrival or detach (SL3)."""

    entry: int
    task: str
    was: Place | None
    to: Place | None
    route: str


@dataclass
class Model:
    """All there is. Entries are numbers of its own, in the order of the rows."""

    tasks: dict[str, MTask] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    records: dict[int, set[int]] = field(default_factory=dict)
    pages: Counter[int] = field(default_factory=Counter)
    runs: set[tuple[str, int, str, int, str]] = field(default_factory=set)
    """Task, entry, why, position, agent."""
    seats: dict[str, set[tuple[str, str, str]]] = field(default_factory=dict)
    """Of a task: workflow, role, agent."""
    decisions: list[MDecision] = field(default_factory=list)
    approvals: list[MApproval] = field(default_factory=list)
    applied: set[object] = field(default_factory=set)
    clock: int = 0

    # ---------------------------------------------------------------- arrivals

    def _tick(self) -> int:
        self.clock += 1
        return self.clock

    def find(self, task: str) -> MTask:
        if task not in self.tasks:
            raise Refused
        return self.tasks[task]

    def full(self, place: Place) -> bool:
        """LM2."""
        return place == ("w", FULL) and sum(task.at == place for task in self.tasks.values()) >= PLACES

    def _arrive(self, name: str, to: Place | None, route: str) -> Row:
        """SL1, SL2, SL4: one row, from where the task stands; its id is the entry."""
        task = self.tasks[name]
        row = Row(self._tick(), name, task.at, to, route)
        self.rows.append(row)
        task.at, task.entry, task.waits = to, row.entry if to else None, None
        return row

    def _wait(self, task: MTask, place: Place) -> str:
        if task.waits != place:
            task.waits, task.since = place, self._tick()
        return "queued"

    def dispatch(self, entry: int, *, upto: int | None = None) -> None:
        """SE1, SE3, SE5: the list of the row, but for what took effect already; `upto` is where it breaks off."""
        row = next(row for row in self.rows if row.entry == entry)
        assert row.to is not None
        done = self.records.setdefault(entry, set())
        for position in range(LISTS.get(row.to[1], 0)):
            if upto is not None and position >= upto:
                return
            self._act(row, position, done)
            done.add(position)

    def _act(self, row: Row, position: int, done: set[int]) -> None:
        workflow, step = row.to or ("", "")
        if PAGES.get(step) == position:
            self.pages[row.entry] += position not in done
        elif step == "c":
            self.runs.add((row.task, row.entry, "enter", position, "x"))
        elif position == 0:
            self.decisions = [d for d in self.decisions if (d.task, d.step) != (row.task, step) or d.entry >= row.entry]
        elif position == 1 and not self.slate(row.task, workflow):  # ST2
            self.seats.setdefault(row.task, set()).add((workflow, "reviewer", "ada"))
        elif position == 2 and not any(run[1:4] == (row.entry, "enter", 2) for run in self.runs):
            for agent in self.slate(row.task, workflow):
                self.runs.add((row.task, row.entry, "enter", 2, agent))

    def slate(self, task: str, workflow: str) -> set[str]:
        """Q2, for the one role that is asked for."""
        return {agent for where, role, agent in self.seats.get(task, ()) if (where, role) == (workflow, "reviewer")}

    def after(self, *rows: Row) -> str:
        """SE2, LM3: the entries run, then the places that were left are filled."""
        for row in rows:
            if row.to is not None:
                self.dispatch(row.entry)
        for row in rows:
            if row.was == ("w", FULL):
                self.pull()
        return "moved"

    def pull(self) -> None:
        """LM3: who waits directly first, then the feeder's; by position, priority, time, id."""
        place = ("w", FULL)

        def order(name: str) -> tuple[bool, int, int, int, str]:
            task = self.tasks[name]
            return (
                task.waits != place,
                task.position,
                -task.priority,
                task.since if task.waits else task.entry or 0,
                name,
            )

        while not self.full(place):
            due = [
                name
                for name, task in self.tasks.items()
                if task.waits == place or (task.waits is None and task.at == ("w", FEEDER))
            ]
            if not due:
                return
            self.dispatch(self._arrive(min(due, key=order), place, "pull").entry)

    # ---------------------------------------------------------------- calls

    def create(self, name: str, place: Place, priority: int, parent: str | None) -> str:
        if name in self.tasks or (parent is not None and parent not in self.tasks):
            raise Refused
        task = self.tasks[name] = MTask(priority=priority, parent=parent)
        return self._wait(task, place) if self.full(place) else self.after(self._arrive(name, place, "created"))

    def _move(self, name: str, step: str, route: str, over: bool = False) -> Row | str:
        task = self.find(name)
        where = task.at or task.waits
        if where is None or step not in STEPS[where[0]]:
            raise Refused
        place = (where[0], step)
        if task.at == place:
            task.waits = None
            return "already_there"
        return self._wait(task, place) if self.full(place) and not over else self._arrive(name, place, route)

    def move(self, name: str, step: str, token: int | None = None, over: bool = False) -> str:
        if token is not None and self.find(name).entry != token:  # SL4
            return "abandoned"
        made = self._move(name, step, "manual_move", over)
        return made if isinstance(made, str) else self.after(made)

    def move_many(self, pairs: list[tuple[str, str]]) -> list[str]:
        for name, step in pairs:
            where = self.find(name).at or self.find(name).waits
            if where is None or step not in STEPS[where[0]]:
                raise Refused
        made = [self._move(name, step, "bulk_move") for name, step in pairs]
        self.after(*(row for row in made if isinstance(row, Row)))
        return [row if isinstance(row, str) else "moved" for row in made]

    def lose(self, name: str, step: str, upto: int) -> bool:
        """SE4, SE8: a move whose entry is broken off leaves what a crash leaves; whether there was one to break off."""
        made = self._move(name, step, "manual_move")
        if isinstance(made, str):
            return False
        self.dispatch(made.entry, upto=upto)
        return True

    def detach(self, name: str) -> str:
        task = self.find(name)
        task.waits = None
        return "already_there" if task.at is None else self.after(self._arrive(name, None, "detached"))

    def switch(self, name: str, place: Place) -> str:
        task = self.find(name)
        if task.at == place:
            task.waits = None
            return "already_there"
        if self.full(place):
            return self._wait(task, place)
        return self.after(self._arrive(name, place, "attached" if task.at is None else "switched"))

    def redispatch(self, entry: int) -> bool:
        """SE8: only the current entry; whether it was left."""
        row = next(row for row in self.rows if row.entry == entry)
        if self.tasks[row.task].entry != entry:
            return True
        self.dispatch(entry)
        return False

    def remove(self, name: str) -> None:
        """SL8."""
        at = self.find(name).at
        gone = {row.entry for row in self.rows if row.task == name}
        del self.tasks[name]
        self.rows = [row for row in self.rows if row.task != name]
        self.records = {entry: done for entry, done in self.records.items() if entry not in gone}
        self.pages = Counter({entry: number for entry, number in self.pages.items() if entry not in gone})
        self.runs = {run for run in self.runs if run[0] != name}
        self.decisions = [d for d in self.decisions if d.task != name]
        self.approvals = [a for a in self.approvals if a.task != name]
        self.seats.pop(name, None)
        if at == ("w", FULL):
            self.pull()

    # ---------------------------------------------------------------- triggers and decisions

    def _engine(self, name: str, step: str) -> str:
        made = self._move(name, step, "engine_transition")
        return made if isinstance(made, str) else self.after(made)

    def handle(self, name: str, trigger: str, operation: object = "") -> str:
        """EN1, EN4, EN5."""
        task = self.find(name)
        if operation and operation in self.applied:
            return "idempotent"
        if operation:
            self.applied.add(operation)
        step = task.at[1] if task.at else ""
        if (step, trigger) == ("a", "comment"):
            self.runs.add((name, task.entry or 0, str(operation), 0, "x"))  # K3: one for entry and operation
            return self._engine(name, "c")
        if trigger == "turn_complete" and step in ("a", "c"):
            return self._engine(name, {"a": "b", "c": "d"}[step])
        if trigger == "turn_complete" and step == "b":
            return self._guarded(name)
        if (step, trigger) == ("a", "children_completed"):
            return self._engine(name, "e")
        if (step, trigger) == ("b", "approval_resolved"):
            return self._asked(name, task.entry or 0)
        return "stayed"

    def _guarded(self, name: str) -> str:
        """Q1-Q4, Q2a: the moves of b, whose list clears, so only decisions of this entry count."""
        task = self.tasks[name]
        given = [d for d in self.decisions if (d.task, d.step, d.entry, d.active) == (name, "b", task.entry, True)]
        slate = self.slate(name, "w")
        approved = {d.decider: d.verdict == "approved" for d in given if d.role == "reviewer"}
        if slate and all(approved.get(agent) for agent in slate):
            return self._engine(name, "c")
        if any(d.verdict == "rejected" and (d.role == "reviewer" or d.kind == "human") for d in given):
            return self._engine(name, "a")
        return "stayed"

    def _asked(self, name: str, entry: int) -> str:
        """EN9: once for each entry; a rejected one is not asked again under it."""
        known = [a for a in self.approvals if a.entry == entry]
        if not known:
            self.approvals.append(MApproval(name, entry))
        return "pending_approval" if not known or known[0].status == "pending" else "stayed"

    def approve(self, number: int) -> str:
        approval = self.approvals[number]
        if self.tasks[approval.task].entry != approval.entry:
            return "abandoned"
        if approval.status == "rejected":
            return "stayed"
        approval.status = "approved"
        return self._engine(approval.task, "e")

    def reject(self, number: int) -> str:
        approval = self.approvals[number]
        if self.tasks[approval.task].entry != approval.entry:
            return "abandoned"
        approval.status = "rejected" if approval.status == "pending" else approval.status
        return "stayed"

    def decide(self, name: str, role: str, decider: str, kind: str, verdict: str, token: int | None) -> str:
        """Q5: recorded under the entry, then only the guarded moves of finished work are asked."""
        task = self.find(name)
        if token is not None and task.entry != token:
            return "abandoned"
        if task.at is None or task.entry is None:
            raise Refused
        step = task.at[1]
        for old in self.decisions:
            if (old.task, old.step, old.role, old.decider) == (name, step, role, decider):
                old.active = False
        self.decisions.append(MDecision(name, step, task.entry, role, decider, kind, verdict))
        return self._guarded(name) if step == "b" else "stayed"

    def children_completed(self, name: str) -> str:
        """EN13, K1."""
        self.find(name)
        children = [(n, t.at, t.entry) for n, t in self.tasks.items() if t.parent == name]
        if not children or not all(at is not None and at[1] in ENDS for _, at, _ in children):
            return "stayed"
        return self.handle(name, "children_completed", (name, *children))
