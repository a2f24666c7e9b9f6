"""The tables and what came to the outside, to what is wrong with them: doubled, ghost, broken, or lost beyond SE8."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from newel.compiler.program import Action
from newel.runtime.rows import HistoryRow
from tests.crash.hosting import LOST, PROGRAM, Host

ALLOWED = {*LOST, "superseded"}


def wrong(host: Host, tasks: list[str] | None = None, *, crashes: int) -> list[str]:
    """What is wrong with these tasks, or all. An outside action may have come once more for each crash, not oftener."""
    found = [f"audit: {item}" for item in host.audit() if item.kind.value not in ALLOWED]
    notes, marks = host.notes(), host.marked()
    runs = Counter((run.entry_id, run.position) for run in host.service.runs() if run.key and ":" in run.key)
    keys = Counter(run.key for run in host.service.runs() if run.key is not None)
    found += [f"doubled run: {key}" for key, number in keys.items() if number > 1]
    for task in tasks or [task.id for task in host.service.tasks()]:
        rows = host.service.history(task)
        for number, row in enumerate(rows):
            entry = _Entry(host, row, notes, marks, runs, crashes)
            found += entry.wrong(left=number + 1 < len(rows))
    rows_of_all = {row.id for task in host.service.tasks() for row in host.service.history(task.id)}
    if tasks is None:
        found += [f"ghost: {note}" for note in notes if note[0] not in rows_of_all]
    return found


class _Entry:
    """One row, and whether each effect is there exactly where the record of its action says so."""

    def __init__(
        self,
        host: Host,
        row: HistoryRow,
        notes: Counter[tuple[int, str]],
        marks: Counter[str],
        runs: Counter[tuple[int | None, int]],
        crashes: int,
    ) -> None:
        self._host, self._row, self._notes, self._marks = host, row, notes, marks
        self._runs, self._crashes = runs, crashes

    def wrong(self, *, left: bool) -> Iterator[str]:
        row = self._row
        if row.to_workflow is None or row.to_step is None:
            return
        here = f"entry {row.id} of {row.task} at {row.to_step}"
        records = {record.position: record.status for record in self._host.service.entry(row.id).actions}
        due = list(PROGRAM.dispatched(row.to_workflow, row.to_step))
        positions = [position for position, _ in due]
        if sorted(records) != positions[: len(records)]:
            yield f"{here}: recorded are {sorted(records)}, no beginning of the list"
        for position, action in due:
            yield from (f"{here}: {what}" for what in self._effect(position, action, records.get(position)))
        goodbyes = self._notes[row.id, "left a"]
        if goodbyes != (left and row.to_step == "a"):
            yield f"{here}: left {goodbyes} times"

    def _effect(self, position: int, action: Action, status: str | None) -> Iterator[str]:
        row = self._row
        applied = status == "applied"
        if status not in (None, "applied", "unchanged"):
            yield f"position {position} is {status}"
        if action.kind == "note_it" and self._notes[row.id, getattr(action, "text")] != applied:  # noqa: B009 - its type is the program's own
            yield f"position {position} is {status}, its note is there {self._notes[row.id, action.text]} times"  # type: ignore[attr-defined] # as above
        if action.kind.startswith("queue_run") and self._runs[row.id, position] != (status is not None):
            yield f"position {position} is {status}, its run is there {self._runs[row.id, position]} times"
        if action.kind == "page":
            times = self._marks[f"{self._host.ledger.uuid}:{row.id}:{position}"]
            if times < applied or times > applied + self._crashes:
                yield f"position {position} is {status}, and came {times} times"


def unrecorded(host: Host, task: str) -> list[int]:
    """The entries of a task that lack a record: a crash loses the last one alone."""
    found = []
    for row in host.service.history(task):
        if row.to_workflow is not None and row.to_step is not None:
            records = {record.position for record in host.service.entry(row.id).actions}
            due = [position for position, _ in PROGRAM.dispatched(row.to_workflow, row.to_step)]
            if set(due) - records:
                found.append(row.id)
    return found
