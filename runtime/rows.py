"""What the ledger's tables hold, one frozen class for each. Absent is None, never "" or 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from newel.dsl.slotted import frozen

ActorKind = Literal["human", "agent", "system", "integration", "unknown"]
"""What sort of actor somebody is."""


@frozen
class Task:
    """Where a task stands. `entry_id` is its current entry: the id of its last row if that names a destination.

    One that waits for a place waits for the step `queued_for` of the workflow `queued_workflow`.
    """

    id: str
    workflow: str | None
    step: str | None
    entry_id: int | None
    queued_for: str | None = None
    priority: int = 0
    parent: str | None = None
    position: int = 0
    queued_workflow: str | None = None
    queued_operation: str | None = None


@frozen
class HistoryRow:
    """One arrival or detach, as it was committed. `occurred_at` is UTC, ISO 8601."""

    id: int
    task: str
    session: str | None
    from_workflow: str | None
    from_step: str | None
    to_workflow: str | None
    to_step: str | None
    route: str
    actor_kind: ActorKind
    actor_id: str | None
    revision: str
    contract_version: int
    occurred_at: str


@frozen
class Decision:
    """A decision given at a step, under the entry that was current then."""

    id: int
    task: str
    workflow: str
    step: str
    entry_id: int
    role: str
    decider: str
    decider_kind: ActorKind
    verdict: str
    note: str | None = None
    superseded: bool = False


@frozen
class Seat:
    """A seat of one task. `origin` is `ensured` for one made by `ensure_participant_seat`, else `given`; a template
    seat - declared in the step's settings - has a text as its id and the origin `template`."""

    id: int | str
    task: str | None
    workflow: str
    step: str
    role: str
    agent: str
    required: bool = True
    position: int = 0
    origin: Literal["given", "ensured", "template"] = "given"


@frozen
class Run:
    """A queued run for one agent. `source` is the task whose workflow queued it, `key` its unique key if it has one."""

    id: int
    task: str
    source: str
    step: str
    agent: str
    reason: str | None
    payload: Mapping[str, Any] | None
    entry_id: int | None
    position: int
    status: Literal["queued", "claimed", "done", "failed"]
    key: str | None
    worker: str | None = None
    error: str | None = None


@frozen
class Approval:
    """A move that was reached and waits for an approval. `position` is the move's in the list of `trigger`; `payload`
    is what that trigger carried, for the guard that is asked again. The actor is whoever has settled it."""

    id: int
    task: str
    entry_id: int
    trigger: str
    position: int
    to: str
    status: Literal["pending", "approved", "rejected"] = "pending"
    payload: Mapping[str, Any] = field(default_factory=dict)
    actor_kind: ActorKind | None = None
    actor_id: str | None = None


@frozen
class EntryAction:
    """The durable record of one attempted action of an entry."""

    entry_id: int
    position: int
    kind: str
    status: str
    reason: str | None
    deliveries: int
    at: str


@frozen
class EntryRecord:
    """One entry as the ledger remembers it: its row, and the records of its actions by position."""

    row: HistoryRow
    actions: tuple[EntryAction, ...]
