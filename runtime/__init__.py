"""Arrivals against a ledger: service, engine, step entry, ledgers, guards and operations.

Names are resolved on first use, so that a command that touches no ledger loads none of this.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newel.runtime.audit import Audit as Audit
    from newel.runtime.audit import AuditItem as AuditItem
    from newel.runtime.audit import AuditKind as AuditKind
    from newel.runtime.casting import StaticAgents as StaticAgents
    from newel.runtime.errors import ActionNotYetWired as ActionNotYetWired
    from newel.runtime.errors import BadArgument as BadArgument
    from newel.runtime.errors import BlankOperation as BlankOperation
    from newel.runtime.errors import CompileError as CompileError
    from newel.runtime.errors import Contended as Contended
    from newel.runtime.errors import EntryTrigger as EntryTrigger
    from newel.runtime.errors import HandlerRefused as HandlerRefused
    from newel.runtime.errors import InsideTransaction as InsideTransaction
    from newel.runtime.errors import LedgerUnavailable as LedgerUnavailable
    from newel.runtime.errors import NewelError as NewelError
    from newel.runtime.errors import NoSuchApproval as NoSuchApproval
    from newel.runtime.errors import NoSuchEntry as NoSuchEntry
    from newel.runtime.errors import NoSuchRun as NoSuchRun
    from newel.runtime.errors import NoSuchSeat as NoSuchSeat
    from newel.runtime.errors import NotAnActor as NotAnActor
    from newel.runtime.errors import NotByHand as NotByHand
    from newel.runtime.errors import NotSupported as NotSupported
    from newel.runtime.errors import NotWired as NotWired
    from newel.runtime.errors import PayloadError as PayloadError
    from newel.runtime.errors import RevisionUnknown as RevisionUnknown
    from newel.runtime.errors import SchemaTooNew as SchemaTooNew
    from newel.runtime.errors import SchemaTooOld as SchemaTooOld
    from newel.runtime.errors import StatementRefused as StatementRefused
    from newel.runtime.errors import StepGone as StepGone
    from newel.runtime.errors import TaskExists as TaskExists
    from newel.runtime.errors import TooDeep as TooDeep
    from newel.runtime.errors import UnknownRole as UnknownRole
    from newel.runtime.errors import UnknownRoute as UnknownRoute
    from newel.runtime.errors import UnknownStep as UnknownStep
    from newel.runtime.errors import UnknownTask as UnknownTask
    from newel.runtime.errors import UnknownTrigger as UnknownTrigger
    from newel.runtime.errors import UnknownWorkflow as UnknownWorkflow
    from newel.runtime.errors import WrongProcess as WrongProcess
    from newel.runtime.handlers import Handlers as Handlers
    from newel.runtime.ledgers.base import CONTRACT_VERSION as CONTRACT_VERSION
    from newel.runtime.ledgers.base import Ledger as Ledger
    from newel.runtime.ledgers.base import Reading as Reading
    from newel.runtime.ledgers.base import Stray as Stray
    from newel.runtime.ledgers.base import Transaction as Transaction
    from newel.runtime.ledgers.opening import open_ledger as open_ledger
    from newel.runtime.outcomes import ActionReport as ActionReport
    from newel.runtime.outcomes import ActionStatus as ActionStatus
    from newel.runtime.outcomes import EntryReport as EntryReport
    from newel.runtime.outcomes import GuardReason as GuardReason
    from newel.runtime.outcomes import GuardReport as GuardReport
    from newel.runtime.outcomes import Outcome as Outcome
    from newel.runtime.outcomes import OutcomeKind as OutcomeKind
    from newel.runtime.outcomes import SessionActionReport as SessionActionReport
    from newel.runtime.outcomes import SessionStatus as SessionStatus
    from newel.runtime.ports import Actor as Actor
    from newel.runtime.ports import Agents as Agents
    from newel.runtime.ports import Candidate as Candidate
    from newel.runtime.ports import Context as Context
    from newel.runtime.ports import Observer as Observer
    from newel.runtime.ports import Sessions as Sessions
    from newel.runtime.rows import ActorKind as ActorKind
    from newel.runtime.rows import Approval as Approval
    from newel.runtime.rows import Decision as Decision
    from newel.runtime.rows import EntryAction as EntryAction
    from newel.runtime.rows import EntryRecord as EntryRecord
    from newel.runtime.rows import HistoryRow as HistoryRow
    from newel.runtime.rows import Run as Run
    from newel.runtime.rows import Seat as Seat
    from newel.runtime.rows import Task as Task
    from newel.runtime.service import Service as Service

_HOMES = {
    "ActionNotYetWired": "newel.runtime.errors",
    "ActionReport": "newel.runtime.outcomes",
    "ActionStatus": "newel.runtime.outcomes",
    "Actor": "newel.runtime.ports",
    "ActorKind": "newel.runtime.rows",
    "Agents": "newel.runtime.ports",
    "Approval": "newel.runtime.rows",
    "Audit": "newel.runtime.audit",
    "AuditItem": "newel.runtime.audit",
    "AuditKind": "newel.runtime.audit",
    "BadArgument": "newel.runtime.errors",
    "BlankOperation": "newel.runtime.errors",
    "CONTRACT_VERSION": "newel.runtime.ledgers.base",
    "Candidate": "newel.runtime.ports",
    "CompileError": "newel.runtime.errors",
    "Contended": "newel.runtime.errors",
    "Context": "newel.runtime.ports",
    "Decision": "newel.runtime.rows",
    "EntryAction": "newel.runtime.rows",
    "EntryRecord": "newel.runtime.rows",
    "EntryReport": "newel.runtime.outcomes",
    "EntryTrigger": "newel.runtime.errors",
    "GuardReason": "newel.runtime.outcomes",
    "GuardReport": "newel.runtime.outcomes",
    "HandlerRefused": "newel.runtime.errors",
    "Handlers": "newel.runtime.handlers",
    "HistoryRow": "newel.runtime.rows",
    "InsideTransaction": "newel.runtime.errors",
    "Ledger": "newel.runtime.ledgers.base",
    "LedgerUnavailable": "newel.runtime.errors",
    "NewelError": "newel.runtime.errors",
    "NoSuchApproval": "newel.runtime.errors",
    "NoSuchEntry": "newel.runtime.errors",
    "NoSuchRun": "newel.runtime.errors",
    "NoSuchSeat": "newel.runtime.errors",
    "NotAnActor": "newel.runtime.errors",
    "NotByHand": "newel.runtime.errors",
    "NotSupported": "newel.runtime.errors",
    "NotWired": "newel.runtime.errors",
    "Observer": "newel.runtime.ports",
    "Outcome": "newel.runtime.outcomes",
    "OutcomeKind": "newel.runtime.outcomes",
    "PayloadError": "newel.runtime.errors",
    "Reading": "newel.runtime.ledgers.base",
    "RevisionUnknown": "newel.runtime.errors",
    "Run": "newel.runtime.rows",
    "SchemaTooNew": "newel.runtime.errors",
    "SchemaTooOld": "newel.runtime.errors",
    "Seat": "newel.runtime.rows",
    "Service": "newel.runtime.service",
    "SessionActionReport": "newel.runtime.outcomes",
    "SessionStatus": "newel.runtime.outcomes",
    "Sessions": "newel.runtime.ports",
    "StaticAgents": "newel.runtime.casting",
    "StatementRefused": "newel.runtime.errors",
    "StepGone": "newel.runtime.errors",
    "Stray": "newel.runtime.ledgers.base",
    "Task": "newel.runtime.rows",
    "TaskExists": "newel.runtime.errors",
    "TooDeep": "newel.runtime.errors",
    "Transaction": "newel.runtime.ledgers.base",
    "UnknownRole": "newel.runtime.errors",
    "UnknownRoute": "newel.runtime.errors",
    "UnknownStep": "newel.runtime.errors",
    "UnknownTask": "newel.runtime.errors",
    "UnknownTrigger": "newel.runtime.errors",
    "UnknownWorkflow": "newel.runtime.errors",
    "WrongProcess": "newel.runtime.errors",
    "open_ledger": "newel.runtime.ledgers.opening",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll] - one list, the table above


def __getattr__(name: str) -> Any:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    return getattr(import_module(home), name)
