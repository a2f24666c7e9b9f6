"""A program, a ledger and the host's ports to the calls that create, move and wake tasks.

The service itself only holds its parts and hands each call one frozen `Wiring` of them; the work is done by the modules
it delegates to.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Self

from newel.compiler.program import Program
from newel.runtime.causes import Cause, cause
from newel.runtime.engine import Delivered, handle
from newel.runtime.errors import NotWired
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.base import Ledger
from newel.runtime.machine import Machines
from newel.runtime.operations import KeepsOperations
from newel.runtime.outcomes import Outcome
from newel.runtime.ports import Actor, Agents, Observer, Sessions
from newel.runtime.store import Store
from newel.runtime.wiring import Wiring


class Service(KeepsOperations):
    """Runs one program on one ledger. Share it among threads; make it after a fork."""

    # On the class, so that a service that came to be without `__init__` is empty rather than broken.
    _program: Program | None = None
    _ledger: Ledger | None = None
    _handlers: Handlers | None = None
    _agents: Agents | None = None
    _sessions: Sessions | None = None
    _observer: Observer | None = None
    _wiring: Wiring | None = None

    def __init__(
        self,
        program: Program,
        ledger: Ledger,
        handlers: Handlers | None = None,
        agents: Agents | None = None,
        sessions: Sessions | None = None,
        observer: Observer | None = None,
    ) -> None:
        self._program, self._ledger, self._handlers = program, ledger, handlers
        self._agents, self._sessions, self._observer = agents, sessions, observer
        self._rebuild()

    def set_program(self, program: Program) -> None:
        """Use another program from the next call on."""
        self._program = program
        self._rebuild()

    def set_ledger(self, ledger: Ledger) -> None:
        """Use another ledger from the next call on."""
        self._ledger = ledger
        self._rebuild()

    def set_handlers(self, handlers: Handlers | None) -> None:
        """Use other handlers from the next call on; None leaves only the standard ones."""
        self._handlers = handlers
        self._rebuild()

    def set_agents(self, agents: Agents | None) -> None:
        """Ask other agents from the next call on."""
        self._agents = agents
        self._rebuild()

    def set_sessions(self, sessions: Sessions | None) -> None:
        """Use other sessions from the next call on."""
        self._sessions = sessions
        self._rebuild()

    def set_observer(self, observer: Observer | None) -> None:
        """Tell another observer from the next call on."""
        self._observer = observer
        self._rebuild()

    # ---------------------------------------------------------------- triggers and decisions

    def handle(
        self,
        task: str,
        trigger: str,
        *,
        session: str | None = None,
        payload: Mapping[str, Any] | None = None,
        operation_id: str | None = None,
        actor: Actor | None = None,
        signalled: bool = False,
        evaluate_only: bool = False,
        defer_operation_mark: bool = False,
    ) -> Outcome:
        """Run a trigger's list at the task's step; see `newel.runtime.engine.handle`."""
        call = Delivered(session, payload, operation_id, actor, signalled, evaluate_only, defer_operation_mark)
        return handle(self.wired(), task, trigger, call)

    @staticmethod
    def cause(route: str | None = None, actor: Actor | None = None) -> AbstractContextManager[Cause]:
        """Put route and actor on every arrival made in the `with` block; of nested ones the outermost wins."""
        return cause(route, actor)

    # ---------------------------------------------------------------- the wiring

    def wired(self) -> Wiring:
        """What a call works with. Raises `NotWired` where the program or the ledger is missing."""
        wiring = self._wiring
        if wiring is None:
            missing = "program" if self._program is None else "ledger"
            raise NotWired(f"the service has no {missing}; give it one with set_{missing}")
        return wiring

    def _rebuild(self) -> None:
        if self._program is None or self._ledger is None:
            return
        old = self._wiring
        same = old is not None and old.program is self._program
        self._wiring = Wiring(
            service=self,
            program=self._program,
            ledger=self._ledger,
            handlers=self._handlers or Handlers(),
            agents=self._agents,
            sessions=self._sessions,
            observer=self._observer,
            store=Store(self._ledger, self.operations),
            machines=old.machines if old is not None and same else Machines(self._program),
        )

    def close(self) -> None:
        """Close the ledger."""
        if self._ledger is not None:
            self._ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
