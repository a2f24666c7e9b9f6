"""A change and a task that stands where it may matter, to whether it does, by what the ledger knows of the task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from newel.compiler.diff import Change
from newel.compiler.program import Program
from newel.runtime.ledgers.base import Reading
from newel.runtime.outcomes import ActionStatus
from newel.runtime.quorum import slate
from newel.runtime.rows import Task


@dataclass(frozen=True, slots=True)
class Standing:
    """A task where it stands, with the program it came there under and the one that is to come."""

    view: Reading
    task: Task
    old: Program
    new: Program

    @property
    def place(self) -> tuple[str, str]:
        """Its workflow and step."""
        return self.task.workflow or "", self.task.step or ""


def matters(change: Change, standing: Standing) -> bool:
    """Whether a change means anything to this task."""
    asked = _ASKED.get(change.rule.code)
    return asked is None or asked(change, standing)


def _never(change: Change, standing: Standing) -> bool:  # noqa: ARG001 - the shape of all of these
    return False


def _has_parent(change: Change, standing: Standing) -> bool:  # noqa: ARG001 - the shape of all of these
    return standing.task.parent is not None


def _decided_before(change: Change, standing: Standing) -> bool:  # noqa: ARG001 - the shape of all of these
    decisions = standing.view.active_decisions(standing.task.id, *standing.place)
    return any(decision.entry_id != standing.task.entry_id for decision in decisions)


def _nobody_seated(change: Change, standing: Standing) -> bool:
    seats = standing.view.seats(standing.task.id)
    return not slate(standing.new, *standing.place, str(change.fields["role"]), seats)


def _more_than_may(change: Change, standing: Standing) -> bool:
    return standing.view.occupied(*standing.place) > int(str(change.fields["new"]))


def _names_role(change: Change, standing: Standing) -> bool:
    view, task = standing.view, standing.task.id
    found = {seat.role for seat in view.seats(task)} | {decision.role for decision in view.decisions(task)}
    return change.fields["role"] in found


def _left_undone(change: Change, standing: Standing) -> bool:
    """Whether a dispatched action of that kind may be run again: it has no record, or failed."""
    entry = standing.task.entry_id
    records = standing.view.entry_actions(entry) if entry is not None else ()
    done = {record.position for record in records if record.status != ActionStatus.FAILED}
    due = standing.old.dispatched(*standing.place)
    return any(action.kind == change.fields["kind"] and position not in done for position, action in due)


# By code: what a change must find to matter to a task. Those not named here matter to all that stand there.
_ASKED: Mapping[str, Callable[[Change, Standing], bool]] = {
    "NW808": _has_parent,
    "NW816": _never,  # the approvals that wait are looked at one by one
    "NW825": _decided_before,
    "NW826": _never,  # what has run is known by the revision on the row, which `redispatch` follows
    "NW831": _nobody_seated,
    "NW834": _more_than_may,
    "NW835": _never,  # it matters to those who wait
    "NW844": _left_undone,
    "NW845": _names_role,
}
