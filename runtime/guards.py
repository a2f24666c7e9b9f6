"""A move's guard, in the transaction that would commit the move, to whether it holds and why not."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, ParamSpec

from newel.compiler.program import Guard, Joined, Negated, Program
from newel.dsl.slotted import settled
from newel.runtime.errors import LedgerUnavailable
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.base import Reading
from newel.runtime.logs import Log
from newel.runtime.outcomes import GuardReason
from newel.runtime.ports import Context
from newel.runtime.quorum import Question, Ruling, counting, rule, slate, standard

P = ParamSpec("P")

_log = Log("newel.guards")

HOLDS = Ruling()
_NOT_FULFILLED = Ruling(GuardReason.NOT_FULFILLED)
_UNWIRED = Ruling(GuardReason.STORE_UNWIRED)
_ERROR = Ruling(GuardReason.EVALUATION_ERROR)

_BROKEN = frozenset({GuardReason.STORE_UNWIRED, GuardReason.EVALUATION_ERROR})
"""Reasons that say nothing about the world: a `not` does not turn them into a yes."""


@settled
class Guards:
    """The guards of one program with one host's functions."""

    program: Program
    handlers: Handlers

    def ask(self, guard: Guard, view: Reading, context: Context) -> Ruling:
        """Whether a guard holds. What its function raises is `evaluation_error`; a failing ledger's error passes."""
        if isinstance(guard, Negated):
            return _negated(self.ask(guard.part, view, context))
        if isinstance(guard, Joined):
            return self._joined(guard, view, context)
        function = self.handlers.find_guard(guard.kind)
        if function is not None:
            return _protected(_called, guard, view, function, guard, context)
        question = standard(self.program.vocabulary.guards[guard.kind])
        if question is None:
            return _UNWIRED
        return _protected(self._counted, guard, None, question(guard), view, context)

    def unwired(self) -> tuple[str, ...]:
        """The declared guards that nobody answers for."""
        declared = sorted(self.program.vocabulary.guards.items())
        return tuple(n for n, d in declared if self.handlers.find_guard(n) is None and standard(d) is None)

    def _counted(self, question: Question, view: Reading, context: Context) -> Ruling:
        here = (self.program, context.workflow, context.step)
        seats = slate(*here, question.role, view.seats(context.task))
        given = view.active_decisions(context.task, context.workflow, context.step)
        return rule(question, seats, counting(*here, context.entry_id, given))

    def _joined(self, guard: Joined, view: Reading, context: Context) -> Ruling:
        """`and` ends at the first part that does not hold, `or` at the first that does. Else the first part's ruling,
        unless a later one could not be evaluated."""
        conjunction = guard.kind == "&"
        rulings: list[Ruling] = []
        for part in guard.parts:
            ruling = self.ask(part, view, context)
            if ruling.holds is not conjunction:
                return ruling
            rulings.append(ruling)
        return next((ruling for ruling in rulings if ruling.reason in _BROKEN), rulings[0])


def _negated(inner: Ruling) -> Ruling:
    if inner.reason in _BROKEN:
        return inner
    return _NOT_FULFILLED if inner.holds else HOLDS


def _protected(
    question: Callable[P, Ruling], guard: Guard, view: Reading | None, /, *args: P.args, **kwargs: P.kwargs
) -> Ruling:
    # A host's statement that fails would spoil the whole transaction on some databases, so it gets a savepoint.
    savepoint: Any = getattr(view, "savepoint", nullcontext)
    try:
        with savepoint():
            return question(*args, **kwargs)
    except LedgerUnavailable:
        raise
    except Exception as error:
        _log.write(logging.WARNING, "guard %s could not be evaluated: %r", guard.kind, error)
        return _ERROR


def _called(function: Callable[[Any, Any], bool], guard: Guard, context: Context) -> Ruling:
    answer = function(guard, context)
    if not isinstance(answer, bool):
        raise TypeError(f"a guard answers with True or False, not {answer!r}")
    return HOLDS if answer else _NOT_FULFILLED
