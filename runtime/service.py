"""A program, a ledger and the host's ports to the calls that create, move and wake tasks.

The service itself only holds its parts and hands each call one frozen `Wiring` of them; the work is done by the modules
it delegates to.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from newel.compiler.program import Program
from newel.runtime.errors import NotWired
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.base import Ledger
from newel.runtime.operations import KeepsOperations
from newel.runtime.ports import Agents, Observer, Sessions
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
        self._wiring = Wiring(
            service=self,
            program=self._program,
            ledger=self._ledger,
            handlers=self._handlers or Handlers(),
            agents=self._agents,
            sessions=self._sessions,
            observer=self._observer,
            store=Store(self._ledger, self.operations),
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
