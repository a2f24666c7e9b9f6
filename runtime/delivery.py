"""One trigger's list on one task: what running an action, asking a guard and making the move come to there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from newel.compiler.program import Action, Guard, Move, Statement
from newel.runtime.asking import NO_ANSWERS
from newel.runtime.errors import ActionNotYetWired, Contended, LedgerUnavailable, PayloadError
from newel.runtime.ledgers.base import Reading, Transaction
from newel.runtime.observing import Note
from newel.runtime.outcomes import GuardReport, SessionActionReport
from newel.runtime.quorum import Ruling
from newel.runtime.retrying import besides
from newel.runtime.rows import Approval
from newel.runtime.running import Moment, Nature
from newel.runtime.standard import failure
from newel.runtime.unit import AbandonedError, ClosedError, Unit

EARLIER = "what the list did before this transaction is committed and stays done"


class Delivery:
    """The state of one call. Its methods are what the machine's cursor calls."""

    __slots__ = (
        "_answers",
        "_asked",
        "_guards",
        "_items",
        "_moment",
        "_notes",
        "_stale",
        "_stored",
        "_unit",
        "approvals",
        "guards",
        "left",
        "notes",
        "session_actions",
        "waits",
    )

    def __init__(self, moment: Moment, items: Sequence[Statement], unit: Unit) -> None:
        self._moment, self._items, self._unit = moment, items, unit
        self._guards = moment.wiring.guards
        self._answers = NO_ANSWERS
        self._asked: tuple[int, str, Guard] | None = None  # the guard that let the move through
        self._stale = False  # whether outside code has run since it did
        self.guards: list[GuardReport] = []
        self.approvals: list[Approval] = []
        self.left = False  # whether outside code has run: then the call is not done anew
        self._stored = 0  # how many of them are committed
        self.waits = False  # whether a move waits for an approval, stored or not
        self.session_actions: list[SessionActionReport] = []
        self.notes: list[Note] = []
        self._notes: list[Note] = []  # those of what is not committed yet

    # ---------------------------------------------------------------- actions

    def run(self, position: int, action: Action) -> None:
        """Run one action. What it raises passes as it is, with a note of where the action stands."""
        try:
            self._WAYS[self._moment.nature(action)](self, position, action)
        except AbandonedError:
            raise
        except Exception as error:
            self._note(error, position, action)
            raise

    def _note(self, error: Exception, position: int, item: Statement) -> None:
        error.add_note(f"in {item.kind}, at position {position} on {self._moment.trigger} at {self._moment.step}")

    def _in_database(self, position: int, action: Action) -> None:
        note = self._moment.stopping(self._begin(position), position, action, self._answers)
        if note is not None:
            self._notes.append(note)
        self._unit.check()

    def _outside(self, position: int, action: Action) -> None:
        self.leave()
        self._moment.outside(position, action)

    def _in_session(self, position: int, action: Action) -> None:
        self.leave()
        self.session_actions.append(self._moment.in_session(position, action))

    def _unwired(self, position: int, action: Action) -> None:  # noqa: ARG002 - the shape of all four
        raise ActionNotYetWired(f"{action.kind} has no handler yet")

    _WAYS: ClassVar[dict[Nature, Callable[[Delivery, int, Action], None]]] = {
        Nature.DATABASE: _in_database,
        Nature.OUTSIDE: _outside,
        Nature.SESSION: _in_session,
        Nature.UNWIRED: _unwired,
    }

    def leave(self) -> None:
        """Commit what is open: outside code is about to run, and what a guard has said may be over after it."""
        # What begins outside is refused where a transaction is open around the call, as all else is.
        if not self._unit.begun:
            self._unit.begin()
        self.flush()
        self.left = self._stale = True

    def flush(self) -> None:
        """Commit what is open, after which what was done in it can be told."""
        self._unit.flush()
        self.committed()

    def committed(self) -> None:
        """Keep what is to be told of actions whose transaction is committed."""
        self._stored = len(self.approvals)
        self.notes += self._notes
        self._notes.clear()

    def failed(self, error: LedgerUnavailable) -> LedgerUnavailable:
        """What a transaction that failed raises: itself where all can be done anew, and told then; else with what stays
        done of the call."""
        if self.left:
            told = LedgerUnavailable(*error.args) if isinstance(error, Contended) else error
            besides(told, EARLIER)
            return told
        if isinstance(error, Contended):
            self.guards.clear()
        return error

    def _begin(self, position: int) -> Transaction:
        """The open transaction. Before one is opened, the agents are asked what its actions will need of them."""
        if self._unit.tx is None:
            due = self._next_in_database(position)
            self._answers = self._moment.ask(due) if due else NO_ANSWERS
        return self._unit.begin()

    def _next_in_database(self, position: int) -> list[Action]:
        found: list[Action] = []
        for item in self._items[position:]:
            if isinstance(item, Action):
                if self._moment.nature(item) is not Nature.DATABASE:
                    break
                found.append(item)
        return found

    # ---------------------------------------------------------------- guards

    def holds(self, position: int, to: str, guard: Guard) -> bool:
        """Whether the guard of the move to `to` holds, in the transaction that would commit the move."""
        return self.holds_in(self._begin(position), position, to, guard)

    def holds_in(self, view: Reading, position: int, to: str, guard: Guard) -> bool:
        """Whether a guard holds by what a view shows; if not, why not is kept."""
        if not self._open(view, position, to, guard):
            return False
        self._asked, self._stale = (position, to, guard), False
        return True

    def _open(self, view: Reading, position: int, to: str, guard: Guard) -> bool:
        ruling = self._ask(view, position, guard)
        if ruling.reason is not None:
            self.guards.append(GuardReport(to, ruling.reason, ruling.required, ruling.received))
        return ruling.reason is None

    def recheck(self, tx: Transaction) -> None:
        """Read the guard of the move again where outside code has run since. Raises where it no longer holds."""
        if self._stale and self._asked is not None and not self._open(tx, *self._asked):
            raise ClosedError

    def _ask(self, view: Reading, position: int, guard: Guard) -> Ruling:
        # A guard only reads, so that for it a view is as good as a transaction.
        context = self._moment.context(position, view)  # type: ignore[arg-type]  # see above
        return self._guards.ask(guard, view, context)

    # ---------------------------------------------------------------- approvals

    def wait(self, position: int, move: Move) -> None:
        """Store a move that is reached and requires approval as pending, once for its entry, if its guard holds."""
        tx = self._begin(position)
        if not self._reached(tx, position, move):
            return
        moment, entry = self._moment, self._moment.entry_id
        assert entry is not None  # noqa: S101 - a task whose step has a list stands in an entry
        try:
            stored = tx.add_approval(moment.task, entry, moment.trigger, position, to=move.to, payload=moment.payload)
        except (TypeError, ValueError, RecursionError) as error:
            refused = PayloadError(f"the payload cannot be kept until the move is approved: {failure(error)}")
            self._note(refused, position, move)
            raise refused from error
        self._heard(stored)

    def wait_in(self, view: Reading, position: int, move: Move) -> None:
        """What `wait` would come to, with nothing stored."""
        if not self._reached(view, position, move):
            return
        at = (self._moment.entry_id, self._moment.trigger, position)
        stored = [a for a in view.approvals(self._moment.task) if (a.entry_id, a.trigger, a.position) == at]
        self.waits = self.waits or not stored
        for approval in stored:
            self._heard(approval)

    def taken_back(self) -> None:
        """Forget the approvals of a transaction that was rolled back."""
        del self.approvals[self._stored :]

    def _reached(self, view: Reading, position: int, move: Move) -> bool:
        return move.guard is None or self._open(view, position, move.to, move.guard)

    def _heard(self, approval: Approval) -> None:
        self.approvals.append(approval)
        self.waits = self.waits or approval.status == "pending"
