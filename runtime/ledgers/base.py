"""What a ledger must do, as two protocols: `Ledger` opens transactions, a `Transaction` reads and writes in one.

The methods say what they mean, not how a table says it, so that a ledger may be anything that can commit. Its laws:

- what one transaction wrote is seen by others whole or not at all, and only after the commit;
- `lock_task` keeps every other transaction from writing that task until this one ends;
- `lock_place` keeps every other transaction that locks that place waiting until this one ends. Whoever locks places
  locks them before any task, and several in the order of workflow and step;
- the id of a row is allotted by the insert itself, never given twice, and grows along one task's history;
- a method that finds the database gone or refusing raises `LedgerUnavailable`; so does one of a transaction that has
  ended, once it reads or writes;
- a ledger that outlives its process is one for all processes that open it: these laws hold among them as among threads,
  and what a process had open when it was killed is rolled back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from newel.runtime.outcomes import ActionReport
from newel.runtime.ports import Actor
from newel.runtime.rows import ActorKind, Approval, Decision, EntryAction, HistoryRow, Run, Seat, Task

CONTRACT_VERSION = 1
"""The version of the contract under which rows are written; it stands on each of them."""


@dataclass(frozen=True, slots=True)
class Stray:
    """Something that names an entry which is no row of the task that caused it."""

    what: Literal["run", "decision", "seat", "approval"]
    id: int
    entry_id: int
    task: str


class Reading(Protocol):
    """A consistent view: everything is read as it stood when the view was opened."""

    @property
    def active(self) -> bool:
        """Whether the transaction is still open: false once the database, or somebody, has ended it."""
        ...

    def execute(self, sql: str, params: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement of the ledger's dialect, for tables of the host's own, and give all its rows.

        A statement that begins or ends a transaction or savepoint is refused with `InsideTransaction`. What the
        driver raises passes as it is. A ledger that has no statements raises `NotSupported`.
        """
        ...

    def task(self, task: str) -> Task | None:
        """Where a task stands."""
        ...

    def tasks(self) -> Sequence[Task]:
        """All tasks by id."""
        ...

    def children(self, parent: str) -> Sequence[Task]:
        """The tasks created under a parent, in the order in which they were created, then by id."""
        ...

    def occupied(self, workflow: str, step: str) -> int:
        """How many tasks stand at a step."""
        ...

    def row(self, entry_id: int) -> HistoryRow | None:
        """One row, by its id."""
        ...

    def history(self, task: str) -> Sequence[HistoryRow]:
        """A task's rows in the order of their ids."""
        ...

    def rows(self, after: int = 0, limit: int = 1000) -> Sequence[HistoryRow]:
        """The rows of all tasks with larger ids than `after`, in the order of their ids, at most `limit`."""
        ...

    def last_id(self) -> int:
        """The id of the last row, 0 where there is none."""
        ...

    def entry_actions(self, entry_id: int) -> Sequence[EntryAction]:
        """The records of an entry's actions, by position."""
        ...

    def actions_between(self, first: int, last: int) -> Sequence[EntryAction]:
        """The records of all entries with ids from `first` to `last`, by entry and position."""
        ...

    def decisions(self, task: str) -> Sequence[Decision]:
        """All decisions on a task, the superseded ones too, by id."""
        ...

    def active_decisions(self, task: str, workflow: str, step: str) -> Sequence[Decision]:
        """The decisions given at a step of a workflow, of whatever entry, without the superseded ones, by id."""
        ...

    def approvals(self, task: str) -> Sequence[Approval]:
        """All approvals that a task's moves have asked for, the settled ones too, by id."""
        ...

    def approval(self, approval: int) -> Approval | None:
        """One approval, by its id."""
        ...

    def seats(self, task: str) -> Sequence[Seat]:
        """A task's own seats, of whatever workflow and step, by id."""
        ...

    def seat(self, seat: int) -> Seat | None:
        """One seat, by its id."""
        ...

    def runs(self, task: str | None = None) -> Sequence[Run]:
        """The runs for a task, or all, by id."""
        ...

    def has_runs(self, entry_id: int, position: int) -> bool:
        """Whether the action at that position of that entry's own list (not of another trigger's) queued a run."""
        ...

    def program(self, revision: str) -> str | None:
        """The canonical JSON kept under a revision."""
        ...

    def doubled(self) -> Sequence[Run]:
        """Runs whose key an earlier run of the same trigger bears."""
        ...

    def strays(self) -> Sequence[Stray]:
        """Runs, decisions, seats and approvals that name an entry which is no row of the task that caused it."""
        ...


