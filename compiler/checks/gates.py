"""The ways of a workflow turned into its gates: who is asked to decide at a step, who is woken, who sits there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from newel.compiler.checks.flow import Flow
from newel.compiler.checks.loops import DECIDES
from newel.compiler.model import (
    Action,
    GuardCall,
    GuardTree,
    Joined,
    Json,
    Negated,
    Step,
    role_of,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A guard that asks what a role has decided: `mark` is `approval`, `rejection` or `decision`. `negated` where it is
    asked so that it must not hold."""

    mark: str
    role: str
    call: GuardCall
    negated: bool


@dataclass(frozen=True, slots=True)
class Woken:
    """An action of the entry that acts for a role, and where in the list it stands."""

    role: str
    action: Action
    index: int


@dataclass(eq=False)
class Gate:
    """A step at which a role is asked or woken. `carried` are the roles seated on every way into it."""

    flow: Flow
    step: Step
    carried: frozenset[str]

    @cached_property
    def asked(self) -> Sequence[Asked]:
        """What its guards ask, in the order of the file."""
        return list(_asked(self.step))

    @cached_property
    def woken(self) -> Sequence[Woken]:
        """The roles its entry wakes."""
        return list(_acting(self.step, "wakes"))

    @cached_property
    def seating(self) -> Sequence[Woken]:
        """The roles its entry seats."""
        return list(_acting(self.step, "seats"))

    @cached_property
    def template(self) -> Mapping[str, int]:
        """How many seats that must decide its settings give each role; 0 where none of the role's has to."""
        seats = {(seat.get("role"), seat.get("agent")): seat for seat in _seats(self.flow, self.step)}
        counted: Counter[str] = Counter()
        for (role, _), seat in seats.items():
            if isinstance(role, str):
                counted[role] += seat.get("required") is not False
        return counted

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """Whatever names the arguments of waking actions hold: a single agent may be woken by its role, too."""
        waking = (action for action in self.step.actions() if "wakes" in action.kind.marks)
        return frozenset(name for action in waking for name in _names(action.args))

    @cached_property
    def seated_before(self) -> frozenset[str]:
        """The roles somebody sits in before the entry list begins: by the step's settings, or from before."""
        return self.carried | {role for role, count in self.template.items() if count}

    @cached_property
    def seated(self) -> frozenset[str]:
        """The roles somebody sits in here once it has been entered."""
        return self.seated_before | {seat.role for seat in self.seating}

    @cached_property
    def cleared(self) -> tuple[int, Action] | None:
        """The first action of the entry that clears decisions, and where it stands."""
        cleared = ((i, action) for i, action in enumerate(self.step.actions()) if "clears" in action.kind.marks)
        return next(cleared, None)


def gates(flow: Flow) -> Iterator[Gate]:
    """The gates of a workflow; a step that was not wholly understood is none."""
    carried = _carried(flow)
    for name, step in flow.steps.items():
        if not step.incomplete:
            gate = Gate(flow, step, carried[name])
            if gate.asked or gate.woken:
                yield gate


def _asked(step: Step) -> Iterator[Asked]:
    for on, move in step.moves():
        if not on.trigger.guarded:
            continue  # a guard that nobody reads asks nothing: that it is not read is told
        for call, negated in _polarities(move.guard):
            for mark in sorted(DECIDES & call.guard.marks.keys()):
                role = role_of(call, mark)
                if role is not None:
                    yield Asked(mark, role, call, negated)


def _acting(step: Step, mark: str) -> Iterator[Woken]:
    for index, action in enumerate(step.actions()):
        if mark in action.kind.marks and (role := role_of(action, mark)) is not None:
            yield Woken(role, action, index)


def _names(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _names(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)


def _seats(flow: Flow, step: Step) -> Iterator[dict[str, Json]]:
    for value in flow.model.given(step, "seats"):
        items = value.value if isinstance(value.value, list) else [value.value]
        yield from (item for item in items if isinstance(item, dict))


def _carried(flow: Flow) -> Mapping[str, frozenset[str]]:
    """The roles that an entry has seated on every way into each step, from the start on.

    Only seats of the task itself go with it: those a step's settings give stay with the step. A step that was not
    wholly understood may seat anybody.
    """
    own = {name: {seat.role for seat in _acting(step, "seats")} for name, step in flow.steps.items()}
    everybody = set[str]().union(*own.values())
    if any(step.incomplete for step in flow.steps.values()):
        everybody.update(_needed(flow))
    lacking: dict[str, set[str]] = {name: set() for name in flow.steps}
    for role in sorted(everybody):
        seating = {name for name, step in flow.steps.items() if step.incomplete or role in own[name]}
        for name in _unseated(flow, seating):
            lacking[name].add(role)
    return {name: frozenset(everybody - roles) for name, roles in lacking.items()}


def _needed(flow: Flow) -> Iterator[str]:
    """The roles asked or woken anywhere."""
    for step in flow.steps.values():
        yield from (asked.role for asked in _asked(step))
        yield from (woken.role for woken in _acting(step, "wakes"))


def _unseated(flow: Flow, seating: set[str]) -> set[str]:
    """The steps a task can come to without having been at one of those that seat; creating counts for a start."""
    entered = flow.entered
    todo = [name for name, step in flow.steps.items() if step.start is not None or name not in entered]
    seen: set[str] = set()
    by_hand = set(flow.by_hand)
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name not in seating:
            todo.extend(flow.edges[name])
            # By hand one gets into every such step but the one one stands at: from the second step on, into all.
            todo.extend(by_hand - {name})
            by_hand &= {name}
    return seen


def _polarities(guard: GuardTree | None, negated: bool = False) -> Iterator[tuple[GuardCall, bool]]:
    """The guards of a tree, each with whether it is asked so that it must not hold."""
    if isinstance(guard, GuardCall):
        yield guard, negated
    elif isinstance(guard, Negated):
        yield from _polarities(guard.part, not negated)
    elif isinstance(guard, Joined):
        for part in guard.parts:
            yield from _polarities(part, negated)
