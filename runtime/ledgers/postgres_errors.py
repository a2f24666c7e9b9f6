"""What the driver raises to what a ledger raises."""

from __future__ import annotations

from typing import NoReturn

import psycopg
from psycopg import errors

from newel.runtime.errors import LedgerUnavailable

_CURED_BY_A_RETRY = (errors.DeadlockDetected, errors.SerializationFailure)
_TOO_LONG = (errors.LockNotAvailable, errors.QueryCanceled)


_HINT = "; if a database action or guard waits for this very call, make it an outside action, which holds nothing"


def is_contended(error: BaseException | None) -> bool:
    """Whether the same transaction, begun anew, may well succeed."""
    return isinstance(error, _CURED_BY_A_RETRY)


def refuse(error: psycopg.Error | OverflowError | UnicodeEncodeError) -> NoReturn:
    """Raise what the driver says as what the ledger says."""
    why = "waited too long" if isinstance(error, _TOO_LONG) else "refused"
    hint = _HINT if isinstance(error, errors.LockNotAvailable) else ""
    said = f"the ledger's database {why}: {_said(error)}; nothing of this transaction was committed{hint}"
    raise LedgerUnavailable(said) from error


def _said(error: Exception) -> str:
    """The driver's first line: the others repeat statements, and with them values."""
    return str(error).strip().partition("\n")[0] or type(error).__name__
