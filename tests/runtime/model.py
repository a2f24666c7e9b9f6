"""What the contract says of the calls on one board: moves, triggers, decisions and approvals; see `model_arrivals`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from tests.runtime.model_arrivals import Arrivals
from tests.runtime.model_board import (
    BY_HAND_NOT,
    ENDS,
    FULL,
    PLACES,
    STEPS,
    By,
    Failed,
    MApproval,
    MDecision,
    MTask,
    Place,
    Refused,
    Row,
)


@dataclass
class Model(Arrivals):
    """All there is, and what becomes of it."""

    # ---------------------------------------------------------------- calls

    def create(self, name: str, place: Place, priority: int, parent: str | None) -> str:
        if name in self.tasks or (parent is not None and parent not in self.tasks):
            raise Refused
        task = self.tasks[name] = MTask(priority=priority, parent=parent)
        return self._wait(task, place) if self.full(place) else self.after(self._arrive(name, place, "created"))

    def _place(self, name: str, step: str) -> Place:
        task = self.find(name)
        where = task.at or task.waits
        if where is None or step not in STEPS[where[0]]:
            raise Refused
        return where[0], step

    def _move(self, name: str, step: str, route: str, by: By | None = None, *, over: bool = False) -> Row | str:
        task, place = self.find(name), self._place(name, step)
        if task.at == place:
            task.waits = None
            return "already_there"
        if step == BY_HAND_NOT and ((by and by.cause) or route) == "manual_move":  # EN17
            raise Refused
        return self._wait(task, place) if self.full(place) and not over else self._arrive(name, place, route, by)

    def move(self, name: str, step: str, by: By, token: int | None = None, *, over: bool = False) -> str:
        if token is not None and self.find(name).entry != token:  # SL4
            return "abandoned"
        made = self._move(name, step, "manual_move", by, over=over)
        return made if isinstance(made, str) else self.after(made)

    def move_many(self, pairs: list[tuple[str, str]]) -> list[str]:
        """All or none."""
        places = [self._place(name, step) for name, step in pairs]
        taken = sum(task.at == FULL for task in self.tasks.values())
        for (name, _), place in zip(pairs, places, strict=True):
            goes = self.tasks[name].at != place and not (place == FULL and taken >= PLACES)
            if goes and self.stuck(name):
                raise Failed
            taken += goes * ((place == FULL) - (self.tasks[name].at == FULL))
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
        if task.at is None:
            task.waits = None
            return "already_there"
        return self.after(self._arrive(name, None, "detached"))

    def switch(self, name: str, place: Place, operation: str | None = None) -> str:
        """EN13: the exit list runs under an id of its own, and not again."""
        task, derived = self.find(name), ("switch", operation)
        if task.at == place:
            task.waits = None
            return "already_there"
        if self.full(place):
            return self._wait(task, place)
        leave = operation is None or derived not in self.applied
        made = self._arrive(name, place, "attached" if task.at is None else "switched", leave=leave)
        if operation is not None:
            self.applied.add(derived)
        return self.after(made)

    def redispatch(self, entry: int) -> bool:
        """SE8: only the current entry; whether it was left. LM3: then the place that its arrival freed is filled."""
        row = self.row(entry)
        left = self.tasks[row.task].entry != entry
        if not left:
            self.dispatch(entry)
        if row.was == FULL:
            self.pull()
        return left

    def remove(self, name: str) -> None:
        """SL8."""
        at = self.find(name).at
        gone = {row.entry for row in self.rows if row.task == name}
        del self.tasks[name]
        self.rows = [row for row in self.rows if row.task != name]
        self.records = {entry: done for entry, done in self.records.items() if entry not in gone}
        self.pages = Counter({entry: number for entry, number in self.pages.items() if entry not in gone})
        self.runs = [run for run in self.runs if run[0] != name]
        self.decisions = [d for d in self.decisions if d.task != name]
        self.approvals = [a for a in self.approvals if a.task != name]
        self.seats.pop(name, None)
        if at == FULL:
            self.pull()

    # ---------------------------------------------------------------- triggers

    def handle(
        self, name: str, trigger: str, operation: object = "", *, by: By | None = None, signalled: bool = False,
        defer: bool = False,
    ) -> str:  # fmt: skip
        """EN1, EN2, EN4, EN5, EN15: the mark is made when nothing has raised, by us or by one who defers it. Where
        the task stands nowhere there is no step whose actions could succeed, or that could declare none."""
        task = self.find(name)
        if operation and operation in self.applied:
            return "idempotent"
        if task.at is None or self._held_back(task, trigger, by, signalled=signalled):
            return "stayed"
        came_to = self._listed(name, task.at[1], trigger, operation, by)
        if operation and not defer:
            self.applied.add(operation)
        if came_to == "entered":
            came_to = self.after(self.rows[-1], in_turn=trigger == "turn_start")
        return came_to

    def _held_back(self, task: MTask, trigger: str, by: By | None, *, signalled: bool) -> bool:
        if trigger != "turn_complete":
            return False
        at_c = task.at == FULL
        return not at_c if by and by.cause == "user_cancellation" else at_c and not signalled

    def _listed(self, name: str, step: str, trigger: str, operation: object, by: By | None) -> str:
        entry = self.tasks[name].entry or 0
        to = {
            ("a", "comment"): "c", ("a", "turn_start"): "b", ("a", "turn_complete"): "b",
            ("a", "children_completed"): "e", ("c", "turn_complete"): "d",
        }.get((step, trigger))  # fmt: skip
        if (step, trigger) == ("a", "comment"):
            self._queue(name, entry, 0, "x", (operation, entry, 0))  # K3: one for entry and operation
            self.sessions += [(name, 1)] * (name in self.live and self.port)  # EN16
            if self.broken:
                raise Failed
            self.goodbyes[name] += 1
        if (step, trigger) == ("b", "comment") and self._share(name, "b", _decided) == 1:
            to = "e"
        if trigger == "turn_complete" and step in "bf":
            to = self._guarded(name, step)
        if trigger == "approval_resolved" and step in ("b", "f"):
            return self._asked(name, entry, step)
        return self._engine(name, to, by) if to else "stayed"

    def _engine(self, name: str, step: str, by: By | None = None) -> str:
        made = self._move(name, step, "engine_transition", by)
        return made if isinstance(made, str) else "entered"

    def _entered(self, came_to: str) -> str:
        return self.after(self.rows[-1]) if came_to == "entered" else came_to

    # ---------------------------------------------------------------- decisions and approvals

    def _counting(self, name: str, step: str) -> list[MDecision]:
        """Q2a, Q4: at b, whose list clears, only those of this entry; of each decider in each role the latest."""
        entry = self.tasks[name].entry
        given = [d for d in self.decisions if (d.task, d.at, d.active) == (name, ("w", step), True)]
        return [d for d in given if step != "b" or d.entry == entry]

    def _share(self, name: str, step: str, counts: Callable[[str], bool]) -> float:
        """How many of the slate have decided so, as a part of them; 0 where nobody sits there (Q3)."""
        slate = self.slate(name, "w", step)
        return len(self._deciders(name, step, counts)) / len(slate) if slate else 0

    def _deciders(self, name: str, step: str, counts: Callable[[str], bool]) -> set[str]:
        slate = self.slate(name, "w", step)
        verdicts = {d.decider: d.verdict for d in self._counting(name, step) if d.role == "reviewer"}
        return {decider for decider, verdict in verdicts.items() if decider in slate and counts(verdict)}

    def _guarded(self, name: str, step: str) -> str | None:
        """Q1: the first guarded move of finished work that holds."""
        approvals, share = self._deciders(name, step, _approved), self._share(name, step, _approved)
        if step == "f":
            return "e" if len(approvals) >= 2 else "a" if share > 0.5 else None
        if share == 1:
            return "c"
        heard = [d for d in self._counting(name, step) if d.role == "reviewer" or d.kind == "human"]
        return "a" if any(d.verdict == "rejected" for d in heard) else None

    def _asked(self, name: str, entry: int, step: str) -> str:
        """EN9: once for each entry, if the guard holds; a rejected one is not asked again under it."""
        if step == "f" and self._share(name, "f", _decided) < 1:
            return "stayed"
        known = [a for a in self.approvals if a.entry == entry]
        if not known:
            self.approvals.append(MApproval(name, entry))
        return "pending_approval" if not known or known[0].status == "pending" else "stayed"

    def approve(self, number: int) -> str:
        approval = self.approvals[number]
        task = self.tasks[approval.task]
        if task.entry != approval.entry:
            return "abandoned"
        at_f = task.at == ("w", "f")
        if approval.status == "rejected" or (at_f and self._share(approval.task, "f", _decided) < 1):
            return "stayed"
        came_to = self._engine(approval.task, "a" if at_f else "e")
        approval.status = "approved"
        return self._entered(came_to)

    def reject(self, number: int) -> str:
        approval = self.approvals[number]
        if self.tasks[approval.task].entry != approval.entry:
            return "abandoned"
        approval.status = "rejected" if approval.status == "pending" else approval.status
        return "stayed"

    def decide(self, name: str, role: str, decider: str, kind: str, verdict: str, token: int | None) -> str:
        """Q5: recorded under the entry, then only the guarded moves of finished work are asked. The decision stands
        whatever becomes of the move."""
        task = self.find(name)
        if token is not None and task.entry != token:
            return "abandoned"
        if task.at is None or task.entry is None:
            raise Refused
        step = task.at[1]
        for old in self.decisions:
            if (old.task, old.at, old.role, old.decider) == (name, task.at, role, decider):
                old.active = False
        self.decisions.append(MDecision(name, task.at, task.entry, role, decider, kind, verdict))
        to = self._guarded(name, step) if task.at[0] == "w" and step in "bf" else None
        try:
            return self._entered(self._engine(name, to)) if to else "stayed"
        except Failed:
            return "stayed"

    def children_completed(self, name: str) -> str:
        """EN13, K1."""
        self.find(name)
        children = [(n, t.at, t.entry) for n, t in self.tasks.items() if t.parent == name]
        if not children or not all(at is not None and at[1] in ENDS for _, at, _ in children):
            return "stayed"
        return self.handle(name, "children_completed", (name, *children))


def _approved(verdict: str) -> bool:
    return verdict == "approved"


def _decided(verdict: str) -> bool:
    return True
