"""The ledger's meaning to named statements: what the transactions of all SQL ledgers have in common."""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

from newel.runtime.errors import TaskExists
from newel.runtime.ledgers.base import CONTRACT_VERSION, Stray
from newel.runtime.outcomes import ActionReport
from newel.runtime.ports import Actor
from newel.runtime.rows import ActorKind, Approval, Decision, EntryAction, HistoryRow, Run, Seat, Task

Parameters = Sequence[Any] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Statements:
    """Every statement of a dialect. The columns come in the order of the row classes' fields.

    `place_task` is None where `add_row` does that too.
    """

    task: str
    lock_task: str
    tasks: str
    children: str
    add_task: str
    place_task: str | None
    place: str
    lock_place: str
    add_place_alone: str | None
    add_place: tuple[str, ...]
    occupied: str
    count_at: str
    wait_for: str
    wait_no_more: str
    waiting: str
    residents: str
    reorder: str
    row: str
    history: str
    rows: str
    last_id: str
    add_row: str
    remove_task: tuple[str, ...]
    program: str
    keep_program: str
    entry_actions: str
    actions_between: str
    record_action: str
    decisions: str
    active_decisions: str
    supersede: str
    add_decision: str
    clear_decisions: str
    clear_decisions_before: str
    approvals: str
    approval: str
    approval_at: str
    add_approval: str
    settle_approval: str
    seats: str
    seat: str
    add_seat: str
    set_seat: str
    remove_seat: str
    runs: str
    runs_of: str
    has_runs: str
    add_run: str
    claim_runs: str
    finish_run: str
    doubled: str
    strays: str


_MILLISECONDS = tuple(f".{number:03}+00:00" for number in range(1000))


def now() -> str:
    """The time of day, UTC, as it stands in rows: ISO 8601 with milliseconds."""
    milliseconds = time.time_ns() // 1_000_000
    return _second(milliseconds // 1000) + _MILLISECONDS[milliseconds % 1000]


@lru_cache(maxsize=1)
def _second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).replace(tzinfo=None).isoformat()


def _decision(values: tuple[Any, ...]) -> Decision:
    fields: tuple[Any, ...] = (*values[:-1], bool(values[-1]))
    return Decision(*fields)


def _seat(values: tuple[Any, ...]) -> Seat:
    *plain, required, position, ensured_by = values
    fields: tuple[Any, ...] = (*plain, bool(required), position, "given" if ensured_by is None else "ensured")
    return Seat(*fields)


def _approval(values: tuple[Any, ...]) -> Approval:
    fields: tuple[Any, ...] = (*values[:7], json.loads(values[7]), *values[8:])
    return Approval(*fields)


def _run(values: tuple[Any, ...]) -> Run:
    payload = None if values[6] is None else json.loads(values[6])
    fields: tuple[Any, ...] = (*values[:6], payload, *values[7:])
    return Run(*fields)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), sort_keys=True, ensure_ascii=False)


