"""A picture to the pictures it is drawn in: itself, or an overview of its stages and rows for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from newel.compiler.exports.folding import rows
from newel.compiler.exports.picture import Picture
from newel.compiler.exports.stages import Stage, homes, is_large, overview, stages
from newel.compiler.exports.ways import Ways

_FEW = 2
"""Stages that need no overview."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """`first` are the rows of the overview, or of the picture where it has no stages; `parts` those of each stage."""

    picture: Picture
    stages: tuple[Stage, ...]
    first: tuple[Picture, ...]
    parts: tuple[tuple[Picture, ...], ...]

    @property
    def pieces(self) -> Sequence[Picture]:
        """All that is laid out, in order."""
        return (*self.first, *(row for part in self.parts for row in part))


def sheet(picture: Picture) -> Sheet:
    """What is laid out of a picture."""
    ways = Ways(picture)
    found = stages(picture, ways)
    if not found:
        first = rows(picture, ways.onward, ways, {}) if is_large(picture, ways) else [picture]
        return Sheet(picture, (), tuple(first), ())
    where = homes(found)
    parts = tuple(tuple(rows(picture, stage.boxes, ways, where)) for stage in found)
    shown = overview(picture, found)
    first = rows(shown, shown.boxes, Ways(shown), {}) if len(found) > _FEW else []
    return Sheet(picture, found, tuple(first), parts)
