"""A large picture to its stages: steps that stand together, as they say themselves or as the ways between them show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isqrt

from newel.compiler.counting import counted
from newel.compiler.exports.cutting import cut
from newel.compiler.exports.picture import FULL_EFFORT, Arrow, Box, Label, Picture
from newel.compiler.exports.ways import Ways
from newel.compiler.exports.widths import WIDEST, width

_LARGE = 24
"""Steps above which a picture is told in stages, however narrow it is."""

_LEAST = 16
"""Up to so many steps are a stage in any workflow; in the largest ones more, so that the stages can be overlooked."""

_RUN = 3
"""How many steps of the same stage stand together at least, on average, where what they say is taken for the stages."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Steps that stand together, onward. `said` is what they say of themselves, "" where the ways have shown it."""

    number: int
    said: str
    boxes: tuple[Box, ...]

    @property
    def id(self) -> str:
        """The id of its picture. No step's: those begin otherwise."""
        return f"stage-{self.number}"

    @property
    def title(self) -> str:
        """Its number, what it says, and its first and last step."""
        first, last = self.boxes[0].title, self.boxes[-1].title
        steps = first if len(self.boxes) == 1 else f"{first} to {last}"
        return f"{self.number}. {self.said}: {steps}" if self.said else f"{self.number}. {steps}"


def is_large(picture: Picture, ways: Ways) -> bool:
    """Whether it is too much to be taken in, or to be drawn, in one piece."""
    if len(picture.boxes) > _LARGE or picture.size > FULL_EFFORT:
        return True
    return width(ways.onward, ways) > WIDEST


def stages(picture: Picture, ways: Ways | None = None) -> tuple[Stage, ...]:
    """The stages in their order; none where the picture is not large, or would be a single one."""
    ways = ways or Ways(picture)
    if not is_large(picture, ways):
        return ()
    boxes = ways.onward
    most = max(_LEAST, isqrt(9 * len(boxes) // 4))
    parts = [part for run in _runs(boxes) for part in _parts(run, ways, most)]
    found = (Stage(number, said, tuple(part)) for number, (said, part) in enumerate(parts, start=1))
    return tuple(found) if len(parts) > 1 else ()


def _runs(boxes: Sequence[Box]) -> list[tuple[str, list[Box]]]:
    """The boxes by what they say of themselves, or all of them where that does not tell groups apart."""
    runs = [(said, list(run)) for said, run in groupby(boxes, key=lambda box: box.stage)]
    return runs if 1 < len(runs) <= len(boxes) // _RUN else [("", list(boxes))]


def _parts(run: tuple[str, list[Box]], ways: Ways, most: int) -> Iterator[tuple[str, list[Box]]]:
    said, boxes = run
    parts = cut(len(boxes), ways.earlier(boxes), lambda at: range(at + 1, min(len(boxes), at + most) + 1))
    yield from ((said, boxes[part.start : part.stop]) for part in parts)


def homes(found: Sequence[Stage]) -> Mapping[str, int]:
    """The numbers of the stages of the steps, by their keys."""
    return {box.key: stage.number for stage in found for box in stage.boxes}


def overview(picture: Picture, found: Sequence[Stage]) -> Picture:
    """The stages as boxes, and how many moves lead from one to another."""
    box_of = {stage: _box(stage) for stage in found}
    of = {box.key: box_of[stage] for stage in found for box in stage.boxes}
    moves: dict[tuple[Box, Box], int] = {}
    for arrow in picture.arrows:
        way = of[arrow.source.key], of[arrow.target.key]
        if way[0] != way[1]:
            moves[way] = moves.get(way, 0) + len(arrow.labels)
    arrows = (Arrow(*way, "between", (Label(counted(number, "move")),)) for way, number in moves.items())
    return Picture(picture.name, picture.title, tuple(box_of.values()), tuple(arrows))


def _box(stage: Stage) -> Box:
    start, end = (any(getattr(box, mark) for box in stage.boxes) for mark in ("start", "end"))
    return Box(str(stage.number), counted(len(stage.boxes), "step"), stage.title, start, end, sort="stage")
