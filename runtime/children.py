"""A parent whose children have all ended to its `children_completed` list, once for each state of the children.

A reader of the operation ledger beside the engine: the ledger is a memo and no lock, so the lock is here.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from newel.compiler.program import Program
from newel.runtime.board import standing
from newel.runtime.engine import Committed, Delivered, deliver
from newel.runtime.logs import Log
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.ports import Actor
from newel.runtime.rows import Task
from newel.runtime.wiring import Wiring

TRIGGER = "children_completed"

NO_CHILDREN = "no_children"
UNFINISHED = "unfinished_children"
RUNNING = "already_running"
"""Why a parent stayed. With the last one nothing was run or marked: the call can be made again."""

_log = Log("newel.children")


def children_completed(wiring: Wiring, parent: str, *, actor: Actor | None = None) -> Outcome:
    """Run the parent's list if every child stands at an end, and these children, standing so, have not run it before.

    Lock, check, evaluate, commit the move, mark, release; then the entry that the move causes. What raises leaves the
    operation unmarked.
    """
    while True:
        at, children = _look(wiring, parent)
        if not children or not all(child["finished"] for child in children):
            return Outcome(OutcomeKind.STAYED, at.step, reason=UNFINISHED if children else NO_CHILDREN)
        operation = wiring.program.operation_id(TRIGGER, task=parent, children=children)
        held = (wiring.ledger.uuid, operation)
        if held in _held.get():  # by an action of this very list: it would wait for itself
            return Outcome(OutcomeKind.STAYED, at.step, reason=RUNNING)
        with _locked(held) as got:
            if not got:
                _log.write(logging.WARNING, _GIVEN_UP, parent, _PATIENCE)
                return Outcome(OutcomeKind.STAYED, at.step, reason=RUNNING)
            if _look(wiring, parent)[1] != children:  # a child has moved while this call waited
                continue
            if wiring.store.is_operation_applied(operation):
                return Outcome(OutcomeKind.IDEMPOTENT, at.step)
            done = _deliver(wiring, parent, Delivered(None, {"children": children}, operation, actor))
        return done.entered(wiring)


def _deliver(wiring: Wiring, parent: str, call: Delivered) -> Committed:
    done = deliver(wiring, parent, TRIGGER, call)
    wiring.store.mark_operation_applied(done.operation)
    return done


def _look(wiring: Wiring, parent: str) -> tuple[Task, list[dict[str, Any]]]:
    with wiring.ledger.read() as view:
        return standing(view, parent), rows(wiring.program, view.children(parent))


def rows(program: Program, children: Sequence[Task]) -> list[dict[str, Any]]:
    """What a set of children comes to, as the trigger's payload and the operation's hash have it."""
    return [
        {"task": child.id, "step": child.step, "finished": _finished(program, child), "entry": child.entry_id}
        for child in children
    ]


def _finished(program: Program, child: Task) -> bool:
    workflow = program.workflows.get(child.workflow or "")
    step = workflow and workflow.steps.get(child.step or "")
    return bool(step and step.end)


# ---------------------------------------------------------------- one lock for each operation id

# With the ledger in it: entry ids are small integers, so that two ledgers' operations may be spelt alike.
_Held = tuple[str, str]
_held: ContextVar[frozenset[_Held]] = ContextVar("newel_children_held", default=frozenset())
_locks: dict[_Held, tuple[threading.Lock, int]] = {}
_guard = threading.Lock()
_PATIENCE = 60.0
_GIVEN_UP = (
    "children_completed of %r was called by an action of another parent's list, and has waited %g seconds for a call of"
    " the same that is still running: two such lists may wait for each other. Nothing was run or marked; call it again"
    " once the other has ended, and from outside of such a list"
)


@contextmanager
def _locked(operation: _Held) -> Iterator[bool]:
    """Of all who bring one operation, one at a time; the lock is there as long as somebody holds or awaits it.

    Whether it was got: a call made by another's list does not wait for ever, since that one may wait for it.
    """
    with _guard:
        lock, users = _locks.get(operation, (threading.Lock(), 0))
        _locks[operation] = lock, users + 1
    token = _held.set(_held.get() | {operation})
    got = False
    try:
        got = lock.acquire(timeout=_PATIENCE if len(_held.get()) > 1 else -1)
        yield got
    finally:
        if got:
            lock.release()
        _held.reset(token)
        with _guard:
            lock, users = _locks.pop(operation, (lock, 1))  # a child forked inside has none
            if users > 1:
                _locks[operation] = lock, users - 1


def _in_child() -> None:
    """Whoever held these locks is not there to let go of them, and the list that is running is the parent's."""
    global _locks, _guard
    _locks, _guard = {}, threading.Lock()
    _held.set(frozenset())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
