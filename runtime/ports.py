"""The doors to the host: agents, sessions, observers, and what their methods are handed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from newel.dsl.slotted import frozen
from newel.runtime.outcomes import EntryReport
from newel.runtime.rows import ActorKind

if TYPE_CHECKING:
    from newel.compiler.program import Action
    from newel.runtime.ledgers.base import Transaction
    from newel.runtime.service import Service


@frozen
class Actor:
    """Who caused something. `id` is opaque: never a name or free text."""

    kind: ActorKind = "unknown"
    id: str | None = None

    @classmethod
    def human(cls, id: str | None = None) -> Actor:  # noqa: A002 - the field's name
        """A person."""
        return cls("human", id)

    @classmethod
    def agent(cls, id: str | None = None) -> Actor:  # noqa: A002 - the field's name
        """An agent."""
        return cls("agent", id)

    @classmethod
    def system(cls, id: str | None = None) -> Actor:  # noqa: A002 - the field's name
        """The host itself."""
        return cls("system", id)

    @classmethod
    def integration(cls, id: str | None = None) -> Actor:  # noqa: A002 - the field's name
        """Another system."""
        return cls("integration", id)


@frozen
class Candidate:
    """An agent that may be seated. `created` orders candidates, with `id` behind it; any values of one kind do."""

    id: str
    created: Any = 0
    stopped: bool = False
    pending: bool = False


class Agents(Protocol):
    """Casting and targets. What a method raises is the failure of the action that asked."""

    def candidates(self, role: str) -> Sequence[Candidate]:
        """The agents that may play a role."""
        ...

    def runner(self, task: str) -> str | None:
        """The agent that works on a task, if any."""
        ...

    def target(self, task: str, name: str) -> str:
        """The agent behind a target's name (`primary`, `ceo_agent`, `code_reviewer`) for a task."""
        ...


@frozen
class Context:
    """What a handler knows of the moment it is called.

    `tx` is the open transaction, for database actions and guards only; `idempotency_key` is None where nothing
    is deduplicated. `position` counts in the whole compiled list, from 0.
    """

    task: str
    workflow: str
    step: str
    trigger: str
    payload: Mapping[str, Any]
    entry_id: int | None
    position: int
    operation_id: str
    idempotency_key: str | None
    session: str | None
    service: Service
    tx: Transaction | None = None


class Sessions(Protocol):
    """The session-shaped kinds, on entry and under other triggers."""

    def live(self, task: str) -> str | None:
        """The id of the task's live session, if it has one."""
        ...

    def run(self, session: str, action: Action, context: Context) -> None:
        """Run one action in a session; raise where it failed."""
        ...


class Observer(Protocol):
    """Whoever watches. What it raises never reaches a call."""

    def entry(self, report: EntryReport) -> None:
        """One entry was dispatched."""
        ...

    def count(self, name: str, labels: Mapping[str, str]) -> None:
        """Something happened once; labels come from closed sets."""
        ...
