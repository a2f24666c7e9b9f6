"""A wiring to what its program needs and nobody supplies, and to what is supplied and nobody needs."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from newel.compiler.program import Action, Guard, Joined, Move, Negated, Program
from newel.runtime.handlers import Handlers, stray
from newel.runtime.known import known_step
from newel.runtime.logs import Log
from newel.runtime.running import Moment, Nature
from newel.runtime.wiring import Wiring

_log = Log("newel.handlers")


def tell_stray(handlers: Handlers, program: Program) -> None:
    """Log each handler that the program does not ask for: a warning where its name looks like one that is declared."""
    for line, slip in stray(handlers, program.vocabulary):
        _log.write(logging.WARNING if slip else logging.INFO, "%s", line)


def unwired(wiring: Wiring) -> tuple[str, ...]:
    """`kind page_someone`, `guard paid`, `role reviewer`, `target ceo_agent`: sorted, each once.

    Asks the agents port for the candidates of the roles that are seated; a target can only be asked for a task, so
    targets are listed where there is no port.
    """
    return tuple(sorted(set(_missing(wiring)) | _guards(wiring)))


def unwired_at(wiring: Wiring, workflow: str, step: str) -> tuple[str, ...]:
    """The kinds that entering a step dispatches and that have no handler.

    Raises `UnknownWorkflow` and `UnknownStep`.
    """
    known_step(wiring.program, workflow, step)
    moment = Moment(wiring, wiring.program, "", workflow, step, "enter", None)
    due = wiring.program.dispatched(workflow, step)
    return tuple(sorted({action.kind for _, action in due if moment.nature(action) is Nature.UNWIRED}))


def _missing(wiring: Wiring) -> Iterator[str]:
    for workflow, step, trigger, action in _actions(wiring):
        if trigger == "enter" and wiring.program.kind(action.kind).owner == "exclude":
            continue
        moment = Moment(wiring, wiring.program, "", workflow, step, trigger, None)
        if moment.nature(action) is Nature.UNWIRED:
            yield f"kind {action.kind}"
        for question in moment.questions(action):
            if question.about == "candidates" and not (wiring.agents and wiring.agents.candidates(question.name)):
                yield f"role {question.name}"
            if question.about == "target" and wiring.agents is None:
                yield f"target {question.name}"


def _actions(wiring: Wiring) -> Iterator[tuple[str, str, str, Action]]:
    for workflow in wiring.program.workflows.values():
        for step in workflow.steps.values():
            for trigger, items in step.on.items():
                for item in items:
                    if isinstance(item, Action):
                        yield workflow.name, step.name, trigger, item


def _guards(wiring: Wiring) -> set[str]:
    """The guards that some move asks and nobody answers for."""
    guards = wiring.guards
    asked = {
        name
        for workflow in wiring.program.workflows.values()
        for step in workflow.steps.values()
        for items in step.on.values()
        for item in items
        if isinstance(item, Move) and item.guard is not None
        for name in _names(item.guard)
    }
    return {f"guard {name}" for name in asked & set(guards.unwired())}


def _names(guard: Guard) -> Iterator[str]:
    if isinstance(guard, Joined):
        for part in guard.parts:
            yield from _names(part)
    elif isinstance(guard, Negated):
        yield from _names(guard.part)
    else:
        yield guard.kind
