"""An outcome to the moves that were looked at for it, each with what its guard said: for the coverage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from newel.compiler.program import Action, Move, Program
from newel.runtime.deciding import guarded
from newel.runtime.engine import REJECTED
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.rows import Approval, Task
from newel.runtime.scenarios.acts import Examined, Ran

_WENT = (OutcomeKind.MOVED, OutcomeKind.QUEUED)
Placed = tuple[str, int, Move]


def under_trigger(program: Program, at: Task, trigger: str) -> list[Placed]:
    """The moves of a trigger's list at the step where a task stands, with their positions."""
    items = program.workflows[at.workflow or ""].steps[at.step or ""].on.get(trigger, ())
    return [(trigger, position, item) for position, item in enumerate(items) if isinstance(item, Move)]


def after_decision(program: Program, at: Task) -> list[Placed]:
    """The moves that a decision may let through at the step where a task stands."""
    step = program.workflows[at.workflow or ""].steps[at.step or ""]
    found = [(trigger, position, step.on[trigger][position]) for trigger, position, _, _ in guarded(program, step)]
    return [(trigger, position, item) for trigger, position, item in found if isinstance(item, Move)]


def examined(moves: Iterable[Placed], at: Task, outcome: Outcome, approvals: Sequence[Approval]) -> Iterator[Examined]:
    """The moves in their order up to the one that was taken.

    The outcome names the destinations of those that were closed, in this order; a move that requires approval was open
    if it has an approval under the entry.
    """
    closed = [report.to for report in outcome.guards]
    asked = {(each.trigger, each.position) for each in approvals if each.entry_id == at.entry_id}
    place = (at.workflow or "", at.step or "")
    for trigger, position, move in moves:
        waits = move.approval and (trigger, position) in asked
        if move.guard is not None and not waits and closed[:1] == [move.to]:
            closed.pop(0)
            yield Examined(*place, trigger, position, held=False)
        elif move.approval:
            yield Examined(*place, trigger, position, held=None if move.guard is None else True)
        else:
            if outcome.kind in _WENT:
                yield Examined(*place, trigger, position, held=None if move.guard is None else True, taken=True)
            return


def listed(program: Program, at: Task, trigger: str, outcome: Outcome) -> Iterator[Ran]:
    """The actions of a trigger's list, where the outcome says that it ran."""
    ran = outcome.kind in (*_WENT, OutcomeKind.PENDING_APPROVAL)
    if ran or (outcome.kind is OutcomeKind.STAYED and outcome.reason in (None, REJECTED)):
        yield from actions(program, at.workflow, at.step, trigger)


def actions(program: Program, workflow: str | None, step: str | None, trigger: str) -> Iterator[Ran]:
    """The actions of one list."""
    if workflow is not None and step is not None:
        for position, item in enumerate(program.workflows[workflow].steps[step].on.get(trigger, ())):
            if isinstance(item, Action):
                yield Ran(workflow, step, trigger, position, item.kind)
