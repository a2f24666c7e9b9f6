"""A ledger in plain Python, as somebody else might bring one: dictionaries, and a log of how to undo each write.

`plain:FOLDER` is a file there, which each commit writes anew, and a lock beside it: whoever reads or writes has it to
himself. It has no statements, so `execute` is refused.
"""

from __future__ import annotations

import fcntl
import json
import os
import pickle
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

from newel.runtime.errors import InsideTransaction, LedgerUnavailable, NotSupported, TaskExists, WrongProcess
from newel.runtime.ledgers.base import CONTRACT_VERSION, Stray
from newel.runtime.outcomes import ActionReport
from newel.runtime.ports import Actor
from newel.runtime.rows import ActorKind, Approval, Decision, EntryAction, HistoryRow, Run, Seat, Task

_databases: dict[str, Database] = {}
_guard = threading.Lock()
_open: ContextVar[PlainTransaction | None] = ContextVar("plain_open_transaction", default=None)


@dataclass
class Tables:
    """All there is. Tables are dictionaries by id; ids are given by one counter for each."""

    uuid: str = field(default_factory=lambda: str(uuid.uuid4()))
    tasks: dict[str, Task] = field(default_factory=dict)
    created: dict[str, int] = field(default_factory=dict)
    queued: dict[str, int] = field(default_factory=dict)
    rows: dict[int, HistoryRow] = field(default_factory=dict)
    programs: dict[str, str] = field(default_factory=dict)
    actions: dict[tuple[int, int], EntryAction] = field(default_factory=dict)
    decisions: dict[int, Decision] = field(default_factory=dict)
    approvals: dict[int, Approval] = field(default_factory=dict)
    seats: dict[int, Seat] = field(default_factory=dict)
    ensured: dict[int, int] = field(default_factory=dict)
    runs: dict[int, Run] = field(default_factory=dict)
    triggers: dict[int, str] = field(default_factory=dict)
    leases: dict[int, float] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)

    def next(self, table: str) -> int:
        """An id that was never given."""
        self.ids[table] = self.ids.get(table, 0) + 1
        return self.ids[table]