class SqlTransaction(ABC):
    """A `Transaction` but for opening, ending and running a statement."""

    __slots__ = ()
    sql: Statements

    @abstractmethod
    def _all(self, sql: str, params: Parameters = ()) -> list[tuple[Any, ...]]:
        """Run one of the ledger's own statements and give all its rows; `LedgerUnavailable` where it fails."""

    @abstractmethod
    def _many(self, sql: str, params: Iterable[Sequence[Any]]) -> None:
        """Run one of the ledger's own statements for each set of parameters."""

    def _insert(self, sql: str, params: Parameters) -> int:
        """Run one of the ledger's own statements that inserts one row, and give the id that was allotted to it."""
        allotted: int = self._all(sql, params)[0][0]
        return allotted

    def _one(self, sql: str, params: Parameters) -> tuple[Any, ...] | None:
        rows = self._all(sql, params)
        return rows[0] if rows else None

    # ---------------------------------------------------------------- tasks and rows

    def task(self, task: str) -> Task | None:
        rows = self._all(self.sql.task, (task,))
        return Task(*rows[0]) if rows else None

    def lock_task(self, task: str) -> Task | None:
        rows = self._all(self.sql.lock_task, (task,))
        return Task(*rows[0]) if rows else None

    def tasks(self) -> list[Task]:
        return [Task(*row) for row in self._all(self.sql.tasks)]

    def children(self, parent: str) -> list[Task]:
        return [Task(*row) for row in self._all(self.sql.children, (parent,))]

    def add_task(self, task: str, *, priority: int = 0, parent: str | None = None) -> Task:
        if not self._all(self.sql.add_task, (task, priority, parent, now())):
            raise TaskExists(f"there is a task {task!r} already")
        return Task(task, None, None, None, priority=priority, parent=parent)

    def arrive(
        self,
        task: Task,
        workflow: str | None,
        step: str | None,
        *,
        route: str,
        actor: Actor,
        session: str | None,
        revision: str,
    ) -> int:
        """The row first: its id is what the task then carries."""
        change = (task.id, session, task.workflow, task.step, workflow, step)
        cause = (route, actor.kind, actor.id, revision, CONTRACT_VERSION, now())
        entry_id = self._insert(self.sql.add_row, change + cause)
        if place := self.sql.place_task:
            self._all(place, (workflow, step, None if step is None else entry_id, task.id))
        return entry_id

    # ---------------------------------------------------------------- places

    def occupied(self, workflow: str, step: str) -> int:
        """Through the index of those at limited steps, if this step is known as one."""
        found = self._one(self.sql.place, (workflow, step))
        how, which = (self.sql.count_at, (workflow, step)) if found is None else (self.sql.occupied, found)
        number: int = self._all(how, which)[0][0]
        return number

    def lock_place(self, workflow: str, step: str) -> None:
        self._place(self.sql.lock_place, workflow, step)

    def _place(self, how: str, workflow: str, step: str) -> int:
        """The number of a place, which is given it when it is first asked for: then its tasks are indexed."""
        found = self._one(how, (workflow, step))
        if found is None and self.sql.add_place_alone is not None:
            self._all(self.sql.add_place_alone, (workflow, step))
            found = self._one(how, (workflow, step))  # by who has just been alone with it
        if found is None:
            for statement in self.sql.add_place:
                self._all(statement, {"workflow": workflow, "step": step})
            found = self._all(how, (workflow, step))[0]
        number: int = found[0]
        return number

    def wait_for(self, task: Task, workflow: str, step: str, operation: str | None = None) -> None:
        at = datetime.now(UTC).isoformat(timespec="microseconds")
        named = {"workflow": workflow, "step": step, "operation": operation, "at": at, "task": task.id}
        self._all(self.sql.wait_for, named)

    def wait_no_more(self, task: Task) -> None:
        self._all(self.sql.wait_no_more, (task.id,))

    def waiting(self, workflow: str, step: str, feeder: str | None, limit: int) -> list[Task]:
        rows = self._all(self.sql.waiting, (workflow, step, limit))
        if feeder is not None and len(rows) < limit:
            place = self._place(self.sql.place, workflow, feeder)
            rows += self._all(self.sql.residents, (place, limit - len(rows)))
        return [Task(*row) for row in rows]

    def reorder(self, task: str, position: int) -> None:
        self._all(self.sql.reorder, (position, task))

    def remove_task(self, task: str) -> None:
        for statement in self.sql.remove_task:
            self._all(statement, {"task": task})

    def row(self, entry_id: int) -> HistoryRow | None:
        found = self._one(self.sql.row, (entry_id,))
        return HistoryRow(*found) if found else None

    def history(self, task: str) -> list[HistoryRow]:
        return [HistoryRow(*row) for row in self._all(self.sql.history, (task,))]

    def rows(self, after: int = 0, limit: int = 1000) -> list[HistoryRow]:
        return [HistoryRow(*row) for row in self._all(self.sql.rows, (after, limit))]

    def last_id(self) -> int:
        last: int = self._all(self.sql.last_id)[0][0]
        return last

    def program(self, revision: str) -> str | None:
        found = self._one(self.sql.program, (revision,))
        return found[0] if found else None

    def keep_program(self, revision: str, text: str) -> None:
        self._all(self.sql.keep_program, (revision, text))

    # ---------------------------------------------------------------- entry actions

    def entry_actions(self, entry_id: int) -> list[EntryAction]:
        return [EntryAction(*row) for row in self._all(self.sql.entry_actions, (entry_id,))]

    def actions_between(self, first: int, last: int) -> list[EntryAction]:
        return [EntryAction(*row) for row in self._all(self.sql.actions_between, (first, last))]

    def record_actions(self, entry_id: int, reports: Iterable[ActionReport]) -> None:
        at = now()
        self._many(
            self.sql.record_action, ((entry_id, r.position, r.kind, r.status.value, r.reason, at) for r in reports)
        )

    # ---------------------------------------------------------------- decisions

    def decisions(self, task: str) -> list[Decision]:
        return [_decision(row) for row in self._all(self.sql.decisions, (task,))]

    def active_decisions(self, task: str, workflow: str, step: str) -> list[Decision]:
        return [_decision(row) for row in self._all(self.sql.active_decisions, (task, workflow, step))]

    def add_decision(
        self,
        task: str,
        workflow: str,
        step: str,
        entry_id: int,
        *,
        role: str,
        decider: str,
        decider_kind: ActorKind,
        verdict: str,
        note: str | None,
    ) -> int:
        self._all(self.sql.supersede, (task, workflow, step, role, decider))
        values = (task, workflow, step, entry_id, role, decider, decider_kind, verdict, note, now())
        decision: int = self._all(self.sql.add_decision, values)[0][0]
        return decision

    def clear_decisions(self, task: str, workflow: str, step: str, before_entry: int | None = None) -> int:
        if before_entry is None:
            return len(self._all(self.sql.clear_decisions, (task, workflow, step)))
        return len(self._all(self.sql.clear_decisions_before, (task, workflow, step, before_entry)))

    # ---------------------------------------------------------------- approvals

    def approvals(self, task: str) -> list[Approval]:
        return [_approval(row) for row in self._all(self.sql.approvals, (task,))]

    def approval(self, approval: int) -> Approval | None:
        found = self._one(self.sql.approval, (approval,))
        return _approval(found) if found else None

    def add_approval(
        self, task: str, entry_id: int, trigger: str, position: int, *, to: str, payload: Mapping[str, Any]
    ) -> Approval:
        at = (entry_id, trigger, position)
        found = self._one(self.sql.approval_at, at)
        if found is None:
            found = self._all(self.sql.add_approval, (task, *at, to, _json(payload), now()))[0]
        return _approval(found)

    def settle_approval(self, approval: int, status: Literal["approved", "rejected"], actor: Actor) -> bool:
        return bool(self._all(self.sql.settle_approval, (status, actor.kind, actor.id or None, now(), approval)))

    # ---------------------------------------------------------------- seats

    def seats(self, task: str) -> list[Seat]:
        return [_seat(row) for row in self._all(self.sql.seats, (task,))]

    def seat(self, seat: int) -> Seat | None:
        found = self._one(self.sql.seat, (seat,))
        return _seat(found) if found else None

    def add_seat(
        self,
        task: str,
        workflow: str,
        step: str,
        *,
        role: str,
        agent: str,
        required: bool = True,
        position: int = 0,
        ensured_by: int | None = None,
    ) -> int | None:
        found = self._one(self.sql.add_seat, (task, workflow, step, role, agent, required, position, ensured_by))
        return found[0] if found else None

    def set_seat(self, seat: int, *, required: bool, position: int) -> None:
        self._all(self.sql.set_seat, (required, position, seat))

    def remove_seat(self, seat: int) -> bool:
        return bool(self._all(self.sql.remove_seat, (seat,)))

    # ---------------------------------------------------------------- runs

    def runs(self, task: str | None = None) -> list[Run]:
        rows = self._all(self.sql.runs) if task is None else self._all(self.sql.runs_of, (task,))
        return [_run(row) for row in rows]

    def has_runs(self, entry_id: int, position: int) -> bool:
        return bool(self._all(self.sql.has_runs, (entry_id, position)))

    def add_run(
        self,
        task: str,
        *,
        source: str,
        step: str,
        agent: str,
        reason: str | None,
        payload: Mapping[str, Any] | None,
        entry_id: int | None,
        position: int,
        trigger: str,
        key: str | None,
    ) -> bool:
        text = None if payload is None else _json(payload)
        values = (task, source, step, agent, reason, text, entry_id, position, trigger, key, now())
        return bool(self._all(self.sql.add_run, values))

    def claim_runs(self, worker: str, limit: int, lease: float) -> list[Run]:
        # A server goes by its own clock: those of the workers' machines differ.
        values = {"worker": worker, "limit": limit, "lease": lease, "now": time.time()}
        rows = self._all(self.sql.claim_runs, values)
        return sorted((_run(row) for row in rows), key=lambda run: run.id)

    def finish_run(self, run: int, worker: str, error: str | None) -> bool:
        status = "done" if error is None else "failed"
        return bool(self._all(self.sql.finish_run, (status, error, run, worker)))

    # ---------------------------------------------------------------- audit

    def doubled(self) -> list[Run]:
        return [_run(row) for row in self._all(self.sql.doubled)]

    def strays(self) -> list[Stray]:
        return [Stray(*row) for row in self._all(self.sql.strays)]
