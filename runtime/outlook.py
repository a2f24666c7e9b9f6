"""The guard of a move, and a task that stands where the move leads from, to what becomes of it as things are.

Asked by the functions that the runtime itself asks, over the seats and decisions of the ledger; guards of a host, whose
functions are not here, can only be left open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from newel.compiler.counting import counted
from newel.compiler.diff import Change
from newel.compiler.program import Guard, Joined, Move, Negated, Program
from newel.dsl.findings import Severity
from newel.dsl.slotted import frozen
from newel.runtime.ledgers.base import Reading
from newel.runtime.mattering import Standing
from newel.runtime.outcomes import GuardReason
from newel.runtime.quorum import Ruling, counting, rule, slate, standard
from newel.runtime.rows import Task

_NEVER = frozenset({GuardReason.SLATE_EMPTY, GuardReason.THRESHOLD_UNSATISFIABLE})


class Prospect(Enum):
    """What a guard comes to if it is asked now, and if it may be asked later."""

    NEVER = auto()
    UNKNOWN = auto()
    OPEN = auto()
    AT_ONCE = auto()


@frozen
class Outlook:
    """What becomes of a guard, and in words, whose subject is the guard."""

    prospect: Prospect
    told: str = ""


@dataclass(frozen=True, slots=True)
class Eyes:
    """One task where it stands, seen by one program."""

    program: Program
    view: Reading
    task: Task

    def moves(self, moves: Sequence[Move]) -> Outlook:
        """Several moves to one step: what the best of their guards comes to."""
        found = [self._of(move.guard) for move in moves]
        return max(found, key=lambda each: each.prospect.value, default=Outlook(Prospect.NEVER))

    def _of(self, guard: Guard | None) -> Outlook:
        if guard is None:
            return Outlook(Prospect.AT_ONCE, "would hold at once")
        prospect, counts = self._prospect(guard), list(self._counts(guard, short=False))
        shown = f" ({', '.join(counts)})" if counts else ""
        match prospect:
            case Prospect.AT_ONCE:
                return Outlook(prospect, f"would hold at once{shown}")
            case Prospect.OPEN:
                return Outlook(prospect, f"is still open{shown}")
            case Prospect.NEVER:
                short = ", ".join(self._counts(guard, short=True))
                return Outlook(prospect, f"can never hold{f': {short}' if short else ''}")
        return Outlook(prospect)

    def _prospect(self, guard: Guard) -> Prospect:
        if isinstance(guard, Joined):
            parts = [self._prospect(part) for part in guard.parts]
            worst, best = min(parts, key=lambda each: each.value), max(parts, key=lambda each: each.value)
            return worst if guard.kind == "&" else best
        if isinstance(guard, Negated):
            inner = self._prospect(guard.part)
            return {Prospect.AT_ONCE: Prospect.OPEN, Prospect.UNKNOWN: Prospect.UNKNOWN}.get(inner, Prospect.AT_ONCE)
        found = self._counted(guard)
        if found is None:
            return Prospect.UNKNOWN
        ruling = found[0]
        if ruling.holds:
            return Prospect.AT_ONCE
        return Prospect.NEVER if ruling.reason in _NEVER else Prospect.OPEN

    def _counts(self, guard: Guard, *, short: bool) -> Iterator[str]:
        """How many have said what each of its guards counts; or, of those that nobody can fulfil, how many may."""
        if isinstance(guard, Joined | Negated):
            for part in guard.parts if isinstance(guard, Joined) else (guard.part,):
                yield from self._counts(part, short=short)
            return
        found = self._counted(guard)
        if found is None:
            return
        ruling, seats = found
        if not short:
            yield f"{ruling.received} of {ruling.required}"
        elif ruling.reason in _NEVER:
            asked = f"{max(ruling.required or 0, 1)} asked for"
            yield f"{asked}, {seats or 'nobody'} seated"

    def _counted(self, guard: Guard) -> tuple[Ruling, int] | None:
        """What a standard guard comes to, and over how many seats."""
        question = standard(self.program.vocabulary.guards[guard.kind])
        if question is None:
            return None
        asked = question(guard)
        workflow, step = self.task.workflow or "", self.task.step or ""
        seats = slate(self.program, workflow, step, asked.role, self.view.seats(self.task.id))
        given = self.view.active_decisions(self.task.id, workflow, step)
        return rule(asked, seats, counting(self.program, workflow, step, self.task.entry_id, given)), len(seats)


# ---------------------------------------------------------------- a change, and a task


@frozen
class Seen:
    """How bad a change is for a task by what the ledger knows of it, None where that tells nothing; and in words."""

    severity: Severity | None = None
    told: str = ""


_GUARDS = ("NW814", "NW815")
_SEATS = ("NW832", "NW833", "NW837")
_SEATED = ("approval", "decision")
_MARKS = (*_SEATED, "rejection")


def guard_of(change: Change, standing: Standing) -> Seen:
    """What a change of a guard, or of the seats that guards count, comes to for a task that stands there."""
    if change.rule.code in _GUARDS:
        trigger, to, was = (str(change.fields[name]) for name in ("trigger", "to", "to_before"))
        old, new = _moves(standing.old, standing.task, trigger, was), _moves(standing.new, standing.task, trigger, to)
        asked = _asked_roles(standing.new, new) <= _asked_roles(standing.old, old)
        return _seen(standing, old, new, still="note" if asked else "warning")
    if change.rule.code in _SEATS:
        return _seats(change, standing)
    return Seen()


def _seen(standing: Standing, old: Sequence[Move], new: Sequence[Move], still: Severity, what: str = "it") -> Seen:
    """Held against the seats and decisions. What is as it was is not the change's doing."""
    now = Eyes(standing.new, standing.view, standing.task).moves(new)
    before = Eyes(standing.old, standing.view, standing.task).moves(old)
    same = now.prospect is before.prospect
    match now.prospect if new and old else Prospect.UNKNOWN:
        case Prospect.AT_ONCE:
            return Seen("note" if same else "warning", f"; {what} {now.told}{', as before' if same else ''}")
        case Prospect.NEVER:
            return Seen("warning" if same else "error", f"; {what} {now.told}{', as before' if same else ''}")
        case Prospect.OPEN:
            return Seen(still, f"; {what} {now.told}")
    return Seen()


