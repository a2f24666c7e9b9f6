"""A statement of the host's own to its refusal, where it would touch more than data.

It runs in a transaction that is not its own, on a connection that serves others afterwards. What it says is told by its
first words: comments and blanks before them are passed over.
"""

from __future__ import annotations

import re

from newel.runtime.errors import InsideTransaction, StatementRefused

# Taken once and for all: else the text of a comment might be the word, and a line of dashes take for ever.
_BLANK = r"(?:\s|\ufeff|;|--[^\n]*+|(?>/\*.*?\*/))*+"


def _begins(words: str) -> re.Pattern[str]:
    """With `_` in the words wherever blanks and comments may stand."""
    return re.compile(f"{_BLANK}(?:{words.replace('_', _BLANK)})", re.I | re.S)


_SQLITE_ENDS = _begins(r"(begin|commit|end|rollback|savepoint|release)\b")
_SQLITE_KEEPS = _begins(
    r"(?:explain\b_(?:query\b_plan\b_)?)?(pragma|attach|detach|vacuum)\b"
    r"|(create\b_temp(?:orary)?)\b"
    r"|(create\b_(?:(?:unique|virtual)\b_)?(?:table|view|trigger|index)\b_(?:if\b_not\b_exists\b_)?"
    r"""["'`\[]?temp["'`\]]?)_\."""
)
_POSTGRES_ENDS = _begins(r"(begin|start_transaction|commit|end|rollback|abort|savepoint|release|prepare_transaction)\b")
_POSTGRES_KEEPS = _begins(
    r"(set)\b_(?!(?:local|constraints|transaction)\b)|(reset|listen|unlisten|discard|load|prepare|deallocate)\b"
)
_POSTGRES_MAY_KEEP = re.compile(
    rf"\b(?:pg_)?temp(?:orary)?\b|\bset_config\b|advisory_(?:un)?lock|\bsetseed\b|\bhold\b|\A{_BLANK}(?:do|call)\b"
    r"|/\*(?:(?!\*/).)*/\*",
    re.I | re.S,
)
"""Temporary tables, settings and locks of the session, cursors that stay open, code that may do any of it, and comments
in comments, which may hide a first word."""

_ENDED = "is refused: the transaction is not the action's to begin or end"
_SQLITE_KEPT = (
    "is refused: it would change the connection for whoever has it next, and no rollback takes that back; what a pragma"
    " tells can be read with SELECT * FROM pragma_NAME, what is to be kept for a while needs a table"
)
_POSTGRES_KEPT = "is refused: it would change the session for whoever has it next; for this transaction write SET LOCAL"


def admit_sqlite(sql: str) -> None:
    """Raises `InsideTransaction` and `StatementRefused`."""
    if match := _SQLITE_ENDS.match(sql):
        raise InsideTransaction(f"{_word(match)} {_ENDED}")
    if match := _SQLITE_KEEPS.match(sql):
        raise StatementRefused(f"{_word(match)} {_SQLITE_KEPT}")


def admit_postgres(sql: str) -> bool:
    """Whether the session may have to be cleaned after it. Raises `InsideTransaction` and `StatementRefused`."""
    if match := _POSTGRES_ENDS.match(sql):
        raise InsideTransaction(f"{_word(match)} {_ENDED}")
    if match := _POSTGRES_KEEPS.match(sql):
        raise StatementRefused(f"{_word(match)} {_POSTGRES_KEPT}")
    return _POSTGRES_MAY_KEEP.search(sql) is not None


def _word(match: re.Match[str]) -> str:
    return re.sub(r"(?:\s|--[^\n]*+|/\*.*?\*/)+", " ", next(filter(None, match.groups()))).upper()
