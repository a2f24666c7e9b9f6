"""A workflow to what its picture shows: a box for each step, an arrow for all moves of one look between two steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from newel.compiler.exports import words
from newel.compiler.exports.plain import anchor, line
from newel.compiler.program import Move, Program, Step, Workflow

Look = Literal["automatic", "guarded", "approval", "pull"]
Way = tuple[str, str, Look]

NAMELESS = "?"
"""What stands where a name is blank, which only a program made by hand can have."""

FULL_EFFORT = 400
"""Steps and arrows up to which a picture is laid out with curves and every effort: well under a second."""

DRAWN = 1500
"""Steps and arrows above which no picture is laid out: the work grows with the cube, and nobody could read it."""


@dataclass(frozen=True, slots=True)
class Box:
    """A step. `key` is its name where that is an ASCII name, as it always is in a program that was compiled."""

    key: str
    name: str
    title: str
    start: bool
    end: bool

    @property
    def id(self) -> str:
        """The id of the box, and of the step's section in the documentation."""
        return f"step-{self.key}"


@dataclass(frozen=True, slots=True)
class Label:
    """What is said of one move: the trigger, and the guard under which it is taken, "" where there is none."""

    trigger: str
    guard: str = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """Moves of one look from one step to another, in the order of the file."""

    source: Box
    target: Box
    look: Look
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn, in the order of the file."""

    name: str
    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]

    @property
    def size(self) -> int:
        """Steps and arrows together."""
        return len(self.boxes) + len(self.arrows)

    @property
    def summary(self) -> str:
        """The picture in a sentence, for those who do not see it."""
        starts = ", ".join(box.title for box in self.boxes if box.start)
        ends = ", ".join(box.title for box in self.boxes if box.end)
        ways = "; ".join(sorted({f"{a.source.title} to {a.target.title}" for a in self.arrows}))
        parts = [f"{len(self.boxes)} steps", f"starts at {starts}" if starts else "", f"ends at {ends}" if ends else ""]
        return ", ".join(filter(None, parts)) + (f". Moves: {ways}." if ways else ".")


def picture(program: Program, workflow: Workflow) -> Picture:
    """What the picture of one workflow shows."""
    boxes = {step.name: _box(step) for step in workflow.steps.values()}
    found: dict[Way, list[Label]] = {}
    for step in workflow.steps.values():
        for way, label in (*_moves(program, step), *_pulls(program, step)):
            found.setdefault(way, []).append(label)
    arrows = (Arrow(boxes[a], boxes[b], look, tuple(labels)) for (a, b, look), labels in found.items())
    return Picture(workflow.name, line(workflow.title), tuple(boxes.values()), tuple(arrows))


def _box(step: Step) -> Box:
    name = line(step.name) or NAMELESS
    return Box(anchor(step.name), name, line(step.title) or name, step.start, step.end)


def _moves(program: Program, step: Step) -> Iterator[tuple[Way, Label]]:
    for trigger, statements in step.on.items():
        for move in statements:
            if isinstance(move, Move):
                guard = line(words.guard(move.guard, program.vocabulary)) if move.guard else ""
                look: Look = "approval" if move.approval else "guarded" if guard else "automatic"
                yield (step.name, move.to, look), Label(line(trigger) or NAMELESS, guard)


def _pulls(program: Program, step: Step) -> Iterator[tuple[Way, Label]]:
    """The step a freed place is filled from, which is the arrow's source."""
    for setting in program.vocabulary.settings_marked("pull"):
        feeder = step.settings.get(setting.name)
        if isinstance(feeder, str):
            yield (feeder, step.name, "pull"), Label("pulled")
