"""A program, a ledger and the host's ports to the calls that create, move and wake tasks.

The service itself only holds its parts and hands each call one frozen `Wiring` of them; the work is done by the modules
it delegates to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Self

from newel.compiler.program import Program
from newel.runtime import board, writers
from newel.runtime.approving import approve, reject
from newel.runtime.arguments import checked
from newel.runtime.audit import Audit, audit
from newel.runtime.causes import Cause, cause
from newel.runtime.children import children_completed
from newel.runtime.deciding import decide
from newel.runtime.engine import Delivered, handle
from newel.runtime.entry import redispatch
from newel.runtime.errors import NotWired
from newel.runtime.guards import Guards
from newel.runtime.handlers import Handlers
from newel.runtime.immediate import Immediate
from newel.runtime.ledgers.base import Ledger
from newel.runtime.limits import Limits
from newel.runtime.machine import Machines
from newel.runtime.operations import KeepsOperations
from newel.runtime.outcomes import EntryReport, Outcome
from newel.runtime.ports import Actor, Agents, Observer, Sessions
from newel.runtime.pulling import pull, pull_into
from newel.runtime.rows import Approval, Decision, EntryRecord, HistoryRow, Run, Seat, Task
from newel.runtime.signals import Signals
from newel.runtime.store import Store
from newel.runtime.switching import switch
from newel.runtime.unwired import tell_stray, unwired, unwired_at
from newel.runtime.wiring import Wiring, alone


@checked
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

    @alone
    def set_program(self, program: Program) -> None:
        """Use another program from the next call on."""
        self._program = program
        self._rebuild()

    @alone
    def set_ledger(self, ledger: Ledger) -> None:
        """Use another ledger from the next call on."""
        self._ledger = ledger
        self._rebuild()

    @alone
    def set_handlers(self, handlers: Handlers | None) -> None:
        """Use other handlers from the next call on; None leaves only the standard ones."""
        self._handlers = handlers
        self._rebuild()

    @alone
    def set_agents(self, agents: Agents | None) -> None:
        """Ask other agents from the next call on."""
        self._agents = agents
        self._rebuild()

    @alone
    def set_sessions(self, sessions: Sessions | None) -> None:
        """Use other sessions from the next call on."""
        self._sessions = sessions
        self._rebuild()

    @alone
    def set_observer(self, observer: Observer | None) -> None:
        """Tell another observer from the next call on."""
        self._observer = observer
        self._rebuild()

    @property
    def program(self) -> Program:
        """The program that calls run now."""
        return self.wired().program

    # ---------------------------------------------------------------- arrivals

    def create(
        self,
        task: str,
        workflow: str,
        step: str | None = None,
        *,
        actor: Actor | None = None,
        priority: int | None = None,
        parent: str | None = None,
    ) -> Outcome:
        """A new task at a step, the workflow's start unless another is given. Raises `TaskExists`."""
        return writers.create(self.wired(), task, workflow, step, actor=actor, priority=priority, parent=parent)

    def move(
        self,
        task: str,
        to: str,
        *,
        actor: Actor | None = None,
        session: str | None = None,
        route: str = "manual_move",
        if_entry: int | None = None,
        over_limit: bool = False,
    ) -> Outcome:
        """Move a task to a step of its workflow; with `if_entry` only if it still is in that entry.

        Where the step is full the task waits for a place, unless it may go over the limit. `route` is what the row says
        of the way, one of those that stand with `UnknownRoute`.
        """
        return writers.move(
            self.wired(),
            task,
            to,
            actor=actor,
            session=session,
            route=route,
            if_entry=if_entry,
            over_limit=over_limit,
        )

    def move_many(
        self,
        moves: Iterable[tuple[str, str]],
        *,
        actor: Actor | None = None,
        session: str | None = None,
        route: str = "bulk_move",
    ) -> list[Outcome]:
        """Move (task, step) pairs in one transaction, all or none; then their entries run in that order."""
        return writers.move_many(self.wired(), moves, actor=actor, session=session, route=route)

    def switch(
        self,
        task: str,
        workflow: str,
        step: str | None = None,
        *,
        operation_id: str | None = None,
        actor: Actor | None = None,
        session: str | None = None,
    ) -> Outcome:
        """Take a task to another workflow, to its start step unless another is given; see `newel.runtime.switching`."""
        return switch(self.wired(), task, workflow, step, operation_id=operation_id, actor=actor, session=session)

    def detach(self, task: str, *, actor: Actor | None = None, session: str | None = None) -> Outcome:
        """Take a task out of its workflow. It is no arrival."""
        return writers.detach(self.wired(), task, actor=actor, session=session)

    def pull(self, workflow: str, step: str) -> tuple[Outcome, ...]:
        """Fill the free places of a step from those who wait for one, then from its feeder; the arrivals made."""
        return pull(self.wired(), workflow, step)

    def redispatch(self, entry_id: int) -> EntryReport:
        """Run a task's current entry again: what took effect stays as it is, what was lost or failed is run. Then the
        place that the arrival had freed is filled, if it is still free."""
        wiring = self.wired()
        report, left = redispatch(wiring, entry_id)
        pull_into(wiring, left)
        return report

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

    def children_completed(self, parent: str, *, actor: Actor | None = None) -> Outcome:
        """Run the parent's list once all its children have ended; see `newel.runtime.children`."""
        return children_completed(self.wired(), parent, actor=actor)

    def decide(
        self,
        task: str,
        *,
        role: str,
        decider: str,
        verdict: str,
        note: str | None = None,
        actor: Actor | None = None,
        if_entry: int | None = None,
    ) -> Outcome:
        """Record a decision at the task's step and take the move it lets through. A person is `Actor.human`."""
        return decide(
            self.wired(),
            task,
            role=role,
            decider=decider,
            verdict=verdict,
            note=note,
            actor=actor,
            if_entry=if_entry,
        )

    def approve(self, approval: int, *, actor: Actor | None = None) -> Outcome:
        """Take the move that waits for an approval; a task that has left the entry is `abandoned`."""
        return approve(self.wired(), approval, actor=actor)

    def reject(self, approval: int, *, actor: Actor | None = None) -> Outcome:
        """Settle an approval without its move, which is not asked for again under that entry."""
        return reject(self.wired(), approval, actor=actor)

    @staticmethod
    def cause(route: str | None = None, actor: Actor | None = None) -> AbstractContextManager[Cause]:
        """Put route and actor on every arrival made in the `with` block; of nested ones the outermost wins. The routes
        stand with `UnknownRoute`."""
        return cause(route, actor)

    # ---------------------------------------------------------------- what stands in the ledger

    def task(self, task: str) -> Task:
        """Where a task stands. Raises `UnknownTask`."""
        return board.task(self.wired(), task)

    def tasks(self) -> tuple[Task, ...]:
        """All tasks, by id."""
        return board.tasks(self.wired())

    def history(self, task: str) -> tuple[HistoryRow, ...]:
        """A task's rows, oldest first."""
        return board.history(self.wired(), task)

    def entry(self, entry_id: int) -> EntryRecord:
        """An entry's row and the records of its actions. Raises `NoSuchEntry`."""
        return board.entry(self.wired(), entry_id)

    def seats(self, task: str) -> tuple[Seat, ...]:
        """A task's own seats, by id."""
        return board.seats(self.wired(), task)

    def decisions(self, task: str) -> tuple[Decision, ...]:
        """All decisions on a task, the superseded ones too, by id."""
        return board.decisions(self.wired(), task)

    def approvals(self, task: str) -> tuple[Approval, ...]:
        """All approvals that a task's moves have asked for, the settled ones too, by id."""
        return board.approvals(self.wired(), task)

    def approval(self, approval: int) -> Approval:
        """One approval. Raises `NoSuchApproval`."""
        return board.approval(self.wired(), approval)

    def runs(self, task: str | None = None) -> tuple[Run, ...]:
        """The runs for a task, or all, by id."""
        return board.runs(self.wired(), task)

    def audit(self, limit: int | None = None) -> Audit:
        """Prove from the tables that the chain holds and every entry ran; with a limit, of the last rows only."""
        return audit(self.wired().ledger, limit)

    def unwired(self) -> tuple[str, ...]:
        """Kinds, guards, roles and targets that the program needs and nobody supplies."""
        return unwired(self.wired())

    def unwired_at(self, workflow: str, step: str) -> tuple[str, ...]:
        """The kinds that entering a step dispatches and that have no handler."""
        return unwired_at(self.wired(), workflow, step)

    # ---------------------------------------------------------------- seats, runs, upkeep

    def seat(
        self, task: str, *, step: str, role: str, agent: str, decision_required: bool = True, position: int = 0
    ) -> int:
        """Seat an agent at a step; one that sits there in that role is changed. The seat's id."""
        return board.seat(
            self.wired(),
            task,
            step=step,
            role=role,
            agent=agent,
            decision_required=decision_required,
            position=position,
        )

    def unseat(self, seat: int | str) -> None:
        """Remove a seat. Raises `NoSuchSeat`."""
        board.unseat(self.wired(), seat)

    def claim_runs(self, worker: str, limit: int = 1, lease: float = 60.0) -> tuple[Run, ...]:
        """Up to `limit` runs for a worker, the oldest first; after `lease` seconds others may claim them."""
        return board.claim_runs(self.wired(), worker, limit, lease)

    def finish_run(self, run: int, worker: str, error: str | None = None) -> None:
        """End a run the worker has claimed. Raises `NoSuchRun`."""
        board.finish_run(self.wired(), run, worker, error)

    def remove(self, task: str) -> None:
        """Remove a task and all that hangs on it; the place it leaves is filled."""
        wiring = self.wired()
        pull_into(wiring, board.remove(wiring, task))

    def reorder(self, task: str, position: int) -> None:
        """Give a task another position in its step. It is no arrival."""
        board.reorder(self.wired(), task, position)

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
        old, handlers = self._wiring, self._handlers or Handlers()
        same = old is not None and old.program is self._program
        if old is None or not same or old.handlers is not handlers:
            tell_stray(handlers, self._program)
        limits = Limits(self._program)
        self._wiring = Wiring(
            service=self,  # pyright: ignore[reportArgumentType] - the same class, by the path of its link
            program=self._program,
            ledger=self._ledger,
            handlers=handlers,
            agents=self._agents,
            sessions=self._sessions,
            observer=self._observer,
            store=Store(self._ledger, self.operations),
            machines=old.machines if old is not None and same else Machines(self._program),
            signals=Signals(self._program),
            limits=limits,
            immediate=Immediate(self._program, limits),
            guards=Guards(self._program, handlers),
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