def _seats(change: Change, standing: Standing) -> Seen:
    """The first guard that counts that role, with the seats that there are now: never less bad than the change is."""
    role, at = str(change.fields["role"]), standing.task
    for trigger, to in _ways(standing.new, at):
        old, new = (_moves(program, at, trigger, to) for program in (standing.old, standing.new))
        if role in _asked_roles(standing.new, new, _SEATED):
            seen = _seen(standing, old, new, still=change.rule.severity, what=f"the guard of the move to `{to}`")
            found: tuple[Severity, ...] = (seen.severity or "note", change.rule.severity)
            return Seen(max(found, key=_WORSE.index), seen.told)
    return Seen()


_WORSE: Sequence[Severity] = ("note", "warning", "error")


def _ways(program: Program, at: Task) -> Iterator[tuple[str, str]]:
    workflow = program.workflows.get(at.workflow or "")
    step = workflow.steps.get(at.step or "") if workflow else None
    for trigger, items in step.on.items() if step else ():
        yield from dict.fromkeys((trigger, item.to) for item in items if isinstance(item, Move))


def _moves(program: Program, at: Task, trigger: str, to: str) -> tuple[Move, ...]:
    workflow = program.workflows.get(at.workflow or "")
    step = workflow.steps.get(at.step or "") if workflow else None
    items = step.on.get(trigger, ()) if step else ()
    return tuple(item for item in items if isinstance(item, Move) and item.to == to)


def lost_by_moving(change: Change, standing: Standing) -> str:
    """What a task whose step has another name waits for, and loses when it is moved there."""
    at, view = standing.task, standing.view
    decisions = counting(standing.old, *standing.place, at.entry_id, view.active_decisions(at.id, *standing.place))
    waiting = [each for each in view.approvals(at.id) if each.status == "pending" and each.entry_id == at.entry_id]
    lost = []
    if decisions and change.rule.code == "NW804":
        lost.append(
            f"{counted(len(decisions), 'decision')} given there {'stops' if len(decisions) == 1 else 'stop'} counting"
        )
    if waiting:
        lost.append(
            f"{counted(len(waiting), 'approval')} that {'waits is' if len(waiting) == 1 else 'wait are'} abandoned"
        )
    by_that = f"; by that {' and '.join(lost)}" if lost else ""
    return f": triggers and decisions are refused until it is moved{by_that}"


def _asked_roles(program: Program, moves: Sequence[Move], marks: Sequence[str] = _MARKS) -> frozenset[str]:
    """The roles that the guards of some moves ask about."""
    return frozenset(role for move in moves if move.guard is not None for role in _roles(program, move.guard, marks))


def _roles(program: Program, guard: Guard, marks: Sequence[str]) -> Iterator[str]:
    if isinstance(guard, Joined | Negated):
        for part in guard.parts if isinstance(guard, Joined) else (guard.part,):
            yield from _roles(program, part, marks)
        return
    found = filter(None, map(program.vocabulary.guards[guard.kind].mark, marks))
    yield from (str(getattr(guard, mark.parameters[0])) for mark in found if mark.parameters)
