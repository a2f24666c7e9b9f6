"""Outcomes, reports and rows for a person or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from newel.compiler.reports.safe import safe

if TYPE_CHECKING:
    from newel.runtime.audit import AuditItem
    from newel.runtime.outcomes import ActionReport, EntryReport, Outcome, SessionActionReport

_SHOWN = 10
"""So many entries are named one by one."""


def plain(value: Any) -> Any:
    """Dataclasses - their fields, and what they work out from these - enumerations and tuples as what JSON knows."""
    if is_dataclass(value) and not isinstance(value, type):
        worked_out = [name for name, member in vars(type(value)).items() if isinstance(member, property)]
        return {name: plain(getattr(value, name)) for name in [*(f.name for f in fields(value)), *worked_out]}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, str) or not isinstance(value, Iterable):
        return value
    return [plain(entry) for entry in value]


def as_json(value: Any) -> str:
    """One value as a JSON document with a line break at its end."""
    return json.dumps(plain(value), ensure_ascii=False, indent=2) + "\n"


def outcome_lines(task: str, outcome: Outcome) -> list[str]:
    """What a call did, in a few lines."""
    where = {
        "moved": f"{outcome.from_step or 'nowhere'} -> {outcome.to_step}",
        "stayed": f"stays at {outcome.from_step}",
        "already_there": f"is at {outcome.to_step} already",
        "queued": f"waits for a place at {outcome.to_step}",
        "pending_approval": f"stays at {outcome.from_step}, approvals wait: {', '.join(map(str, outcome.pending))}",
        "abandoned": "has moved on meanwhile; nothing was changed",
        "idempotent": "this delivery was applied before; nothing was changed",
    }[outcome.kind.value]
    lines = [f"{safe(task)}: {where}" + (f" ({outcome.reason})" if outcome.reason else "")]
    if outcome.decision_id is not None:
        lines.append(f"  decision {outcome.decision_id} recorded")
    for guard in outcome.guards:
        counted = f" ({guard.received} of {guard.required})" if guard.required is not None else ""
        lines.append(f"  not to {guard.to}: {guard.reason.value}{counted}")
    if outcome.entry is not None:
        lines += ["  " + line for line in report_lines(outcome.entry)]
    for pulled in outcome.pulled:
        lines += ["  " + line for line in pulled_lines(pulled)]
    return lines


def pulled_lines(pulled: Outcome) -> list[str]:
    """Who was let in, or could not be, in a few lines."""
    if pulled.entry is None:  # whom the exit list held back; the reason says who
        return [f"not pulled to {pulled.to_step}: {safe(pulled.reason or '')}"]
    return [f"pulled: {line}" if n == 0 else line for n, line in enumerate(outcome_lines(pulled.entry.task, pulled))]


def report_lines(report: EntryReport) -> list[str]:
    """What the dispatch of an entry did, in a few lines."""
    note = " superseded: the task has left it" if report.superseded else " again" if report.redelivery else ""
    lines = [f"entry {report.entry_id}{note}"]
    for action in _actions(report):
        reason = f": {safe(action.reason)}" if action.reason else ""
        lines.append(f"  {action.kind} {action.status.value}{reason}")
    return lines


def reports_of(outcome: Outcome) -> Iterator[EntryReport]:
    """The report of the arrival and of all that it let in."""
    if outcome.entry is not None:
        yield outcome.entry
    for pulled in outcome.pulled:
        yield from reports_of(pulled)


def help_lines(reports: Iterable[EntryReport]) -> list[str]:
    """What to do next where a dispatched action failed: it can be run again as long as the task stands there."""
    return [
        redispatch_line(report.entry_id)
        for report in reports
        if not report.superseded and any(action.status.value == "failed" for action in report.actions)
    ]


def redispatch_line(entry: int | None) -> str:
    """How the failed actions of an entry are run again."""
    return f"  = help: mend the cause, then `newel ledger redispatch {entry}`"


def audit_lines(item: AuditItem) -> list[str]:
    """What to do about what an audit says, where a command does it."""
    lost = f"  = help: `newel ledger redispatch {item.entry_id}`, or --lost for all that is lost"
    of = {
        "failed": redispatch_line(item.entry_id),
        "lost": lost,
        "partly_lost": lost,
        "running": f"  = help: if its process has ended, `newel ledger redispatch {item.entry_id}`",
    }
    return [of[item.kind]] if item.kind in of else []


def running_lines(entries: Sequence[int | None]) -> list[str]:
    """What to do about entries that are too young to be called lost."""
    lines = [
        f"note: entry {entry} may still be running; if its process has ended, `newel ledger redispatch {entry}`"
        for entry in entries[:_SHOWN]
    ]
    more = len(entries) - _SHOWN
    return [*lines, f"note: and {more} more; what has not ended in a minute is lost"] if more > 0 else lines


def failed(outcome: Outcome) -> bool:
    """Whether an action of the entry failed, or of an arrival it pulled, or a task could not be pulled."""
    held = outcome.entry is None and (outcome.reason or "").startswith("pull_failed")
    return held or (outcome.entry is not None and report_failed(outcome.entry)) or any(map(failed, outcome.pulled))


def report_failed(report: EntryReport) -> bool:
    """Whether an action of the entry failed."""
    return any(action.status.value == "failed" for action in _actions(report))


def _actions(report: EntryReport) -> list[ActionReport | SessionActionReport]:
    return [*report.actions, *report.session_actions]


def table(rows: Sequence[Sequence[object]], head: Sequence[str]) -> str:
    """Rows under a head, in columns as wide as they need to be."""
    cells = [list(head), *([safe("-" if cell is None else str(cell)) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "\n".join(lines) + "\n"
