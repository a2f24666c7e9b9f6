"""The tables and what came to the outside, to what is wrong with them: doubled, ghost, broken, or lost beyond SE8."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from newel.compiler.program import Action
from newel.runtime.rows import HistoryRow, Task
from tests.crash.hosting import LOST, PROGRAM, Host

ALLOWED = {*LOST, "superseded"}
_ALL = 10**9


@dataclass(frozen=True)
class Seen:
    """Everything there is at one moment: tasks, rows by task, statuses by entry and position, and each effect."""

    tasks: dict[str, Task]
    rows: dict[str, list[HistoryRow]]
    records: dict[int, dict[int, str]]
    runs: Counter[tuple[int | None, int]]
    keys: Counter[str]
    notes: Counter[tuple[int, str]]
    marks: Counter[str]
    uuid: str

    @classmethod
    def of(cls, host: Host) -> Seen:
        """One view of the ledger, and the file of marks."""
        with host.ledger.read() as view:
            tasks = {task.id: task for task in view.tasks()}
            rows: dict[str, list[HistoryRow]] = {task: [] for task in tasks}
            for row in view.rows(limit=_ALL):
                rows.setdefault(row.task, []).append(row)
            records: dict[int, dict[int, str]] = {row.id: {} for of_task in rows.values() for row in of_task}
            for action in view.actions_between(0, _ALL):
                records.setdefault(action.entry_id, {})[action.position] = action.status
            runs = view.runs()
        keyed = [run for run in runs if run.key is not None]
        return cls(
            tasks,
            rows,
            records,
            Counter((run.entry_id, run.position) for run in keyed if run.key and ":" in run.key),
            Counter(str(run.key) for run in keyed),
            host.notes(),
            host.marked(),
            host.ledger.uuid,
        )

    def due(self, row: HistoryRow) -> tuple[tuple[int, Action], ...]:
        """What entering by this row dispatches, with the positions."""
        if row.to_workflow is None or row.to_step is None:
            return ()
        return tuple(PROGRAM.dispatched(row.to_workflow, row.to_step))

    def unrecorded(self, task: str) -> list[int]:
        """The entries of a task that lack a record: a crash loses the last one alone."""
        return [
            row.id for row in self.rows.get(task, ()) if {n for n, _ in self.due(row)} - self.records[row.id].keys()
        ]

    def called(self) -> dict[tuple[int, int], int]:
        """How often the outside action at each position of each entry was called."""
        return {
            (row.id, position): self.marks[f"{self.uuid}:{row.id}:{position}"]
            for rows in self.rows.values()
            for row in rows
            for position, action in self.due(row)
            if action.kind == "page"
        }


def wrong(
    host: Host, tasks: list[str] | None = None, *, calls: int | Mapping[str, int], seen: Seen | None = None
) -> list[str]:
    """What is wrong with these tasks, or all. An outside action of one entry may have been called so often, at most."""
    seen = seen or Seen.of(host)
    found = [f"audit: {item}" for item in host.audit() if item.kind.value not in ALLOWED]
    found += [f"doubled run: {key}" for key, number in seen.keys.items() if number > 1]
    for task in tasks or seen.tasks:
        rows = seen.rows.get(task, [])
        for number, row in enumerate(rows):
            most = calls if isinstance(calls, int) else calls[task]
            found += _wrong_with(seen, row, most, left=number + 1 < len(rows))
    if tasks is None:
        found += [f"ghost: {note}" for note in seen.notes if note[0] not in seen.records]
    return found


def repeated(before: Seen, after: Seen) -> list[str]:
    """What is wrong with what an undisturbed recovery has called: once each outside action that is not `applied`."""
    earlier, found = before.called(), []
    for (entry, position), times in after.called().items():
        done = [seen.records.get(entry, {}).get(position) == "applied" for seen in (before, after)]
        again = done == [False, True]
        if times != earlier.get((entry, position), 0) + again:
            found.append(
                f"entry {entry}, position {position}: called {earlier.get((entry, position), 0)}, then {times}"
            )
    return found


def twice(host: Host) -> list[str]:
    """What outside action of an entry one process has called twice."""
    return [
        f"process {process} called {key} {times} times"
        for (key, process), times in host.callers().items()
        if times > 1 and key.count(":") == 2  # elsewhere the key names an operation, or there is none
    ]


def _wrong_with(seen: Seen, row: HistoryRow, calls: int, *, left: bool) -> Iterator[str]:
    """One row, and whether each effect is there exactly where the record of its action says so."""
    if row.to_workflow is None or row.to_step is None:
        return
    here = f"entry {row.id} of {row.task} at {row.to_step}"
    records, due = seen.records[row.id], seen.due(row)
    positions = [position for position, _ in due]
    if sorted(records) != positions[: len(records)]:
        yield f"{here}: recorded are {sorted(records)}, no beginning of the list"
    for position, action in due:
        yield from (f"{here}: {what}" for what in _effect(seen, row, position, action, calls))
    goodbyes = seen.notes[row.id, "left a"]
    if goodbyes != (left and row.to_step == "a"):
        yield f"{here}: left {goodbyes} times"


def _effect(seen: Seen, row: HistoryRow, position: int, action: Action, calls: int) -> Iterator[str]:
    status = seen.records[row.id].get(position)
    applied = status == "applied"
    if status not in (None, "applied", "unchanged"):
        yield f"position {position} is {status}"
    if action.kind == "note_it":
        times = seen.notes[row.id, getattr(action, "text")]  # noqa: B009 - its type is the program's own
        if times != applied:
            yield f"position {position} is {status}, its note is there {times} times"
    if action.kind.startswith("queue_run") and seen.runs[row.id, position] != (status is not None):
        yield f"position {position} is {status}, its run is there {seen.runs[row.id, position]} times"
    if action.kind == "page":
        times = seen.marks[f"{seen.uuid}:{row.id}:{position}"]
        if not applied <= times <= calls:
            yield f"position {position} is {status}, and was called {times} times"
