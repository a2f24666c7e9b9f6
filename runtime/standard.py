"""The standard kinds that are dispatched, to what they do to the ledger's tables. All are database actions.

Each takes effect at most once for an entry by what the tables hold: none reads a record that it ran already. The
function's name is the kind's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from newel.compiler.operation_ids import unmistakable
from newel.compiler.program import Program
from newel.runtime.asking import Answers, Question
from newel.runtime.casting import Casting, CastNote, cast
from newel.runtime.errors import NewelError, UnknownTask
from newel.runtime.ledgers.base import Transaction
from newel.runtime.outcomes import ActionStatus
from newel.runtime.ports import Context
from newel.runtime.quorum import slate, template_seats
from newel.runtime.rows import Seat


@dataclass(frozen=True, slots=True)
class Effect:
    """What one action did. `casting` says what was out of the ordinary about one, for the counter of those; `error`
    is what made it fail, to be raised where a failure stops the list."""

    status: ActionStatus
    reason: str | None = None
    casting: CastNote | None = None
    error: Exception | None = None


APPLIED = Effect(ActionStatus.APPLIED)
UNCHANGED = Effect(ActionStatus.UNCHANGED)
REDELIVERED = Effect(ActionStatus.REDELIVERED)


def failure(error: Exception) -> str:
    """What an exception says, as a record's reason: a text that every database takes, whatever the exception is."""
    try:
        said = str(error)
    except Exception:
        said = "it cannot say what it is"
    reason = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return reason.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


@dataclass(frozen=True, slots=True)
class Work:
    """What a standard kind works with: the open transaction, the program that is run, what the agents port answered."""

    tx: Transaction
    program: Program
    context: Context
    answers: Answers

    def slate(self, role: str) -> tuple[Seat, ...]:
        """The seats of a role at the step."""
        here = self.context
        return slate(self.program, here.workflow, here.step, role, self.tx.seats(here.task))


@dataclass(frozen=True, slots=True)
class Standard:
    """A standard kind: what it does, and what it must ask the agents port before."""

    run: Callable[[Any, Work], Effect]
    questions: Callable[[Any, str], Iterable[Question]]


STANDARD: dict[str, Standard] = {}
"""By kind."""


def _nothing(action: Any, task: str) -> Iterable[Question]:  # noqa: ARG001 - the shape of all such functions
    return ()


def _standard(
    questions: Callable[[Any, str], Iterable[Question]] = _nothing,
) -> Callable[[Callable[[Any, Work], Effect]], Callable[[Any, Work], Effect]]:
    def register(function: Callable[[Any, Work], Effect]) -> Callable[[Any, Work], Effect]:
        STANDARD[function.__name__] = Standard(function, questions)
        return function

    return register


# ---------------------------------------------------------------- decisions and seats


@_standard()
def clear_decisions(action: Any, work: Work) -> Effect:  # noqa: ARG001 - it has no parameters
    """On entry only the decisions of earlier entries: one given under this entry survives a redelivery."""
    here = work.context
    before = here.entry_id if here.trigger == "enter" else None
    return APPLIED if work.tx.clear_decisions(here.task, here.workflow, here.step, before) else UNCHANGED


def _casting_questions(action: Any, task: str) -> Iterable[Question]:
    return Question("candidates", action.role), Question("runner", task=task)


@_standard(_casting_questions)
def ensure_participant_seat(action: Any, work: Work) -> Effect:
    """Seats somebody where the very slate that is woken and counted is empty."""
    here, role = work.context, action.role
    if work.slate(role):
        return UNCHANGED
    try:
        casting = _cast(work, role)
    except Exception as error:
        return Effect(ActionStatus.FAILED, failure(error), CastNote.ERROR, error)
    if casting.agent is None:
        return Effect(ActionStatus.UNCHANGED, casting.note, casting.note)
    seat = work.tx.add_seat(
        here.task, here.workflow, here.step, role=role, agent=casting.agent, ensured_by=here.entry_id
    )
    if seat is None:
        return Effect(ActionStatus.UNCHANGED, _in_the_way(work, role, casting.agent), CastNote.NOT_REQUIRED)
    return Effect(ActionStatus.APPLIED, casting.note, casting.note)


