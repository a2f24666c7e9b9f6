"""What happened, to whoever watches: one log record for each dispatched entry, and counters for the observer.

Nothing here fails a call: what an observer raises is logged and dropped. Labels come from closed sets.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import NamedTuple

from newel.runtime.outcomes import ActionReport, ActionStatus, EntryReport, SessionActionReport, SessionStatus
from newel.runtime.ports import Observer

_log = logging.getLogger("newel.entry")


class Note(NamedTuple):
    """What an action outside of entries did beside the ordinary; `unfillable` says why a seat stayed empty."""

    report: ActionReport
    unfillable: str | None


def count(observer: Observer | None, name: str, **labels: str) -> None:
    """Tell the observer that something happened once."""
    if observer is not None:
        try:
            observer.count(name, labels)
        except Exception:
            _log.exception("the observer failed to count %s", name)


def entry(observer: Observer | None, report: EntryReport, unfillable: Iterable[str] = ()) -> None:
    """Tell that an entry was dispatched; `unfillable` are the reasons of seats that stayed empty."""
    _record(report)
    if observer is None:
        return
    try:
        observer.entry(report)
    except Exception:
        _log.exception("the observer failed to take entry %d", report.entry_id)
    count(observer, "superseded" if report.superseded else "entries")
    if report.redelivery and not report.superseded:
        count(observer, "redeliveries")
    for action in report.actions:
        count(observer, "actions", kind=action.kind, outcome=action.status.value)
    for reason in unfillable:
        count(observer, "unfillable_seats", reason=reason)


def passed_over(task: str, trigger: str, actions: Iterable[SessionActionReport]) -> None:
    """Record the actions of a list that wanted a session and found none."""
    for action in actions:
        if action.status is SessionStatus.NO_SESSION:
            _log.info("task %r has no live session: %s on %s was passed over", task, action.kind, trigger)


def noted(observer: Observer | None, task: str, step: str, trigger: str, notes: Iterable[Note]) -> None:
    """Tell what the actions of a list that is no entry's did beside the ordinary: failed, found nobody, made do."""
    for report, unfillable in notes:
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
        _log.log(level, "%s of task %r at %s: %s", trigger, task, step, _told(report), extra=facts)
        count(observer, "actions", kind=report.kind, outcome=report.status.value)
        if unfillable is not None:
            count(observer, "unfillable_seats", reason=unfillable)


def _record(report: EntryReport) -> None:
    failures = [
        {"kind": a.kind, "position": a.position, "reason": a.reason}
        for a in report.actions
        if a.status is ActionStatus.FAILED
    ]
    level = logging.WARNING if failures else logging.INFO
    if not _log.isEnabledFor(level):
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
    _log.log(
        level, "entry %d of task %r at %s: %s", report.entry_id, report.task, report.step, _said(report), extra=facts
    )


def _said(report: EntryReport) -> str:
    return ", ".join(map(_told, report.actions))


def _told(action: ActionReport) -> str:
    return f"{action.kind} {action.status}{f' ({action.reason})' if action.reason else ''}"
