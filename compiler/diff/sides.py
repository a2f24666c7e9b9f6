"""One step of one version to what the rules ask of it. Steps are named as in the new version, so that both compare."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from newel.compiler.exports import words
from newel.compiler.program import Action, Guard, Joined, Move, Negated, Program, Step, Workflow


def said(item: Action | Move | Guard) -> str:
    """A statement or guard as one text, wherever it stands."""
    return json.dumps(item.model_dump(mode="json", by_alias=True, exclude={"place"}), sort_keys=True)


@dataclass(frozen=True)
class Seat:
    """A seat that every task finds at a step."""

    role: str
    agent: str
    required: bool


@dataclass(frozen=True)
class Side:
    """A step of one version. `names` leads from the names of this version to those of the new one."""

    program: Program
    workflow: Workflow
    step: Step
    names: Mapping[str, str]

    def _now(self, name: str) -> str:
        return self.names.get(name, name)

    # ---------------------------------------------------------------- ways out

    @cached_property
    def moves(self) -> Mapping[tuple[str, str], tuple[Move, ...]]:
        """The moves by trigger and destination."""
        found: dict[tuple[str, str], tuple[Move, ...]] = {}
        for trigger, _, move in self._placed():
            key = (trigger, self._now(move.to))
            found[key] = (*found.get(key, ()), move)
        return found

    @property
    def approvals(self) -> Iterator[tuple[str, int, Move]]:
        """The moves that require approval, with trigger and position."""
        return (placed for placed in self._placed() if placed[2].approval)

    def _placed(self) -> Iterator[tuple[str, int, Move]]:
        for trigger, items in self.step.on.items():
            for position, item in enumerate(items):
                if isinstance(item, Move):
                    yield trigger, position, item

    @cached_property
    def pulled_by(self) -> frozenset[str]:
        """The steps that fill their places from this one."""
        others = (Side(self.program, self.workflow, step, self.names) for step in self.workflow.steps.values())
        return frozenset(self._now(other.step.name) for other in others if other.fed_by == self.step.name)

    @property
    def by_hand(self) -> bool:
        """Whether a person can take a task from here to another step."""
        others = (name for name in self.workflow.steps if name != self.step.name)
        return any(self.program.flag(self.workflow.name, name, "manual_entry") for name in others)

    @property
    def taken_by_hand(self) -> bool:
        """Whether a person can take a task here."""
        return self.program.flag(self.workflow.name, self.step.name, "manual_entry")

    @property
    def moved_on(self) -> bool:
        """Whether anything but a person moves tasks from here."""
        return bool(self.moves or self.pulled_by)

    # ---------------------------------------------------------------- lists

    def actions(self, trigger: str) -> tuple[Action, ...]:
        """What is run under a trigger."""
        return tuple(item for item in self.step.on.get(trigger, ()) if isinstance(item, Action))

    @property
    def reactions(self) -> frozenset[str]:
        """The triggers other than entry that have a list."""
        return frozenset(trigger for trigger in self.step.on if trigger != "enter")

    def owner(self, action: Action) -> str:
        """Who runs an action on entry."""
        return self.program.kind(action.kind).owner or ""

    def leads(self, move: Move) -> str:
        """Where a move leads and when, as one text."""
        return f"{self._now(move.to)} {said(move.guard) if move.guard else ''}"

    def written(self, action: Action) -> str:
        """An action as it is called."""
        return words.action(action, self.program.vocabulary)

    @property
    def clears(self) -> bool:
        """Whether entering forgets earlier decisions."""
        return any(self.cleared_by(action) for action in self.actions("enter"))

    def cleared_by(self, action: Action) -> bool:
        """Whether an action forgets earlier decisions."""
        return self.program.kind(action.kind).mark("clears") is not None

    # ---------------------------------------------------------------- seats and guards

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that every task finds here."""
        declared: list[Mapping[str, Any]] = []
        for setting in self.program.vocabulary.settings_marked("seats"):
            declared.extend(cast("Any", self.step.settings.get(setting.name)) or ())
        return tuple(Seat(seat["role"], seat["agent"], seat.get("required", True)) for seat in declared)

    @cached_property
    def ensured(self) -> frozenset[str]:
        """The roles that entering seats somebody in."""
        found = set()
        for action in self.actions("enter"):
            mark = self.program.kind(action.kind).mark("seats")
            found |= {getattr(action, name) for name in mark.parameters} if mark else set()
        return frozenset(found)

    @cached_property
    def asked(self) -> Mapping[str, Move]:
        """The roles whose seats a guard counts, with the first move that asks."""
        found: dict[str, Move] = {}
        for _, _, move in self._placed():
            for role in self.roles(move):
                found.setdefault(role, move)
        return found

    def roles(self, move: Move) -> frozenset[str]:
        """The roles whose seats the guard of a move counts; a rejection counts none."""
        found = set()
        for guard in _parts(move.guard):
            declared = self.program.vocabulary.guards[guard.kind]
            mark = declared.mark("approval") or declared.mark("decision")
            found |= {str(getattr(guard, mark.parameters[0]))} if mark and mark.parameters else set()
        return frozenset(found)

    def condition(self, moves: tuple[Move, ...]) -> str:
        """When some moves to one step are taken, in words."""
        vocabulary = self.program.vocabulary
        guards = [words.guard(move.guard, vocabulary) if move.guard else "always" for move in moves]
        return " or ".join(guards)

    def count(self, guard: Guard) -> tuple[str, int] | None:
        """A guard that asks for a number of seats: everything else about it, and the number."""
        mark = self.program.vocabulary.guards[guard.kind].mark("approval") if not _joint(guard) else None
        if mark is None or len(mark.parameters) < 2:
            return None
        name = mark.parameters[1]
        held = guard.model_dump(mode="json", by_alias=True)
        number = held.pop(name)
        return json.dumps(held, sort_keys=True), int(number)

    # ---------------------------------------------------------------- settings

    @cached_property
    def limit(self) -> int:
        """How many tasks may stand here; 0 for any number."""
        limits = (setting.name for setting in self.program.vocabulary.settings_marked("limit"))
        said = [cast("Any", self.step.settings[name]) for name in limits if self.step.settings.get(name)]
        return min(said, default=0)

    @cached_property
    def fed_by(self) -> str | None:
        """The step that free places are filled from, by its name in this version."""
        pulls = (setting.name for setting in self.program.vocabulary.settings_marked("pull"))
        said = [str(self.step.settings[name]) for name in pulls if self.step.settings.get(name)]
        return said[-1] if said and self.limit else None

    @property
    def feeder(self) -> str | None:
        """The same by its name now."""
        return None if self.fed_by is None else self._now(self.fed_by)

    @property
    def signal(self) -> bool:
        """Whether a finished turn waits for a signal."""
        return self.program.flag(self.workflow.name, self.step.name, "signal")

    @property
    def cancel(self) -> bool:
        """Whether a turn that a person cancels counts as finished."""
        return self.program.flag(self.workflow.name, self.step.name, "cancel")


