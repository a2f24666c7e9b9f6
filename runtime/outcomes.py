"""What a call did: the outcome of a move, the report of an entry, and why a guard did not let a move through."""

from __future__ import annotations

from enum import StrEnum

from newel.dsl.slotted import frozen


class OutcomeKind(StrEnum):
    """Everything a call that may change a task's step can end in."""

    MOVED = "moved"
    STAYED = "stayed"
    ALREADY_THERE = "already_there"
    QUEUED = "queued"
    PENDING_APPROVAL = "pending_approval"
    ABANDONED = "abandoned"
    IDEMPOTENT = "idempotent"


class ActionStatus(StrEnum):
    """What became of a dispatched action of an entry list.

    `unchanged`: there was nothing to do. `redelivered`: its effect for this entry was there already. `superseded`: the
    task has left the entry.
    """

    APPLIED = "applied"
    UNCHANGED = "unchanged"
    REDELIVERED = "redelivered"
    FAILED = "failed"
    SUPERSEDED = "superseded"


class SessionStatus(StrEnum):
    """What became of an action of the session's half."""

    RAN = "ran"
    FAILED = "failed"
    NO_SESSION = "no_session"
    IN_TURN = "in_turn"


class GuardReason(StrEnum):
    """Why a guard did not let a move through."""

    STORE_UNWIRED = "store_unwired"
    EVALUATION_ERROR = "evaluation_error"
    SLATE_EMPTY = "slate_empty"
    THRESHOLD_UNSATISFIABLE = "threshold_unsatisfiable"
    THRESHOLD_NOT_MET = "threshold_not_met"
    NOT_FULFILLED = "not_fulfilled"


@frozen
class GuardReport:
    """A move that was not taken: where it leads and why its guard did not hold.

    `required` and `received` count seats or decisions; None for a guard that counts nothing.
    """

    to: str
    reason: GuardReason
    required: int | None = None
    received: int | None = None


@frozen
class ActionReport:
    """What became of one dispatched action; `reason` says why it failed, or what it did beside the ordinary."""

    kind: str
    position: int
    status: ActionStatus
    reason: str | None = None


@frozen
class SessionActionReport:
    """What became of one action of the session's half."""

    kind: str
    position: int
    status: SessionStatus
    reason: str | None = None


@frozen
class EntryReport:
    """What the dispatch of one entry did. `actions` is empty where the step declares no dispatched kinds."""

    entry_id: int
    task: str
    step: str
    redelivery: bool = False
    superseded: bool = False
    actions: tuple[ActionReport, ...] = ()
    session_actions: tuple[SessionActionReport, ...] = ()


@frozen
class Outcome:
    """What a call did. It names its own row; where the task stands now is `Service.task`.

    `entry` is the report of the row this call committed, None where it committed none. `guards` says for each move not
    taken why; `pending` are ids of approvals; `pulled` the arrivals in the place that was freed. `reason` tells a
    `stayed` apart where more than one thing leads to it (`not_signalled`, `stands_nowhere`). `session_actions` are
    those of the trigger's own list, `actions` its database actions of which there is something to say: they found
    nobody, or made do; `exit_actions` are both of the exit list. An entry's are in its report.
    """

    kind: OutcomeKind
    from_step: str | None = None
    to_step: str | None = None
    entry: EntryReport | None = None
    guards: tuple[GuardReport, ...] = ()
    pending: tuple[int, ...] = ()
    pulled: tuple[Outcome, ...] = ()
    decision_id: int | None = None
    reason: str | None = None
    evaluated: bool = False
    session_actions: tuple[SessionActionReport, ...] = ()
    exit_actions: tuple[SessionActionReport | ActionReport, ...] = ()
    actions: tuple[ActionReport, ...] = ()

    @property
    def moved(self) -> bool:
        """Whether this call changed the task's step; false where it only computed what would happen."""
        return self.kind is OutcomeKind.MOVED and not self.evaluated


def entered(outcome: Outcome, entry: EntryReport, pulled: tuple[Outcome, ...] = ()) -> Outcome:
    """The outcome once its entry has run and its place is refilled: in a third of the time that `replace` takes."""
    return Outcome(
        outcome.kind,
        outcome.from_step,
        outcome.to_step,
        entry,
        outcome.guards,
        outcome.pending,
        pulled,
        outcome.decision_id,
        outcome.reason,
        outcome.evaluated,
        outcome.session_actions,
        outcome.exit_actions,
        outcome.actions,
    )
