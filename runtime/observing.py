"""What happened, to whoever watches: one log record for each dispatched entry, and counters for the observer.

Nothing here fails a call: what an observer raises is logged and dropped. Labels come from closed sets.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import NamedTuple

from newel.runtime.casting import UNFILLED, CastNote
from newel.runtime.logs import Log
from newel.runtime.outcomes import ActionReport, ActionStatus, EntryReport, SessionActionReport, SessionStatus
from newel.runtime.ports import Observer

_log = Log("newel.entry")

NO_SESSION = "task %r has no live session: %s on %s was passed over"


class Note(NamedTuple):
    """What an action outside of entries did beside the ordinary; `casting` says how a seat came to be cast so."""

    report: ActionReport
    casting: CastNote | None


def count(observer: Observer | None, name: str, **labels: str) -> None:
    """Tell the observer that something happened once."""
    if observer is not None:
        try:
            observer.count(name, labels)
        except Exception as error:
            _log.write(logging.ERROR, "the observer failed to count %s", name, error=error)


def entry(observer: Observer | None, report: EntryReport, castings: Iterable[CastNote] = ()) -> None:
    """Tell that an entry was dispatched; `castings` are those that were out of the ordinary."""
    _record(report)
    if observer is None:
        return
    try:
        observer.entry(report)
    except Exception as error:
        _log.write(logging.ERROR, "the observer failed to take entry %d", report.entry_id, error=error)
    count(observer, "superseded" if report.superseded else "entries")
    if report.redelivery and not report.superseded:
        count(observer, "redeliveries")
    for action in report.actions:
        count(observer, "actions", kind=action.kind, outcome=action.status.value)
    for note in castings:
        _cast(observer, note)


def passed_over(task: str, trigger: str, actions: Iterable[SessionActionReport]) -> None:
    """Record the actions of a list that wanted a session and found none."""
    for action in actions:
        if action.status is SessionStatus.NO_SESSION:
            _log.write(logging.INFO, NO_SESSION, task, action.kind, trigger)


def noted(observer: Observer | None, task: str, step: str, trigger: str, notes: Iterable[Note]) -> None:
    """Tell what the actions of a list that is no entry's did beside the ordinary: failed, found nobody, made do."""
    for report, casting in notes:
        facts = {
            "task": task,
            "step": step,
            "trigger": trigger,
            "kind": report.kind,
            "position": report.position,
            "status": report.status.value,
            "reason": report.reason,
        }
        level = logging.WARNING if report.status is ActionStatus.FAILED else logging.INFO
        _log.write(level, "%s of task %r at %s: %s", trigger, task, step, _told(report), facts=facts)
        count(observer, "actions", kind=report.kind, outcome=report.status.value)
        if casting is not None:
            _cast(observer, casting)


def _cast(observer: Observer | None, note: CastNote) -> None:
    count(observer, "castings", outcome=note.value)
    if note in UNFILLED:
        count(observer, "unfillable_seats", reason=note.value)


def _record(report: EntryReport) -> None:
    failures = [
        {"kind": a.kind, "position": a.position, "reason": a.reason}
        for a in report.actions
        if a.status is ActionStatus.FAILED
    ]
    level = logging.WARNING if failures else logging.INFO
    if not _log.wants(level):
        return
    facts = {
        "entry_id": report.entry_id,
        "task": report.task,
        "step": report.step,
        "kinds": [a.kind for a in report.actions if a.status is not ActionStatus.SUPERSEDED],
        "failures": failures,
        "redelivery": report.redelivery,
        "superseded": report.superseded,
    }
    _log.write(
        level, "entry %d of task %r at %s: %s", report.entry_id, report.task, report.step, _said(report), facts=facts
    )


def _said(report: EntryReport) -> str:
    return ", ".join(map(_told, report.actions))


def _told(action: ActionReport) -> str:
    return f"{action.kind} {action.status}{f' ({action.reason})' if action.reason else ''}"
