"""The ledger's tables to what is wrong with them: does the chain hold, and has every entry its records?

Proves nothing about effects outside, nor about the session's half.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from newel.compiler.program import Program
from newel.runtime.errors import RevisionUnknown
from newel.runtime.kept import kept
from newel.runtime.ledgers.base import Ledger, Reading
from newel.runtime.outcomes import ActionStatus
from newel.runtime.rows import HistoryRow, Task

_PAGE = 1000
_RUNNING = timedelta(minutes=1)


class AuditKind(StrEnum):
    """What an audit can say. `running`, `superseded` and `failed` are notes, all else are findings."""

    CHAIN = "chain"
    STANDING = "standing"
    LOST = "lost"
    PARTLY_LOST = "partly_lost"
    DOUBLED = "doubled"
    STRAY = "stray"
    RUNNING = "running"
    SUPERSEDED = "superseded"
    FAILED = "failed"


_NOTES = frozenset({AuditKind.RUNNING, AuditKind.SUPERSEDED, AuditKind.FAILED})


@dataclass(frozen=True, slots=True)
class AuditItem:
    """One thing an audit says. `positions` are those of the entry's list that have no record; where actions of a task's
    current entry have `failed`, theirs."""

    kind: AuditKind
    entry_id: int | None
    task: str
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found; `notes` are no findings."""

    findings: tuple[AuditItem, ...]
    notes: tuple[AuditItem, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def audit(ledger: Ledger, limit: int | None = None) -> Audit:
    """Read all tables, or of the history only the last `limit` rows. Needs no program: the ledger keeps them."""
    with ledger.read() as view:
        items = list(_Reading(view, limit).items())
    findings = tuple(item for item in items if item.kind not in _NOTES)
    return Audit(findings, tuple(item for item in items if item.kind in _NOTES))


class _Reading:
    """One audit over one consistent view."""

    def __init__(self, view: Reading, limit: int | None) -> None:
        self._view = view
        self._programs: dict[str, Program | None] = {}
        self._tasks: Mapping[str, Task] = {task.id: task for task in view.tasks()}
        self._after = 0 if limit is None else max(view.last_id() - limit, 0)
        self._last: dict[str, HistoryRow] = {}
        self._now = datetime.now(UTC)

    def items(self) -> Iterator[AuditItem]:
        after = self._after
        while page := self._view.rows(after, _PAGE):
            after = page[-1].id
            yield from self._page(page)
        yield from self._standing()
        for run in self._view.doubled():
            yield AuditItem(AuditKind.DOUBLED, run.entry_id, run.task)
        for stray in self._view.strays():
            yield AuditItem(AuditKind.STRAY, stray.entry_id, stray.task)

    def _page(self, page: Sequence[HistoryRow]) -> Iterator[AuditItem]:
        recorded: dict[int, dict[int, str]] = {}
        for action in self._view.actions_between(page[0].id, page[-1].id):
            recorded.setdefault(action.entry_id, {})[action.position] = action.status
        for row in page:
            if not self._follows(row):
                yield AuditItem(AuditKind.CHAIN, row.id, row.task)
            yield from self._entry(row, recorded.get(row.id, {}))
            self._last[row.task] = row

    def _follows(self, row: HistoryRow) -> bool:
        """Whether a row begins where the task's one before it ended. With a limit the first one seen is believed."""
        before = self._last.get(row.task)
        if before is None:
            return self._after > 0 or row.from_step is None
        return (row.from_workflow, row.from_step) == (before.to_workflow, before.to_step)

    def _entry(self, row: HistoryRow, recorded: Mapping[int, str]) -> Iterator[AuditItem]:
        if row.to_workflow is None or row.to_step is None:
            return
        program = self._program(row.revision)
        if program is None:
            yield AuditItem(AuditKind.STRAY, row.id, row.task)
            return
        try:
            due = [position for position, _ in program.dispatched(row.to_workflow, row.to_step)]
        except KeyError:  # a step that the row's own program does not have
            yield AuditItem(AuditKind.STRAY, row.id, row.task)
            return
        missing = tuple(position for position in due if position not in recorded)
        if missing:
            yield AuditItem(self._why(row, complete=len(missing) == len(due)), row.id, row.task, missing)
        failed = tuple(position for position in due if recorded.get(position) == ActionStatus.FAILED)
        if failed and self._is_current(row):  # one that was left cannot be run again
            yield AuditItem(AuditKind.FAILED, row.id, row.task, failed)

    def _program(self, revision: str) -> Program | None:
        if revision not in self._programs:
            try:
                self._programs[revision] = kept(self._view, revision)
            except RevisionUnknown:
                self._programs[revision] = None
        return self._programs[revision]

    def _why(self, row: HistoryRow, *, complete: bool) -> AuditKind:
        if not self._is_current(row):
            return AuditKind.SUPERSEDED
        if self._is_fresh(row):
            return AuditKind.RUNNING
        return AuditKind.LOST if complete else AuditKind.PARTLY_LOST

    def _is_current(self, row: HistoryRow) -> bool:
        task = self._tasks.get(row.task)
        return task is not None and task.entry_id == row.id

    def _is_fresh(self, row: HistoryRow) -> bool:
        """Whether a row is so young that its entry may be running. One from far ahead, by a clock set back, is not."""
        try:
            return abs(self._now - datetime.fromisoformat(row.occurred_at)) < _RUNNING
        except (TypeError, ValueError):  # no time, or one without a zone
            return False

    def _standing(self) -> Iterator[AuditItem]:
        """Whether each task stands where its last row led. With a limit, the tasks whose rows were read."""
        for task in self._tasks.values():
            row = self._last.get(task.id)
            if row is None and self._after > 0:
                continue
            entry = row.id if row and row.to_step is not None else None
            place = (row.to_workflow, row.to_step) if row else (None, None)
            if (task.workflow, task.step, task.entry_id) != (*place, entry):
                yield AuditItem(AuditKind.STANDING, task.entry_id, task.id)
        for name, row in self._last.items():
            if name not in self._tasks:
                yield AuditItem(AuditKind.STANDING, row.id, name)
