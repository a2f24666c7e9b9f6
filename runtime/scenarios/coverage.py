"""Acts to what was seen of the workflows: steps arrived at, moves taken, guards both ways, entry actions run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from newel.compiler.program import Action, Move, Place, Program, Workflow
from newel.runtime.scenarios.acts import Act, reports

What = Literal["steps", "moves", "guards", "entry actions"]
WHATS: tuple[What, ...] = ("steps", "moves", "guards", "entry actions")

Key = tuple[str, ...]
"""What a point is: the family, then the file and workflow it is in, then where in it."""


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that scenarios may see; `missed` says in the reader's terms that none did."""

    what: What
    workflow: str
    missed: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class Tally:
    """How many points there are, and how many were seen."""

    seen: int
    all: int


@dataclass(slots=True)
class Coverage:
    """All points of some programs, and those that were seen."""

    points: dict[Key, Point] = field(default_factory=dict)
    seen: set[Key] = field(default_factory=set)

    def add(self, program: Program, acts: Iterable[Act]) -> None:
        """Take in a program, and what scenarios did on it."""
        homes = {name: _home(workflow) for name, workflow in program.workflows.items()}
        for workflow in program.workflows.values():
            self.points.update(_points(workflow))
        for act in acts:
            self.seen.update(_seen(act, homes))

    def tally(self, what: What | None = None, workflow: str | None = None) -> Tally:
        """How much was seen of one family and workflow, or of all."""
        asked = [
            key
            for key, point in self.points.items()
            if what in (None, point.what) and workflow in (None, point.workflow)
        ]
        return Tally(sum(key in self.seen for key in asked), len(asked))

    def percent(self) -> float:
        """How much was seen of everything; of nothing, all."""
        tally = self.tally()
        return 100.0 * tally.seen / tally.all if tally.all else 100.0

    def workflows(self) -> list[str]:
        """The workflows there are points of."""
        return sorted({point.workflow for point in self.points.values()})

    def missed(self, workflow: str) -> list[Point]:
        """What no scenario saw, in the order of the steps."""
        return [point for key, point in self.points.items() if point.workflow == workflow and key not in self.seen]


def _home(workflow: Workflow) -> Key:
    return (workflow.place.path if workflow.place else "", workflow.name)


def _points(workflow: Workflow) -> Iterator[tuple[Key, Point]]:
    home, name = _home(workflow), workflow.name
    for step in workflow.steps.values():
        yield ("step", *home, step.name), Point("steps", name, f"no task arrived at {step.name}", step.place)
        for trigger, items in step.on.items():
            for position, item in enumerate(items):
                at = (*home, step.name, trigger, str(position))
                if isinstance(item, Move):
                    yield from _move_points(name, f"{step.name} -> {item.to} on {trigger}", item, at)
                elif trigger == "enter" and isinstance(item, Action):
                    missed = f"{item.kind} never ran on entering {step.name}"
                    yield ("action", *at), Point("entry actions", name, missed, item.place)


def _move_points(workflow: str, shown: str, move: Move, at: Key) -> Iterator[tuple[Key, Point]]:
    yield ("move", *at), Point("moves", workflow, f"{shown} was never taken", move.place)
    if move.guard is not None:
        yield ("held", *at), Point("guards", workflow, f"the guard of {shown} never said yes", move.place)
        yield ("closed", *at), Point("guards", workflow, f"the guard of {shown} never said no", move.place)


def _seen(act: Act, homes: dict[str, Key]) -> Iterator[Key]:
    entered = {}
    for row in act.rows:
        if row.to_workflow in homes and row.to_step is not None:
            entered[row.id] = (*homes[row.to_workflow], row.to_step)
            yield ("step", *entered[row.id])
    for entry in act.entries():
        home = entered.get(entry.entry_id)
        for action in reports(entry):
            if home is not None and action.status.value not in ("failed", "superseded"):
                yield ("action", *home, "enter", str(action.position))
    for each in act.examined:
        at = (*homes[each.workflow], each.step, each.trigger, str(each.position))
        if each.taken:
            yield ("move", *at)
        if each.held is not None:
            yield ("held" if each.held else "closed", *at)