def _cast(work: Work, role: str) -> Casting:
    here = work.context
    own = (s for s in work.tx.seats(here.task) if s.workflow == here.workflow)
    others = (*own, *template_seats(work.program, here.workflow, here.step))
    seated = {s.agent for s in others if s.role != role}
    return cast(work.answers.candidates(role), work.answers.runner(here.task), seated)


def _in_the_way(work: Work, role: str, agent: str) -> str:
    """Whose seat keeps another from being made: the one there is need not decide, or the slate would not be empty."""
    here = work.context
    there = [s for s in work.tx.seats(here.task) if (s.workflow, s.role) == (here.workflow, role)]
    same = any((s.step, s.agent) == (here.step, agent) for s in there)
    whose = agent if same else next((s.agent for s in there if s.origin == "ensured"), agent)
    return f"{whose} has such a seat already, and it need not decide"


# ---------------------------------------------------------------- runs


def run_key(context: Context, seat: int | str | None = None) -> str | None:
    """The key under which a run is queued once; None without an operation id, outside entries."""
    of_seat = "" if seat is None else f":{unmistakable(str(seat))}"
    if context.trigger == "enter":
        return f"{context.entry_id}:{context.position}{of_seat}"
    if not context.operation_id:
        return None
    return f"{context.operation_id}:{context.entry_id}:{context.position}{of_seat}"


def _case(value: Any) -> tuple[str, Mapping[str, Any]]:
    """A value of a type with cases to the case's name and its fields."""
    if isinstance(value, str):
        return value, {}
    fields: dict[str, Any] = dict(vars(value))  # a model's own fields; asking it for them as a mapping is slow
    return fields.pop("case"), fields


def _task(action: Any, this: str) -> str:
    _, fields = _case(action.task)
    return str(fields.get("id", this))


def _target_questions(action: Any, task: str) -> Iterable[Question]:
    name, fields = _case(action.target)
    return () if fields else (Question("target", name, _task(action, task)),)


def _agent(action: Any, work: Work) -> str:
    name, fields = _case(action.target)
    if "role" in fields:
        seats = work.slate(fields["role"])
        if not seats:
            raise NewelError(f"nobody sits in the role {fields['role']!r}")
        return seats[0].agent
    return str(fields["id"]) if fields else work.answers.target(_task(action, work.context.task), name)


@_standard(_target_questions)
def queue_run(action: Any, work: Work) -> Effect:
    """One run, for one agent."""
    task = _task(action, work.context.task)
    if task != work.context.task and work.tx.task(task) is None:
        raise UnknownTask(f"there is no task {task!r}")
    payload = None if action.payload is None else dict(action.payload)
    return _queue(work, task, _agent(action, work), action.reason, payload)


@_standard()
def queue_run_for_each_participant(action: Any, work: Work) -> Effect:
    """One run for each seat of the slate, all or none; done once for an entry, whoever is seated later."""
    here = work.context
    if here.trigger == "enter" and here.entry_id is not None and work.tx.has_runs(here.entry_id, here.position):
        return REDELIVERED
    seats = work.slate(action.role)
    if not seats:
        return Effect(ActionStatus.UNCHANGED, "slate_empty")
    payload = None if action.payload is None else dict(action.payload)
    effects = {_queue(work, here.task, seat.agent, action.reason, payload, seat.id) for seat in seats}
    return APPLIED if APPLIED in effects else REDELIVERED


def _review_questions(action: Any, task: str) -> Iterable[Question]:
    return () if action.agent is not None else (Question("target", "code_reviewer", task),)


@_standard(_review_questions)
def run_code_review(action: Any, work: Work) -> Effect:
    """One run, for the agent the action names, else for the code reviewer."""
    task = work.context.task
    if action.agent is None:
        return _queue(work, task, work.answers.target(task, "code_reviewer"), None, None)
    profile = {name: value for name, value in dict(action.agent).items() if value is not None}
    return _queue(work, task, profile["name"], None, {"agent": profile})


def _queue(
    work: Work,
    task: str,
    agent: str,
    reason: str | None,
    payload: Mapping[str, Any] | None,
    seat: int | str | None = None,
) -> Effect:
    here = work.context
    queued = work.tx.add_run(
        task,
        source=here.task,
        step=here.step,
        agent=agent,
        reason=here.trigger if reason is None else reason,
        payload=payload,
        entry_id=here.entry_id,
        position=here.position,
        trigger=here.trigger,
        key=run_key(here, seat),
    )
    return APPLIED if queued else REDELIVERED
