"""The arrows of a picture by the boxes they join, and the order that they give those."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from newel.compiler.exports.order import onward
from newel.compiler.exports.picture import Arrow, Box, Picture


class Ways:
    """The arrows that leave a box and that come to it, by its key, in the order of the picture."""

    def __init__(self, picture: Picture) -> None:
        self._boxes = picture.boxes
        self.leaving: Mapping[str, list[Arrow]] = {box.key: [] for box in picture.boxes}
        self.coming: Mapping[str, list[Arrow]] = {box.key: [] for box in picture.boxes}
        for arrow in picture.arrows:
            self.leaving[arrow.source.key].append(arrow)
            self.coming[arrow.target.key].append(arrow)

    @cached_property
    def onward(self) -> Sequence[Box]:
        """The boxes onward from where tasks begin."""
        boxes = {box.key: box for box in sorted(self._boxes, key=lambda box: not box.start)}
        ways = {key: [arrow.target.key for arrow in arrows] for key, arrows in self.leaving.items()}
        return [boxes[key] for key in onward(list(boxes), ways)]

    def earlier(self, boxes: Sequence[Box]) -> list[list[int]]:
        """For each of some boxes the places of those before it that it has an arrow to or from, sorted."""
        place = {box.key: index for index, box in enumerate(boxes)}
        found: list[list[int]] = [[] for _ in boxes]
        for at, box in enumerate(boxes):
            for arrow in self.leaving[box.key]:
                other = place.get(arrow.target.key, at)
                if other != at:
                    found[max(at, other)].append(min(at, other))
        return [sorted(each) for each in found]

    def within(self, boxes: Sequence[Box]) -> Iterator[Arrow]:
        """The arrows between some boxes."""
        there = {box.key for box in boxes}
        return (arrow for box in boxes for arrow in self.leaving[box.key] if arrow.target.key in there)

    def out_of(self, boxes: Sequence[Box]) -> Iterator[Arrow]:
        """The arrows from some boxes to others."""
        there = {box.key for box in boxes}
        return (arrow for box in boxes for arrow in self.leaving[box.key] if arrow.target.key not in there)

    def into(self, boxes: Sequence[Box]) -> Iterator[Arrow]:
        """The arrows to some boxes from others."""
        there = {box.key for box in boxes}
        return (arrow for box in boxes for arrow in self.coming[box.key] if arrow.source.key not in there)
