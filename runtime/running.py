"""One action, in one moment, to what it did. What all triggers share: they differ in what a failure stops."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import Enum, auto
from types import MappingProxyType
from typing import Any

from newel.compiler.program import Action, Program
from newel.dsl.slotted import settled
from newel.runtime.asking import Answers, Question, ask
from newel.runtime.errors import ActionNotYetWired, NewelError
from newel.runtime.ledgers.base import Transaction
from newel.runtime.observing import Note, noted
from newel.runtime.outcomes import ActionReport, ActionStatus, SessionActionReport, SessionStatus
from newel.runtime.ports import Context
from newel.runtime.standard import APPLIED, STANDARD, Effect, Work
from newel.runtime.wiring import Wiring

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""The payload of a trigger that carries none."""


class Nature(Enum):
    """Where an action runs."""

    DATABASE = auto()
    OUTSIDE = auto()
    SESSION = auto()
    UNWIRED = auto()


def nature(wiring: Wiring, program: Program, kind: str, trigger: str) -> Nature:
    """Where the actions of a kind run under a trigger. On entry the session's half is not asked about here."""
    if trigger != "enter" and in_session(program, kind):
        return Nature.SESSION
    handler = wiring.handlers.find(kind)
    if handler is not None:
        return Nature.DATABASE if handler.database else Nature.OUTSIDE
    return Nature.DATABASE if kind in STANDARD else Nature.UNWIRED


def in_session(program: Program, kind: str) -> bool:
    """Whether the actions of a kind run in the task's live session under other triggers than entry."""
    definition = program.kind(kind)
    return definition.owner == "exclude" or definition.mark("session") is not None


@settled
class Moment:
    """What all actions of one list have in common: which task, where, why, and under which entry.

    `program` is the one whose list is run: not the service's own where an old entry is dispatched again.
    """

    wiring: Wiring
    program: Program
    task: str
    workflow: str
    step: str
    trigger: str
    entry_id: int | None
    payload: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    operation_id: str = ""
    session: str | None = None

    def context(self, position: int, tx: Transaction | None = None) -> Context:
        """What a handler is told."""
        return Context(
            self.task,
            self.workflow,
            self.step,
            self.trigger,
            self.payload,
            self.entry_id,
            position,
            self.operation_id,
            self._key(position),
            self.session,
            self.wiring.service,
            tx,
        )

    def _key(self, position: int) -> str | None:
        """The key of an action's effect outside: with the ledger in it, since the entries of two ledgers are alike."""
        if self.trigger == "enter":
            return f"{self.wiring.ledger.uuid}:{self.entry_id}:{position}"
        if not self.operation_id:
            return None
        return f"{self.wiring.ledger.uuid}:{self.operation_id}:{self.entry_id}:{position}"

    def nature(self, action: Action) -> Nature:
        """Where an action of this list runs."""
        return nature(self.wiring, self.program, action.kind, self.trigger)

    def ask(self, actions: Iterable[Action]) -> Answers:
        """Ask the agents port what the standard ones among these actions will need. To be called with nothing open."""
        return ask(self.wiring.agents, (q for a in actions for q in self.questions(a)))

    def questions(self, action: Action) -> tuple[Question, ...]:
        """What an action will need to know of the agents port."""
        if action.kind not in STANDARD or self.wiring.handlers.find(action.kind) is not None:
            return ()
        return tuple(STANDARD[action.kind].questions(action, self.task))

    def in_database(self, tx: Transaction, position: int, action: Action, answers: Answers) -> Effect:
        """Run a database action in an open transaction. What it raises passes; the savepoint is the caller's."""
        context = self.context(position, tx)
        handler = self.wiring.handlers.find(action.kind)
        if handler is not None:
            _done(handler.function(action, context))
            return APPLIED
        return STANDARD[action.kind].run(action, Work(tx, self.program, context, answers))

    def stopping(self, tx: Transaction, position: int, action: Action, answers: Answers) -> Note | None:
        """Run a database action of a list that stops at its first failure, which is raised here; what else there is to
        say of it, to be told once it is committed."""
        effect = self.in_database(tx, position, action, answers)
        if effect.reason is None:
            return None
        note = Note(ActionReport(action.kind, position, effect.status, effect.reason), effect.casting)
        if effect.status is ActionStatus.FAILED:
            self.tell((note,))
            raise effect.error or NewelError(effect.reason)
        return note

    def tell(self, notes: Iterable[Note]) -> None:
        """Tell whoever watches what the actions of this list did beside the ordinary."""
        noted(self.wiring.observer, self.task, self.step, self.trigger, notes)

    def outside(self, position: int, action: Action) -> None:
        """Run an outside action, with nothing open. What it raises passes; `ActionNotYetWired` without a handler."""
        handler = self.wiring.handlers.find(action.kind)
        if handler is None:
            raise ActionNotYetWired(f"{action.kind} has no handler")
        _done(handler.function(action, self.context(position)))

    def in_session(self, position: int, action: Action) -> SessionActionReport:
        """Run an action in the task's live session, with no transaction open; without one it is passed over."""
        live = self.live()
        if live is None:
            return SessionActionReport(action.kind, position, SessionStatus.NO_SESSION)
        self.run_in(live, position, action)
        return SessionActionReport(action.kind, position, SessionStatus.RAN)

    def live(self) -> str | None:
        """The task's live session; a blank one is none. What the port raises passes."""
        sessions = self.wiring.sessions
        live: object = None if sessions is None else sessions.live(self.task)
        _done(live)
        if live is not None and not isinstance(live, str):
            raise TypeError(f"a session's id is a text, not {live!r}")
        return live or None

    def run_in(self, session: str, position: int, action: Action) -> None:
        """Run an action in a session that is live, with no transaction open. What the port raises passes."""
        sessions: Any = self.wiring.sessions  # there is a port, which named the session; its answer is looked at
        _done(sessions.run(session, action, self.context(position)))


def _done(answer: object) -> None:
    """What a handler gave back must not be something that has yet to run."""
    if inspect.isgenerator(answer) or inspect.isasyncgen(answer):
        raise TypeError("the handler returned a generator: it has not run")
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise TypeError("the handler returned something to be awaited: it has not run")
