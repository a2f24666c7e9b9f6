"""A program on a ledger in memory, and lines that act on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from newel.compiler.program import Program
from newel.compiler.scenarios.script import Line
from newel.runtime.advising import advice
from newel.runtime.errors import NewelError
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import EntryReport, Outcome, OutcomeKind
from newel.runtime.ports import Actor, Agents
from newel.runtime.rows import ActorKind, Approval, Seat, Task
from newel.runtime.scenarios.acts import Act, Examined, Ran
from newel.runtime.scenarios.moves import actions, after_decision, examined, listed, under_trigger
from newel.runtime.scenarios.standins import Ask, LiveSession, StandIns
from newel.runtime.service import Service

PERSON = Actor.human()


@dataclass(frozen=True, slots=True)
class _Before:
    """What was in the ledger before a line."""

    at: Task | None
    row: int
    run: int
    approvals: tuple[Approval, ...]
    seats: tuple[Seat, ...]


class Stage:
    """One ledger, and the service on it. `own` are the host's handlers, `ask` answers for guards that nobody gave."""

    def __init__(
        self, program: Program, workflow: str, agents: Agents, own: Handlers | None = None, ask: Ask | None = None
    ) -> None:
        self.program, self.workflow = program, workflow
        self._standins = StandIns(program, own, ask)
        self.service = Service(
            program, open_ledger("memory:"), self._standins.handlers(), agents=agents, sessions=LiveSession()
        )
        self._verbs: Mapping[str, Callable[[Line], Outcome | EntryReport | None]] = {
            "create": self._create,
            "seat": self._seat,
            "decide": self._decide,
            "fire": self._fire,
            "move": self._move,
            "approve": self._approve,
            "reject": self._reject,
            "switch": self._switch,
            "redispatch": self._redispatch,
        }

    def given(self, line: Line) -> None:
        """Let a guard answer so from here on."""
        self._standins.answers[str(line.words["guard"])] = line.words["answer"] is True

    def standing(self, task: str) -> Task | None:
        """Where a task stands; None where it has not been created."""
        return next((each for each in self.service.tasks() if each.id == task), None)

    def pending(self, task: str) -> tuple[Approval, ...]:
        """The approvals that wait under a task's entry."""
        at = self.standing(task)
        if at is None:
            return ()
        found = self.service.approvals(task)
        return tuple(each for each in found if each.status == "pending" and each.entry_id == at.entry_id)

    def act(self, line: Line) -> Act:
        """Do what a line says. Whatever it raises is part of what came of it."""
        before = self._before(line.task)
        self._standins.unanswered.clear()
        done: Outcome | EntryReport | None = None
        error = None
        try:
            done = self._verbs[line.form](line)
        except Exception as raised:
            error = raised
        outcome = done if isinstance(done, Outcome) else None
        rows = tuple(row for task in self.service.tasks() for row in self.service.history(task.id))
        rows = tuple(sorted((row for row in rows if row.id > before.row), key=lambda row: row.id))
        left = [(row.from_workflow, row.from_step) for row in rows if row.from_step is not None]
        leaving = (ran for place in left for ran in actions(self.program, *place, "exit"))
        return Act(
            line,
            outcome,
            done if isinstance(done, EntryReport) else None,
            error,
            self.standing(line.task),
            rows,
            (*self._listed(line, before, outcome), *leaving),
            tuple(run for run in self.service.runs() if run.id > before.run),
            self._asked(line.task, before),
            self._examined(line, before, outcome),
            tuple(dict.fromkeys(self._standins.unanswered)),
            tuple(self._advice(line, before, outcome)),
        )

    def _advice(self, line: Line, before: _Before, outcome: Outcome | None) -> Iterator[str]:
        """What is said of a decision, as `newel task decide` says it."""
        if before.at is None or outcome is None or outcome.decision_id is None:
            return
        role, who, verdict = (str(line.words[name]) for name in ("role", "who", "verdict"))
        kind: ActorKind = "human" if line.words.get("person") is True else "agent"
        yield from advice(self.program, before.at, before.seats, role=role, decider=who, kind=kind, verdict=verdict)

    # ---------------------------------------------------------------- before and after

    def _before(self, task: str) -> _Before:
        at = self.standing(task)
        rows = [row.id for each in self.service.tasks() for row in self.service.history(each.id)]
        runs = [run.id for run in self.service.runs()]
        approvals = self.service.approvals(task) if at is not None else ()
        seats = self.service.seats(task) if at is not None else ()
        return _Before(at, max(rows, default=0), max(runs, default=0), approvals, seats)

    def _asked(self, task: str, before: _Before) -> tuple[Approval, ...]:
        if self.standing(task) is None:
            return ()
        known = {each.id for each in before.approvals}
        return tuple(each for each in self.service.approvals(task) if each.id not in known)

    def _listed(self, line: Line, before: _Before, outcome: Outcome | None) -> tuple[Ran, ...]:
        if line.form != "fire" or outcome is None or before.at is None or before.at.step is None:
            return ()
        return tuple(listed(self.program, before.at, str(line.words["trigger"]), outcome))

    def _examined(self, line: Line, before: _Before, outcome: Outcome | None) -> tuple[Examined, ...]:
        at = before.at
        if outcome is None or at is None or at.step is None or outcome.kind is OutcomeKind.IDEMPOTENT:
            return ()
        if line.form == "approve":
            return tuple(self._approved(before.approvals, at, outcome))
        if line.form == "decide":
            moves = after_decision(self.program, at)
        elif line.form == "fire" and (outcome.kind is not OutcomeKind.STAYED or outcome.reason is None):
            moves = under_trigger(self.program, at, str(line.words["trigger"]))
        else:
            return ()
        return tuple(examined(moves, at, outcome, self.service.approvals(at.id)))

    def _approved(self, before: tuple[Approval, ...], at: Task, outcome: Outcome) -> list[Examined]:
        waiting = {each.id for each in self.service.approvals(at.id) if each.status == "pending"}
        settled = [each for each in before if each.status == "pending" and each.id not in waiting]
        guards = {trigger: under_trigger(self.program, at, trigger) for trigger in {each.trigger for each in settled}}
        return [
            Examined(at.workflow or "", at.step or "", each.trigger, each.position, _held(guards, each), taken=True)
            for each in settled
            if outcome.kind in (OutcomeKind.MOVED, OutcomeKind.QUEUED)
        ]

    # ---------------------------------------------------------------- verbs

    def _create(self, line: Line) -> Outcome:
        return self.service.create(line.task, self.workflow, _text(line, "step"), actor=PERSON)

    def _seat(self, line: Line) -> None:
        at = self.service.task(line.task)
        step = _text(line, "step") or at.step
        if step is None:
            raise NewelError("the task stands at no step: name one with `step=`")
        self.service.seat(
            line.task,
            step=step,
            role=str(line.words["role"]),
            agent=str(line.words["agent"]),
            decision_required=line.words.get("required") is not False,
        )

    def _decide(self, line: Line) -> Outcome:
        who = str(line.words["who"])
        return self.service.decide(
            line.task,
            role=str(line.words["role"]),
            decider=who,
            verdict=str(line.words["verdict"]),
            note=_text(line, "note"),
            actor=Actor.human(who) if line.words.get("person") is True else None,
        )

    def _fire(self, line: Line) -> Outcome:
        payload: Any = line.words.get("payload")
        cancelled = line.words.get("cancelled") is True
        with self.service.cause("user_cancellation", PERSON) if cancelled else nullcontext():
            return self.service.handle(
                line.task,
                str(line.words["trigger"]),
                payload=payload,
                signalled=line.words.get("signalled") is True,
            )

    def _move(self, line: Line) -> Outcome:
        return self.service.move(line.task, str(line.words["step"]), actor=PERSON)

    def _waiting(self, line: Line) -> Approval:
        to = _text(line, "to")
        found = [each for each in self.pending(line.task) if to in (None, each.to)]
        if not found:
            raise NewelError("no approval waits under the task's entry" + (f" to go to {to}" if to else ""))
        if len({each.to for each in found}) > 1:
            raise NewelError(f"several approvals wait: name one with `to=`: {', '.join(each.to for each in found)}")
        return found[0]

    def _approve(self, line: Line) -> Outcome:
        return self.service.approve(self._waiting(line).id, actor=PERSON)

    def _reject(self, line: Line) -> Outcome:
        return self.service.reject(self._waiting(line).id, actor=PERSON)

    def _switch(self, line: Line) -> Outcome:
        return self.service.switch(line.task, str(line.words["workflow"]), _text(line, "step"), actor=PERSON)

    def _redispatch(self, line: Line) -> EntryReport:
        at = self.service.task(line.task)
        if at.entry_id is None:
            raise NewelError("the task stands in no entry")
        return self.service.redispatch(at.entry_id)

    def close(self) -> None:
        """Let go of the ledger."""
        self.service.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _text(line: Line, name: str) -> str | None:
    value = line.words.get(name)
    return value if isinstance(value, str) else None


def _held(moves: Mapping[str, Any], approval: Approval) -> bool | None:
    found = [move for _, position, move in moves[approval.trigger] if position == approval.position]
    return True if found and found[0].guard is not None else None
