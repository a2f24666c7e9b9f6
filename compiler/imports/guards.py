"""The guard and the approval of a move, read and written; one that cannot be read is an error, never an open gate."""

from __future__ import annotations

import re
from collections.abc import Mapping as ReadOnly

from newel.compiler.imports.action_rules import BAD_GUARD, GUARD_HIDDEN
from newel.compiler.imports.arguments import ROLES
from newel.compiler.imports.document import Document, Mapping, Node, Scalar, kind_of
from newel.compiler.imports.draft import Call, Value, Word
from newel.compiler.imports.fields import Unsayable
from newel.compiler.imports.reading import Reading, quote
from newel.compiler.model import Json
from newel.dsl.limits import DIGITS

APPROVAL = "requires_approval"
QUORUM = "wait_for_quorum"
CONDITION = "if"
GATE_KEYS = (APPROVAL, CONDITION, QUORUM)

THRESHOLDS = ("all_approve", "all_decide", "majority_approve", "any_reject")
_COUNTED = "n_approve"
_KEYS = ("role", "threshold")
# Go's strconv.Atoi: a sign and leading zeros are fine, spaces and points are not.
_ATOI = re.compile(r"[+-]?[0-9]+", re.ASCII)


def approval_of(reading: Reading, config: Mapping) -> bool:
    """Whether a move asks for approval. Only a literal true or false is read."""
    node = config.raw(APPROVAL)
    if node is None:
        return False
    value = node.value if isinstance(node, Scalar) else None
    if not isinstance(value, bool):
        reading.wrong(APPROVAL, node, "a literal true or false", "Kandev would ask for no approval at all")
    return value is True


def guard_of(reading: Reading, config: Mapping) -> Call | None:
    """The guard of a move: the one directly in the configuration hides the one under `if`, as in the client."""
    older, newer = config.raw(QUORUM), config.raw(CONDITION)
    if older is not None and newer is not None:
        reading.report(GUARD_HIDDEN, config.key(CONDITION), first=config.key(QUORUM))
    if older is not None:
        return _quorum(reading, config.key(QUORUM), older)
    return None if newer is None else _condition(reading, config.key(CONDITION), newer)


def _condition(reading: Reading, key: Scalar, node: Document) -> Call | None:
    if not isinstance(node, Mapping):
        return _bad(reading, key, f"`{CONDITION}` is {kind_of(node)}, not a map")
    for name, _ in node.pairs:
        if name.text != QUORUM:
            return _bad(reading, name, f"`{name.text}` is no kind of guard; `{QUORUM}` is the only one")
    quorum = node.raw(QUORUM)
    if quorum is None:
        return _bad(reading, key, f"`{CONDITION}` is empty")
    return _quorum(reading, node.key(QUORUM), quorum)


def _quorum(reading: Reading, key: Scalar, node: Document) -> Call | None:
    if not isinstance(node, Mapping):
        return _bad(reading, key, f"`{QUORUM}` is {kind_of(node)}, not a map")
    for name, _ in node.pairs:
        if name.text not in _KEYS:
            return _bad(reading, name, f"`{QUORUM}` has no key `{name.text}`", reading.nearest(name.text, _KEYS))
    role, threshold = (_text(reading, key, node, name) for name in _KEYS)
    if role is None or threshold is None:
        return None
    if role not in ROLES:
        return _bad(
            reading, node.raw("role") or key, f"`{role}` is none of {quote(ROLES)}", reading.nearest(role, ROLES)
        )
    return _guard(reading, node.raw("threshold") or key, role, threshold)


def _text(reading: Reading, key: Scalar, quorum: Mapping, name: str) -> str | None:
    node = quorum.raw(name)
    value = node.value if isinstance(node, Scalar) else None
    if isinstance(value, str) and value.strip():
        return value
    why = f"it has no `{name}`" if node is None else f"`{name}` is {kind_of(node)}, not a word"
    _bad(reading, node or key, why)
    return None


def _guard(reading: Reading, node: Node, role: str, threshold: str) -> Call | None:
    args: tuple[tuple[str, Value], ...] = (("", Word(role)),)
    if threshold in THRESHOLDS:
        return Call(threshold, args)
    name, colon, count = threshold.partition(":")
    if name != _COUNTED or not colon:
        known = (*THRESHOLDS, f"{_COUNTED}:N")
        return _bad(reading, node, f"`{threshold}` is none of {quote(known)}", reading.nearest(threshold, known))
    number = int(count) if _ATOI.fullmatch(count) and len(count) <= DIGITS else 0
    if number < 1:
        return _bad(reading, node, f"`{count}` in `{threshold}` is no whole number from 1")
    return Call(_COUNTED, (*args, ("count", number)))


def _bad(reading: Reading, node: Node, why: str, hint: str | None = None) -> Call | None:
    reading.report(BAD_GUARD, node, hint=hint, why=why)
    return None


def condition(name: str, args: ReadOnly[str, Json]) -> Json | Unsayable:
    """What stands under `if` for a guard of the standard vocabulary, in the newer of the two places."""
    role, count = args.get("role"), args.get("count")
    if role not in ROLES:
        return Unsayable(f"only {quote(ROLES)} are roles there")
    threshold = f"{_COUNTED}:{count}" if name == _COUNTED else name
    return {QUORUM: {"role": role, "threshold": threshold}}
