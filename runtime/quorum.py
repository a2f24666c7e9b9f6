"""Seats and decisions, as rows, to whether a guard over them holds, and if not, why. Reads nothing, writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

from newel.compiler.program import Action, Guard, GuardDef, KindDef, Program, Vocabulary
from newel.compiler.verdicts import APPROVED, REJECTED
from newel.dsl.slotted import frozen
from newel.runtime.errors import UnknownRole
from newel.runtime.outcomes import GuardReason
from newel.runtime.rows import Decision, Seat


@frozen
class Ruling:
    """Why a guard does not hold, None where it does. `required` and `received` are None where nothing is counted."""

    reason: GuardReason | None = None
    required: int | None = None
    received: int | None = None

    @property
    def holds(self) -> bool:
        """Whether the guard holds."""
        return self.reason is None


# ---------------------------------------------------------------- the slate


def template_seats(program: Program, workflow: str, step: str) -> tuple[Seat, ...]:
    """The seats that every task finds at a step, in declared order; a seat's id is `<step>/<role>/<agent>`."""
    settings = program.workflows[workflow].steps[step].settings
    declared: list[Any] = []
    for setting in program.vocabulary.settings_marked("seats"):
        declared.extend(cast("list[Any]", settings.get(setting.name) or ()))
    return tuple(
        Seat(
            id=f"{step}/{seat['role']}/{seat['agent']}",
            task=None,
            workflow=workflow,
            step=step,
            role=seat["role"],
            agent=seat["agent"],
            required=seat.get("required", True),
            position=position,
            origin="template",
        )
        for position, seat in enumerate(declared)
    )


def slate(program: Program, workflow: str, step: str, role: str, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """The seats that must decide in a role at a step, in (position, agent) order, one for each agent.

    `seats` are the task's own, of any workflow and step. Who is woken, who is counted and whether a seat is missing are
    all read off here, so that they cannot differ.
    """
    own = sorted((s for s in seats if s.workflow == workflow), key=lambda s: (s.step != step, s.id))
    chosen: dict[str, Seat] = {}
    for seat in (*own, *template_seats(program, workflow, step)):
        if seat.role == role and seat.required:
            chosen.setdefault(seat.agent, seat)
    return tuple(sorted(chosen.values(), key=lambda s: (s.position, s.agent)))


# ---------------------------------------------------------------- roles


def roles(vocabulary: Vocabulary) -> tuple[str, ...]:
    """The roles of a vocabulary, in declared order: the cases of whatever its marks name as the role."""
    found: dict[str, None] = {}
    with_roles: tuple[GuardDef | KindDef, ...] = (*vocabulary.guards.values(), *vocabulary.kinds.values())
    for declared in with_roles:
        named = {mark.parameters[0] for mark in declared.marks if mark.parameters}
        for parameter in declared.parameters:
            if parameter.name in named and parameter.type.name in vocabulary.types:
                found.update((case.name, None) for case in vocabulary.types[parameter.type.name].cases)
    return tuple(found)


def known_role(program: Program, role: str) -> str:
    """That role. Raises `UnknownRole` where the program has roles and it is none of them, or it is blank."""
    known = roles(program.vocabulary)
    if not role or (known and role not in known):
        close = get_close_matches(str(role), known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"roles are {', '.join(known)}"
        raise UnknownRole(f"the program has no role {role!r}; {hint}")
    return role


# ---------------------------------------------------------------- decisions


def clears(program: Program, workflow: str, step: str) -> bool:
    """Whether entering a step clears its decisions."""
    items = program.workflows[workflow].steps[step].on.get("enter", ())
    return any(isinstance(item, Action) and program.kind(item.kind).mark("clears") for item in items)


def counting(
    program: Program, workflow: str, step: str, entry: int | None, decisions: Iterable[Decision]
) -> tuple[Decision, ...]:
    """The decisions that count at a step, by id.

    Where entering clears, those of an earlier entry do not count even if they are still there: the clearing may have
    been lost in a crash, and an old approval must not let anything through.
    """
    fresh_only = clears(program, workflow, step)
    given = (d for d in decisions if (d.workflow, d.step) == (workflow, step) and not d.superseded)
    return tuple(sorted((d for d in given if not fresh_only or d.entry_id == entry), key=lambda d: d.id))


def verdicts(seats: Sequence[Seat], role: str, decisions: Iterable[Decision]) -> dict[str, str]:
    """The latest verdict of each seat by its agent; a decision of somebody who has no seat is none."""
    seated = {seat.agent for seat in seats}
    return {d.decider: d.verdict for d in decisions if d.role == role and d.decider in seated}


def rejections(role: str, decisions: Iterable[Decision]) -> int:
    """How many have a rejection standing: people in whatever role, everybody else in this one."""
    latest = {(d.decider_kind, d.decider, d.role): d.verdict for d in decisions if _heard(d, role)}
    return len({who[:2] for who, verdict in latest.items() if verdict in REJECTED})


def _heard(decision: Decision, role: str) -> bool:
    return decision.role == role or decision.decider_kind == "human"


# ---------------------------------------------------------------- thresholds


def _all_approve(seats: int, _: int) -> int:
    return seats


def _majority(seats: int, _: int) -> int:
    return seats // 2 + 1


def _count(_: int, count: int) -> int:
    return count


@frozen
class Threshold:
    """How many seats a guard needs, of those with which verdicts; a guard over rejections asks no slate."""

    mark: str
    required: Callable[[int, int], int] = _all_approve
    counts: Callable[[str], bool] = APPROVED.__eq__


def _any_verdict(_: str) -> bool:
    return True


THRESHOLDS: Mapping[str, Threshold] = {
    "all_approve": Threshold("approval"),
    "all_decide": Threshold("decision", counts=_any_verdict),
    "any_reject": Threshold("rejection"),
    "majority_approve": Threshold("approval", _majority),
    "n_approve": Threshold("approval", _count),
}
"""The guards of the standard vocabulary."""


@frozen
class Question:
    """What a standard guard asks: its threshold, the role and, for the guard that has one, the count."""

    threshold: Threshold
    role: str
    count: int


def standard(definition: GuardDef) -> Callable[[Guard], Question] | None:
    """How a declared guard is read as a standard one; None for any other.

    The name alone is not enough: its mark says which parameters are the role and the count.
    """
    threshold = THRESHOLDS.get(definition.name)
    mark = definition.mark(threshold.mark) if threshold else None
    if threshold is None or mark is None or len(mark.parameters) < 1 + (threshold.required is _count):
        return None
    role, *count = mark.parameters
    return lambda guard: Question(threshold, getattr(guard, role), getattr(guard, count[0]) if count else 0)


def rule(question: Question, seats: Sequence[Seat], decisions: Sequence[Decision]) -> Ruling:
    """Whether a standard guard holds, over its role's slate and the decisions that count."""
    threshold, role = question.threshold, question.role
    if threshold.mark == "rejection":
        return _compared(1, rejections(role, decisions))
    required = threshold.required(len(seats), question.count)
    received = sum(map(threshold.counts, verdicts(seats, role, decisions).values()))
    if not seats:
        return Ruling(GuardReason.SLATE_EMPTY, required, received)
    if required > len(seats):
        return Ruling(GuardReason.THRESHOLD_UNSATISFIABLE, required, received)
    return _compared(required, received)


def _compared(required: int, received: int) -> Ruling:
    return Ruling(None if received >= required else GuardReason.THRESHOLD_NOT_MET, required, received)