class Transaction(Reading, Protocol):
    """A write transaction. It sees what it wrote itself."""

    def savepoint(self) -> AbstractContextManager[None]:
        """A part that is taken back alone where its block raises; the error passes on.

        Where the transaction is no longer active when the block ends, `LedgerUnavailable` is raised.
        """
        ...

    def lock_task(self, task: str) -> Task | None:
        """Where a task stands, locked until the transaction ends."""
        ...

    def lock_place(self, workflow: str, step: str) -> None:
        """Lock the places of a step until the transaction ends, so that what `occupied` says of it stays true."""
        ...

    def wait_for(self, task: Task, workflow: str, step: str, operation: str | None = None) -> None:
        """Let a task wait for a place at a step, and keep the operation id under which its exit list is to run; one
        that waits for that place already keeps its turn."""
        ...

    def wait_no_more(self, task: Task) -> None:
        """Let a task wait for no place."""
        ...

    def waiting(self, workflow: str, step: str, feeder: str | None, limit: int) -> Sequence[Task]:
        """The first `limit` tasks to be admitted to a step.

        First those that wait for it, then those that stand at the feeder and wait for nothing; each by position, then
        priority, the larger first, then the time since when they have waited - at the feeder: stood - then id.
        """
        ...

    def add_task(self, task: str, *, priority: int = 0, parent: str | None = None) -> Task:
        """A new task that stands nowhere yet. Raises `TaskExists`."""
        ...

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
        """Write the row of a change of step and the change itself; the row's id.

        `task` is the task as `lock_task` or `add_task` of this transaction gave it. `workflow` and `step` are None for
        a detach, which leaves the task without an entry. A task that waited for a place waits no longer.
        """
        ...

    def reorder(self, task: str, position: int) -> None:
        """Set a task's position within its step."""
        ...

    def remove_task(self, task: str) -> None:
        """Remove a task and all that hangs on it: rows, entry actions, seats, decisions, approvals, and runs for it or
        caused by it."""
        ...

    def keep_program(self, revision: str, text: str) -> None:
        """Keep a program's canonical JSON; the same revision again changes nothing."""
        ...

    def record_actions(self, entry_id: int, reports: Iterable[ActionReport]) -> None:
        """Write the record of each action; where there is one already, count one delivery more.

        `applied` stays, whatever comes after: what took effect has taken effect. `redelivered` does not replace
        `unchanged`.
        """
        ...

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
        """Supersede the decider's earlier decision in that role at that step, and add this one; its id."""
        ...

    def clear_decisions(self, task: str, workflow: str, step: str, before_entry: int | None = None) -> int:
        """Remove the decisions given at a step - those of entries smaller than `before_entry`, or all; how many."""
        ...

    def add_approval(
        self, task: str, entry_id: int, trigger: str, position: int, *, to: str, payload: Mapping[str, Any]
    ) -> Approval:
        """The approval of that entry, trigger and position: added as pending, or the one there is, as it stands."""
        ...

    def settle_approval(self, approval: int, status: Literal["approved", "rejected"], actor: Actor) -> bool:
        """Settle a pending approval; false where it is settled already."""
        ...

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
        """Add a seat; its id, or None where it exists. `ensured_by` is the entry that ensures it: then its origin is
        `ensured`, and there is at most one such seat per task, workflow and role."""
        ...

    def set_seat(self, seat: int, *, required: bool, position: int) -> None:
        """Change a seat."""
        ...

    def remove_seat(self, seat: int) -> bool:
        """Remove a seat; whether there was one."""
        ...

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
        """Queue a run; false where the trigger has one of that key already. None as key is never deduplicated."""
        ...

    def claim_runs(self, worker: str, limit: int, lease: float) -> Sequence[Run]:
        """Give a worker up to `limit` runs by id: queued ones, and claimed ones whose lease (seconds) ran out."""
        ...

    def finish_run(self, run: int, worker: str, error: str | None) -> bool:
        """End a run that the worker has claimed: `done`, or `failed` with an error; false where it has not."""
        ...


class Ledger(Protocol):
    """Where tasks, arrivals and all that hangs on them are kept. Shared by threads, not over a fork."""

    @property
    def uuid(self) -> str:
        """The ledger's identity, made with it; part of every key given to the outside."""
        ...

    def transaction(self) -> AbstractContextManager[Transaction]:
        """A write transaction: committed where its block ends, rolled back where it raises, whatever it raises.

        Raises `InsideTransaction` at once where this thread, or the context it runs in, has one of this ledger open.
        Where the commit fails, or the transaction had been ended before, `LedgerUnavailable`: nothing took effect.
        """
        ...

    def read(self) -> AbstractContextManager[Reading]:
        """A consistent view without a lock; in a transaction's own thread, that transaction itself."""
        ...

    def close(self) -> None:
        """Let go of the database. Transactions begun later raise `LedgerUnavailable`."""
        ...
