"""A task about to leave its step, to that step's exit list run: the outside actions first, then the database ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from newel.compiler.program import Action
from newel.runtime.asking import NO_ANSWERS
from newel.runtime.errors import LedgerUnavailable
from newel.runtime.ledgers.base import Transaction
from newel.runtime.nesting import check_depth, deeper
from newel.runtime.observing import Note
from newel.runtime.outcomes import ActionReport, SessionActionReport
from newel.runtime.rows import Task
from newel.runtime.running import Moment, Nature
from newel.runtime.wiring import Wiring

Positioned = tuple[int, Action]


class Leaving:
    """The exit list of one departure. The first failure stops it and passes, so that the task stays.

    `outside()` must have run before `database(tx)` if `waits`; it opens no transaction and expects none. A task that
    stands nowhere, or at a step the program no longer has, has no list.
    """

    __slots__ = ("_answers", "_database", "_moment", "_notes", "_outside", "entry_id", "session_actions", "task")

    def __init__(self, wiring: Wiring, task: Task, session: str | None = None, operation_id: str = "") -> None:
        self.task, self.entry_id = task.id, task.entry_id
        self.session_actions: tuple[SessionActionReport, ...] = ()
        self._answers = NO_ANSWERS
        self._notes: list[Note] = []
        self._outside: Sequence[Positioned] = ()
        self._database: Sequence[Positioned] = ()
        items = _list(wiring, task)
        if items:
            self._moment = Moment(
                wiring,
                wiring.program,
                task.id,
                task.workflow or "",
                task.step or "",
                "exit",
                task.entry_id,
                operation_id=operation_id,
                session=session,
            )
            inside = [self._moment.nature(action) is Nature.DATABASE for _, action in items]
            self._database = [item for item, database in zip(items, inside, strict=True) if database]
            self._outside = [item for item, database in zip(items, inside, strict=True) if not database]

    @property
    def waits(self) -> bool:
        """Whether something must run before the transaction begins: an outside action, or a question to a port."""
        if not self._database:
            return bool(self._outside)
        return bool(self._outside) or any(self._moment.questions(action) for _, action in self._database)

    def outside(self) -> None:
        """Run the outside actions, those of the session among them, and ask the agents port for the others."""
        check_depth()
        with deeper():
            for position, action in self._outside:
                with self._noted(position, action):
                    self._run_outside(position, action)
        if self._database:
            self._answers = self._moment.ask(action for _, action in self._database)

    def _run_outside(self, position: int, action: Action) -> None:
        if self._moment.nature(action) is Nature.SESSION:
            self.session_actions += (self._moment.in_session(position, action),)
        else:
            self._moment.outside(position, action)

    def database(self, tx: Transaction) -> None:
        """Run the database actions in the transaction of the move."""
        self._notes.clear()  # an attempt before this one was not committed
        for position, action in self._database:
            with self._noted(position, action):
                note = self._moment.stopping(tx, position, action, self._answers)
                if note is not None:
                    self._notes.append(note)
                if not tx.active:
                    raise LedgerUnavailable("the action ended the transaction; nothing of it took effect")

    def told(self) -> tuple[SessionActionReport | ActionReport, ...]:
        """What became of the list, now that the move is committed; what was beside the ordinary is told."""
        if not self._notes:
            return self.session_actions
        self._moment.tell(self._notes)
        return (*self.session_actions, *(note.report for note in self._notes))

    @contextmanager
    def _noted(self, position: int, action: Action) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            error.add_note(f"in {action.kind}, at position {position} on exit at {self._moment.step}")
            raise


def _list(wiring: Wiring, task: Task) -> Sequence[Positioned]:
    lists = wiring.lists_at(task.workflow or "", task.step or "")
    items = lists.get("exit") if lists else None
    return [(n, item) for n, item in enumerate(items) if isinstance(item, Action)] if items else ()
