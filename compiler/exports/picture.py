"""A workflow to what its picture shows: a box for each step, an arrow for all moves of one look between two steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from newel.compiler.counting import counted
from newel.compiler.exports import words
from newel.compiler.exports.plain import anchor, line
from newel.compiler.exports.waiting import waits
from newel.compiler.program import Move, Program, Step, Workflow

Look = Literal["automatic", "guarded", "approval", "pull", "between"]
"""`between` are ways between groups of steps, and from where a picture does not show."""

Sort = Literal["step", "stage", "elsewhere"]
Way = tuple[str, str, Look]

NAMELESS = "?"
"""What stands where a name is blank, which only a program made by hand can have."""

FULL_EFFORT = 400
"""Steps and arrows up to which a picture is laid out with curves and every effort: well under a second."""

STAGE = "stage"
"""The setting of a step, in any vocabulary, whose value says which stage it is of."""


@dataclass(frozen=True, slots=True)
class Box:
    """A step; or what stands for steps that the picture does not show, or does not show one by one: a stage, or
    `elsewhere`. `key` is the name of a step where that is an ASCII name, as it always is in a compiled program. `stage`
    is what the step says of itself, and `leads` the id of the place to go to, where that is not the box's own."""

    key: str
    name: str
    title: str
    start: bool = False
    end: bool = False
    stage: str = ""
    sort: Sort = "step"
    leads: str = ""

    @property
    def id(self) -> str:
        """The id of the box, and of the step's section in the documentation."""
        return f"{self.sort}-{self.key}"

    @property
    def role(self) -> str:
        """How it is coloured."""
        return self.sort if self.sort == "elsewhere" else "start" if self.start else "end" if self.end else "step"


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
        ways = {f"{a.source.title} to {a.target.title}": None for a in self.arrows}
        told = "; ".join(sorted(ways)) if self.size <= FULL_EFFORT else counted(len(ways), "way")
        counts = counted(len(self.boxes), "stage" if self.boxes and self.boxes[0].sort == "stage" else "step")
        parts = [counts, f"starts at {starts}" if starts else "", f"ends at {ends}" if ends else ""]
        return ", ".join(filter(None, parts)) + (f". Moves: {told}." if told and ways else ".")


def picture(program: Program, workflow: Workflow) -> Picture:
    """What the picture of one workflow shows."""
    stages = {each.name: each.default for each in program.vocabulary.settings if each.owner == "step"}
    boxes = {step.name: _box(step, stages.get(STAGE)) for step in workflow.steps.values()}
    found: dict[Way, list[Label]] = {}
    for step in workflow.steps.values():
        for way, label in (*_moves(program, workflow.name, step), *_pulls(program, step)):
            found.setdefault(way, []).append(label)
    arrows = (Arrow(boxes[a], boxes[b], look, tuple(labels)) for (a, b, look), labels in found.items())
    return Picture(workflow.name, line(workflow.title), tuple(boxes.values()), tuple(arrows))


def _box(step: Step, unsaid: object) -> Box:
    name, stage = line(step.name) or NAMELESS, step.settings.get(STAGE)
    said = line(stage) if isinstance(stage, str) and stage != unsaid else ""
    return Box(anchor(step.name), name, line(step.title) or name, step.start, step.end, said)


def _moves(program: Program, workflow: str, step: Step) -> Iterator[tuple[Way, Label]]:
    for trigger, statements in step.on.items():
        named = line(trigger) or NAMELESS
        said = f"{named}, once signalled" if waits(program, workflow, step.name, trigger) else named
        for move in statements:
            if isinstance(move, Move):
                guard = line(words.guard(move.guard, program.vocabulary)) if move.guard else ""
                look: Look = "approval" if move.approval else "guarded" if guard else "automatic"
                yield (step.name, move.to, look), Label(said, guard)


def _pulls(program: Program, step: Step) -> Iterator[tuple[Way, Label]]:
    """The step a freed place is filled from, which is the arrow's source."""
    for setting in program.vocabulary.settings_marked("pull"):
        feeder = step.settings.get(setting.name)
        if isinstance(feeder, str):
            yield (feeder, step.name, "pull"), Label("pulled")
