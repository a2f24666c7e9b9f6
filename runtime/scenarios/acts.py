"""What one line of a scenario has brought about, read off the ledger and the outcome."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from newel.compiler.scenarios.script import Line
from newel.runtime.errors import NewelError
from newel.runtime.outcomes import ActionReport, ActionStatus, EntryReport, Outcome, SessionActionReport
from newel.runtime.rows import Approval, HistoryRow, Run, Task

DONE = (ActionStatus.APPLIED, ActionStatus.UNCHANGED, ActionStatus.REDELIVERED)


@dataclass(frozen=True, slots=True)
class Ran:
    """An action that ran in the list of a trigger, or on leaving a step."""

    workflow: str
    step: str
    trigger: str
    position: int
    kind: str


@dataclass(frozen=True, slots=True)
class Examined:
    """A move that was looked at. `held` is None where it has no guard; `taken` where the task went or waits for it."""

    workflow: str
    step: str
    trigger: str
    position: int
    held: bool | None
    taken: bool = False


@dataclass(frozen=True, slots=True)
class Act:
    """One line that acts, and all that came of it.

    `error` is what the call was refused with, or what a handler raised; `at` is where the line's task stands now;
    `queued` and `asked` are the runs and approvals that were not there before; `rows` the arrivals; `advice` what
    whoever decided may not have meant.
    """

    line: Line
    outcome: Outcome | None = None
    report: EntryReport | None = None
    error: Exception | None = None
    at: Task | None = None
    rows: tuple[HistoryRow, ...] = ()
    ran: tuple[Ran, ...] = ()
    queued: tuple[Run, ...] = ()
    asked: tuple[Approval, ...] = ()
    examined: tuple[Examined, ...] = ()
    unanswered: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether the call was refused, as it may be; what a handler raises is no refusal."""
        return isinstance(self.error, NewelError)

    def entries(self, task: str | None = None) -> Iterator[EntryReport]:
        """The entries it dispatched: its own, and those of tasks that were pulled; or those of one task."""
        found = [self.report] if self.report is not None else []
        if self.outcome is not None:
            found += _entries(self.outcome)
        return (entry for entry in found if task is None or entry.task == task)

    def dispatched(self, task: str | None = None) -> list[str]:
        """The kinds that its arrivals ran."""
        return [a.kind for entry in self.entries(task) for a in entry.actions if a.status in DONE]

    def excluded(self, task: str | None = None) -> list[str]:
        """The kinds that its arrivals left to the session."""
        return [a.kind for entry in self.entries(task) for a in entry.session_actions]

    def failures(self) -> list[str]:
        """What went wrong in its entries."""
        return [
            f"{a.kind} failed{f': {a.reason}' if a.reason else ''}"
            for entry in self.entries()
            for a in reports(entry)
            if a.status.value == "failed"
        ]


def _entries(outcome: Outcome) -> list[EntryReport]:
    own = [outcome.entry] if outcome.entry is not None else []
    return own + [entry for pulled in outcome.pulled for entry in _entries(pulled)]


def reports(entry: EntryReport) -> list[ActionReport | SessionActionReport]:
    """What became of every action of an entry, the session's half after the dispatched one."""
    return [*entry.actions, *entry.session_actions]