def _joint(guard: Guard) -> bool:
    return isinstance(guard, Joined | Negated)


def _parts(guard: Guard | None) -> Iterator[Guard]:
    """The single guards that a guard is made of, but for those that must not hold."""
    if isinstance(guard, Joined):
        for part in guard.parts:
            yield from _parts(part)
    elif guard is not None and not isinstance(guard, Negated):
        yield guard


# ---------------------------------------------------------------- which of two guards lets more through


def looser(before: Side, old: tuple[Move, ...], after: Side, new: tuple[Move, ...]) -> bool:
    """Whether whatever let a task through before still does, and more does now."""
    if any(move.guard is None for move in new):
        return all(move.guard is not None for move in old)
    if any(move.guard is None for move in old):
        return False
    was = [part for move in old for part in _split(move.guard, "|")]
    now = [part for move in new for part in _split(move.guard, "|")]
    covered = all(any(_implies(before, part, after, other) for other in now) for part in was)
    return covered and not all(any(_implies(after, part, before, other) for other in was) for part in now)


def _split(guard: Guard | None, joint: str) -> tuple[Guard, ...]:
    if isinstance(guard, Joined) and guard.kind == joint:
        return tuple(part for inner in guard.parts for part in _split(inner, joint))
    return () if guard is None else (guard,)


def _implies(here: Side, one: Guard, there: Side, other: Guard) -> bool:
    """Whether the other holds wherever the one does: by each of its parts being asked of the one too."""
    parts = _split(one, "&")
    return all(any(_at_least(here, part, there, wanted) for part in parts) for wanted in _split(other, "&"))


def _at_least(here: Side, one: Guard, there: Side, other: Guard) -> bool:
    if said(one) == said(other):
        return True
    counted, wanted = here.count(one), there.count(other)
    return counted is not None and wanted is not None and counted[0] == wanted[0] and counted[1] >= wanted[1]
