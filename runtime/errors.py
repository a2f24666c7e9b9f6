"""What is wrong with a call, or with the world. Every one is a `NewelError`; its docstring is its message."""

from __future__ import annotations

from newel.compiler.errors import BadArgument, BlankOperation, CompileError, NewelError, UnknownTrigger, UnknownWorkflow

__all__ = [
    "ActionNotYetWired",
    "BadArgument",
    "BlankOperation",
    "CompileError",
    "Contended",
    "EntryTrigger",
    "HandlerRefused",
    "InsideTransaction",
    "LedgerUnavailable",
    "NewelError",
    "NoSuchApproval",
    "NoSuchEntry",
    "NoSuchRun",
    "NoSuchSeat",
    "NotAnActor",
    "NotByHand",
    "NotSupported",
    "NotWired",
    "PayloadError",
    "RevisionUnknown",
    "SchemaTooNew",
    "SchemaTooOld",
    "StatementRefused",
    "StepGone",
    "TaskExists",
    "TooDeep",
    "UnknownRole",
    "UnknownRoute",
    "UnknownStep",
    "UnknownTask",
    "UnknownTrigger",
    "UnknownWorkflow",
    "WrongProcess",
]


class UnknownTask(NewelError):
    """No task of that id is in the ledger."""


class TaskExists(NewelError):
    """A task of that id is in the ledger already."""


class UnknownRole(NewelError):
    """The program's roles are others."""


class UnknownRoute(NewelError):
    """No route of that name exists."""


class UnknownStep(NewelError):
    """The workflow has no step of that name."""


class PayloadError(NewelError):
    """The payload does not fit what the trigger declares."""


class EntryTrigger(NewelError):
    """`enter` and `exit` run by themselves when a task moves; move the task, or `redispatch` its entry."""


class HandlerRefused(NewelError):
    """A handler is a plain function, and a kind or guard has one."""


class NoSuchEntry(NewelError):
    """No row of that id in the ledger names a destination."""


class NoSuchApproval(NewelError):
    """No approval has that id."""


class NoSuchSeat(NewelError):
    """No seat has that id."""


class NoSuchRun(NewelError):
    """No claimed run of this worker has that id."""


class NotAnActor(BadArgument):
    """An actor is an `Actor`: `Actor.human("ada")`, `Actor.agent("coder")`, `Actor.system()`."""


class NotByHand(NewelError):
    """The step does not take tasks by hand; another route leads there."""


class StepGone(NewelError):
    """The program no longer has the step where the task stands; move the task away: `newel task move TASK STEP`."""


class ActionNotYetWired(NewelError):
    """A kind has no handler yet; nothing was marked as applied, so the delivery can be made again."""


class NotWired(NewelError):
    """The service lacks a part that this call needs; give it with one of its setters."""


class NotSupported(NewelError):
    """The program uses something this version does not run."""


class InsideTransaction(NewelError):
    """A database action may not move a task or open a transaction: its own would wait for itself."""


class StatementRefused(NewelError):
    """A statement of an action changes data, and not the connection: that serves others afterwards."""


class TooDeep(NewelError):
    """Arrivals caused by entry actions nest more than eight deep; the move was not made."""


class RevisionUnknown(NewelError):
    """The ledger does not hold the program under which that entry was made."""


class SchemaTooOld(NewelError):
    """The ledger's schema is older than this version; run `newel ledger migrate`, or open it with `migrate=True`."""


class SchemaTooNew(NewelError):
    """The ledger's schema is newer than this version; use the version of Newel that made it, or a later one."""


class LedgerUnavailable(NewelError):
    """The ledger's database did not answer or refused; nothing of this transaction was committed."""


class Contended(LedgerUnavailable):
    """The transaction stood in another's way and was given up; nothing of it took effect, and a retry may succeed."""


class WrongProcess(NewelError):
    """A ledger that was open at a fork is not the child's; close it before, or start the process anew (`spawn`)."""