class Database:
    """The tables as whoever has them to himself finds them: in a file that each commit replaces, or in this process."""

    def __init__(self, path: Path | None = None) -> None:
        self.path, self.tables, self.process = path, Tables(), os.getpid()
        self._lock = threading.Lock()
        if path is not None:
            with self.alone():
                if not path.exists():
                    self.keep()

    @property
    def is_own(self) -> bool:
        """Whether this process has made it: what a child has is a copy."""
        return self.process == os.getpid()

    def own_process(self) -> None:
        if not self.is_own:
            raise WrongProcess

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else in this process, or any other, reads or writes meanwhile."""
        if self.path is None:
            with self._lock:
                yield
            return
        with self._lock, self.path.with_suffix(".lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                self.load()
                yield
            finally:
                if self.is_own:  # a child would let go of what its parent holds
                    fcntl.flock(file, fcntl.LOCK_UN)

    def load(self) -> None:
        """The tables as the last commit left them."""
        if self.path is not None and self.path.exists():
            self.tables = pickle.loads(self.path.read_bytes())  # noqa: S301 - it is our own

    def keep(self) -> None:
        """Commit. In a file whole or not at all, also where the process is killed meanwhile."""
        if self.path is not None:
            new = self.path.with_suffix(".new")
            new.write_bytes(pickle.dumps(self.tables))
            new.replace(self.path)


class PlainLedger:
    """One opening of a database."""

    databases = Database

    @property
    def transactions(self) -> type[PlainTransaction]:
        return PlainTransaction

    def __init__(self, database: Database) -> None:
        self.database, self._closed = database, False
        self._uuid = database.tables.uuid

    @property
    def uuid(self) -> str:
        return self._uuid

    @contextmanager
    def transaction(self) -> Iterator[PlainTransaction]:
        with self._alone() as tx:
            try:
                yield tx
            except BaseException:
                if self.database.is_own:
                    tx.undo(0)
                raise
            self.database.own_process()
            self.database.keep()

    @contextmanager
    def read(self) -> Iterator[PlainTransaction]:
        self.database.own_process()
        outer = _open.get()
        if outer is not None and outer.active and outer.ledger is self and outer.thread == threading.get_ident():
            yield outer
            return
        with self._alone() as view:
            yield view

    @contextmanager
    def _alone(self) -> Iterator[PlainTransaction]:
        self.database.own_process()
        outer = _open.get()
        if outer is not None and outer.active and outer.ledger.database is self.database:
            raise InsideTransaction
        if self._closed:
            raise LedgerUnavailable("the ledger is closed")
        with self.database.alone():
            tx = self.transactions(self)
            token = _open.set(tx)
            try:
                yield tx
            finally:
                tx.is_open = False
                _open.reset(token)

    def close(self) -> None:
        self._closed = True


class PlainTransaction:
    """Reads and writes the tables; each write leaves word of how it is undone."""

    def __init__(self, ledger: PlainLedger) -> None:
        self.ledger, self.is_open = ledger, True
        self.thread = threading.get_ident()
        self._undo: list[Callable[[], None]] = []

    @property
    def active(self) -> bool:
        return self.is_open and self.ledger.database.is_own

    @property
    def _db(self) -> Tables:
        self.ledger.database.own_process()
        if not self.is_open:
            raise LedgerUnavailable("the transaction has ended")
        return self.ledger.database.tables

    # ---------------------------------------------------------------- writing

    def _put(self, table: dict[Any, Any], key: Any, value: Any) -> None:
        if key in table:
            old = table[key]
            self._undo.append(lambda: table.update({key: old}))
        else:
            self._undo.append(lambda: table.pop(key))
        table[key] = value

    def _drop(self, table: dict[Any, Any], keys: Iterable[Any]) -> int:
        found = [key for key in keys if key in table]
        for key in found:
            self._undo.append(partial(table.__setitem__, key, table.pop(key)))
        return len(found)

    def undo(self, mark: int) -> None:
        while len(self._undo) > mark:
            self._undo.pop()()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        mark = len(self._undo)
        try:
            yield
        except BaseException:
            self.undo(mark)
            raise
        if not self.active:
            raise LedgerUnavailable("the transaction has ended")

    def execute(self, sql: str, params: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        raise NotSupported("this ledger has no statements")

    # ---------------------------------------------------------------- tasks and rows

    def task(self, task: str) -> Task | None:
        return self._db.tasks.get(task)

    lock_task = task

    def tasks(self) -> list[Task]:
        return sorted(self._db.tasks.values(), key=lambda task: task.id)

    def children(self, parent: str) -> list[Task]:
        found = [task for task in self._db.tasks.values() if task.parent == parent]
        return sorted(found, key=lambda task: (self._db.created[task.id], task.id))

    def add_task(self, task: str, *, priority: int = 0, parent: str | None = None) -> Task:
        if task in self._db.tasks:
            raise TaskExists(f"there is a task {task!r} already")
        new = Task(task, None, None, None, priority=priority, parent=parent)
        self._put(self._db.tasks, task, new)
        self._put(self._db.created, task, self._db.next("created"))
        return new

    def arrive(
        self, task: Task, workflow: str | None, step: str | None, *, route: str, actor: Actor, session: str | None,
        revision: str,
    ) -> int:  # fmt: skip
        entry_id = self._db.next("rows")
        row = HistoryRow(
            entry_id, task.id, session, task.workflow, task.step, workflow, step, route, actor.kind, actor.id,
            revision, CONTRACT_VERSION, _now(),
        )  # fmt: skip
        self._put(self._db.rows, entry_id, row)
        here = replace(
            self._db.tasks[task.id],
            workflow=workflow,
            step=step,
            entry_id=None if step is None else entry_id,
            queued_for=None,
            queued_workflow=None,
            queued_operation=None,
        )
        self._put(self._db.tasks, task.id, here)
        return entry_id

    def reorder(self, task: str, position: int) -> None:
        self._put(self._db.tasks, task, replace(self._db.tasks[task], position=position))

    def remove_task(self, task: str) -> None:
        db = self._db
        entries = {row.id for row in db.rows.values() if row.task == task}
        self._drop(db.actions, [key for key in db.actions if key[0] in entries])
        self._drop(db.rows, entries)
        for table in (db.decisions, db.approvals, db.seats):
            self._drop(table, [key for key, item in table.items() if item.task == task])
        self._drop(db.runs, [key for key, run in db.runs.items() if task in (run.task, run.source)])
        self._drop(db.tasks, [task])

    def row(self, entry_id: int) -> HistoryRow | None:
        return self._db.rows.get(entry_id)

    def history(self, task: str) -> list[HistoryRow]:
        return [row for row in self.rows(0, sys.maxsize) if row.task == task]

    def rows(self, after: int = 0, limit: int = 1000) -> list[HistoryRow]:
        return [row for key, row in sorted(self._db.rows.items()) if key > after][:limit]

    def last_id(self) -> int:
        return max(self._db.rows, default=0)

    def program(self, revision: str) -> str | None:
        return self._db.programs.get(revision)

    def keep_program(self, revision: str, text: str) -> None:
        if revision not in self._db.programs:
            self._put(self._db.programs, revision, text)

    # ---------------------------------------------------------------- limited steps

    def occupied(self, workflow: str, step: str) -> int:
        return sum((task.workflow, task.step) == (workflow, step) for task in self._db.tasks.values())

    def lock_place(self, workflow: str, step: str) -> None:
        """Everything is locked already."""

    def wait_for(self, task: Task, workflow: str, step: str, operation: str | None = None) -> None:
        if (task.queued_workflow, task.queued_for) != (workflow, step):
            self._put(self._db.queued, task.id, self._db.next("queue"))
        waits = replace(task, queued_workflow=workflow, queued_for=step, queued_operation=operation)
        self._put(self._db.tasks, task.id, waits)

    def wait_no_more(self, task: Task) -> None:
        self._put(self._db.tasks, task.id, replace(task, queued_workflow=None, queued_for=None, queued_operation=None))

    def waiting(self, workflow: str, step: str, feeder: str | None, limit: int) -> list[Task]:
        def order(task: Task) -> tuple[bool, int, int, int, str]:
            waits = task.queued_for is not None
            since = self._db.queued[task.id] if waits else task.entry_id or 0
            return not waits, task.position, -task.priority, since, task.id

        def due(task: Task) -> bool:
            if task.queued_for is not None:
                return (task.queued_workflow, task.queued_for) == (workflow, step)
            return feeder is not None and (task.workflow, task.step) == (workflow, feeder)

        return sorted(filter(due, self._db.tasks.values()), key=order)[:limit]

    # ---------------------------------------------------------------- entry actions

    def entry_actions(self, entry_id: int) -> list[EntryAction]:
        return self.actions_between(entry_id, entry_id)

    def actions_between(self, first: int, last: int) -> list[EntryAction]:
        return [action for key, action in sorted(self._db.actions.items()) if first <= key[0] <= last]

    def record_actions(self, entry_id: int, reports: Iterable[ActionReport]) -> None:
        for report in reports:
            key = (entry_id, report.position)
            new = EntryAction(*key, report.kind, report.status.value, report.reason, 1, _now())
            old = self._db.actions.get(key)
            if old is not None:
                stays = old.status == "applied" or (old.status, new.status) == ("unchanged", "redelivered")
                kept = old if stays else new
                new = replace(kept, deliveries=old.deliveries + 1, at=new.at)
            self._put(self._db.actions, key, new)

    # ---------------------------------------------------------------- decisions and approvals

    def decisions(self, task: str) -> list[Decision]:
        return [decision for _, decision in sorted(self._db.decisions.items()) if decision.task == task]

    def active_decisions(self, task: str, workflow: str, step: str) -> list[Decision]:
        given = self.decisions(task)
        return [d for d in given if (d.workflow, d.step) == (workflow, step) and not d.superseded]

    def add_decision(
        self, task: str, workflow: str, step: str, entry_id: int, *, role: str, decider: str, decider_kind: ActorKind,
        verdict: str, note: str | None,
    ) -> int:  # fmt: skip
        for old in self.active_decisions(task, workflow, step):
            if (old.role, old.decider) == (role, decider):
                self._put(self._db.decisions, old.id, replace(old, superseded=True))
        number = self._db.next("decisions")
        new = Decision(number, task, workflow, step, entry_id, role, decider, decider_kind, verdict, note)
        self._put(self._db.decisions, number, new)
        return number

    def clear_decisions(self, task: str, workflow: str, step: str, before_entry: int | None = None) -> int:
        there = [d for d in self.decisions(task) if (d.workflow, d.step) == (workflow, step)]
        return self._drop(
            self._db.decisions, [d.id for d in there if before_entry is None or d.entry_id < before_entry]
        )

    def approvals(self, task: str) -> list[Approval]:
        return [approval for _, approval in sorted(self._db.approvals.items()) if approval.task == task]

    def approval(self, approval: int) -> Approval | None:
        return self._db.approvals.get(approval)

    def add_approval(
        self, task: str, entry_id: int, trigger: str, position: int, *, to: str, payload: Mapping[str, Any]
    ) -> Approval:
        for there in self._db.approvals.values():
            if (there.entry_id, there.trigger, there.position) == (entry_id, trigger, position):
                return there
        number = self._db.next("approvals")
        new = Approval(number, task, entry_id, trigger, position, to, "pending", _copied(payload))
        self._put(self._db.approvals, number, new)
        return new

    def settle_approval(self, approval: int, status: Literal["approved", "rejected"], actor: Actor) -> bool:
        found = self.approval(approval)
        if found is None or found.status != "pending":
            return False
        settled = replace(found, status=status, actor_kind=actor.kind, actor_id=actor.id or None)
        self._put(self._db.approvals, approval, settled)
        return True

    # ---------------------------------------------------------------- seats

    def seats(self, task: str) -> list[Seat]:
        return [seat for _, seat in sorted(self._db.seats.items()) if seat.task == task]

    def seat(self, seat: int) -> Seat | None:
        return self._db.seats.get(seat)

    def add_seat(
        self, task: str, workflow: str, step: str, *, role: str, agent: str, required: bool = True, position: int = 0,
        ensured_by: int | None = None,
    ) -> int | None:  # fmt: skip
        for seat in self.seats(task):
            natural = (seat.workflow, seat.step, seat.role, seat.agent) == (workflow, step, role, agent)
            ensured = ensured_by is not None and seat.origin == "ensured"
            if natural or (ensured and (seat.workflow, seat.role) == (workflow, role)):
                return None
        number = self._db.next("seats")
        origin: Literal["given", "ensured"] = "given" if ensured_by is None else "ensured"
        self._put(self._db.seats, number, Seat(number, task, workflow, step, role, agent, required, position, origin))
        if ensured_by is not None:
            self._put(self._db.ensured, number, ensured_by)
        return number

    def set_seat(self, seat: int, *, required: bool, position: int) -> None:
        self._put(self._db.seats, seat, replace(self._db.seats[seat], required=required, position=position))

    def remove_seat(self, seat: int) -> bool:
        return bool(self._drop(self._db.seats, [seat]))

    # ---------------------------------------------------------------- runs

    def runs(self, task: str | None = None) -> list[Run]:
        return [run for _, run in sorted(self._db.runs.items()) if task is None or run.task == task]

    def has_runs(self, entry_id: int, position: int) -> bool:
        found = [run.id for run in self.runs() if (run.entry_id, run.position) == (entry_id, position)]
        return any(self._db.triggers[run] == "enter" for run in found)

    def add_run(
        self, task: str, *, source: str, step: str, agent: str, reason: str | None, payload: Mapping[str, Any] | None,
        entry_id: int | None, position: int, trigger: str, key: str | None,
    ) -> bool:  # fmt: skip
        if key is not None and any(r.key == key and self._db.triggers[r.id] == trigger for r in self.runs()):
            return False
        number = self._db.next("runs")
        kept = None if payload is None else _copied(payload)
        new = Run(number, task, source, step, agent, reason, kept, entry_id, position, "queued", key)
        self._put(self._db.runs, number, new)
        self._put(self._db.triggers, number, trigger)
        return True

    def claim_runs(self, worker: str, limit: int, lease: float) -> list[Run]:
        moment = time.time()

        def due(run: Run) -> bool:
            return run.status == "queued" or (run.status == "claimed" and self._db.leases[run.id] <= moment)

        claimed = [replace(run, status="claimed", worker=worker) for run in self.runs() if due(run)][:limit]
        for run in claimed:
            self._put(self._db.runs, run.id, run)
            self._put(self._db.leases, run.id, moment + lease)
        return claimed

    def finish_run(self, run: int, worker: str, error: str | None) -> bool:
        found = self._db.runs.get(run)
        if found is None or (found.status, found.worker) != ("claimed", worker):
            return False
        self._put(self._db.runs, run, replace(found, status="done" if error is None else "failed", error=error))
        return True

    # ---------------------------------------------------------------- audit

    def doubled(self) -> list[Run]:
        seen, found = set[tuple[str, str]](), list[Run]()
        for run in self.runs():
            if run.key is not None:
                bears = (self._db.triggers[run.id], run.key)
                found += [run] if bears in seen else []
                seen.add(bears)
        return found

    def strays(self) -> list[Stray]:
        db = self._db
        named = [Stray("run", r.id, r.entry_id, r.source) for r in db.runs.values() if r.entry_id is not None]
        named += [Stray("decision", d.id, d.entry_id, d.task) for d in db.decisions.values()]
        named += [Stray("approval", a.id, a.entry_id, a.task) for a in db.approvals.values()]
        named += [Stray("seat", s, e, db.seats[s].task or "") for s, e in db.ensured.items() if s in db.seats]
        return [stray for stray in named if stray.entry_id not in {row.id for row in self.history(stray.task)}]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _copied(payload: Mapping[str, Any]) -> Any:
    """As it comes back from any ledger: of its own, and plain."""
    return json.loads(json.dumps(dict(payload)))


def open_plain(url: str, migrate: bool) -> PlainLedger:
    """What the entry point names."""
    return PlainLedger(database_of(url))


def database_of(url: str) -> Database:
    """The one of this process: what a fork has left of its parent's is nobody's."""
    path = Path(url.partition(":")[2]).absolute()
    with _guard:
        found = _databases.get(url)
        if found is None or not found.is_own:
            found = _databases[url] = Database(path / "plain.db")
        return found
