"""Boxes in their order to rows, each a picture of its own, as a long line of text is folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from newel.compiler.counting import counted
from newel.compiler.exports.cutting import cut
from newel.compiler.exports.picture import Arrow, Box, Label, Picture
from newel.compiler.exports.ways import Ways
from newel.compiler.exports.widths import fitting

_NAMED = 24
"""Steps elsewhere that a row leads to, up to which each has its box."""

_COMING = 2
"""Steps elsewhere that lead to a step of the row, up to which each has its box."""


def rows(picture: Picture, boxes: Sequence[Box], ways: Ways, homes: Mapping[str, int]) -> list[Picture]:
    """The rows of some boxes of a picture. Where an arrow leaves a row, or comes to it, a box stands for the step at
    its other end; `homes` are the numbers of the stages, which are told of steps in another one."""
    parts = cut(len(boxes), ways.earlier(boxes), lambda at: fitting(boxes, ways, at))
    return [part(picture, boxes[each.start : each.stop], ways, homes) for each in parts]


def part(picture: Picture, boxes: Sequence[Box], ways: Ways, homes: Mapping[str, int]) -> Picture:
    """Some boxes of a picture, with what stands for the steps elsewhere that they lead to and come from."""
    coming, leaving = list(_coming(boxes, ways, homes)), list(_leaving(boxes, ways, homes))
    before, behind = (arrow.source for arrow in coming), (arrow.target for arrow in leaving)
    shown = dict.fromkeys(
        (*boxes, *before, *behind)
    )  # layout programs go out from the first ones: so ways back are found
    return Picture(picture.name, picture.title, tuple(shown), (*coming, *ways.within(boxes), *leaving))


def _coming(boxes: Sequence[Box], ways: Ways, homes: Mapping[str, int]) -> Iterator[Arrow]:
    """What is said of the moves to a row is said where they begin."""
    sources: dict[Box, dict[Box, None]] = {}
    for arrow in ways.into(boxes):
        sources.setdefault(arrow.target, {})[arrow.source] = None
    for target, found in sources.items():
        if len(found) <= _COMING:
            yield from (Arrow(_elsewhere(source, "from", homes, target), target, "between", ()) for source in found)
        else:
            first, *_ = found
            title = f"{first.title} and {len(found) - 1} more"
            several = Box(f"to {target.key}", title, title, sort="elsewhere", leads=target.id)
            yield Arrow(several, target, "between", ())


def _leaving(boxes: Sequence[Box], ways: Ways, homes: Mapping[str, int]) -> Iterator[Arrow]:
    out = list(ways.out_of(boxes))
    others = {arrow.target.key for arrow in out}
    if len(others) <= _NAMED:
        near = boxes[0]
        for arrow in out:
            yield Arrow(arrow.source, _elsewhere(arrow.target, "to", homes, near), arrow.look, arrow.labels)
        return
    moves: dict[Box, int] = {}
    for arrow in out:
        moves[arrow.source] = moves.get(arrow.source, 0) + len(arrow.labels)
    title = counted(len(others), "step")
    for source, number in moves.items():
        many = Box(f"out {source.key}", title, title, sort="elsewhere", leads=source.id)
        yield Arrow(source, many, "between", (Label(counted(number, "move")),))


def _elsewhere(box: Box, way: str, homes: Mapping[str, int], near: Box) -> Box:
    """What stands for a step of another row. A blank is in no key, so its name is no step's."""
    home = homes.get(box.key)
    name = box.title if home == homes.get(near.key) else f"stage {home}"
    return Box(f"{way} {box.key}", name, box.title, end=box.end and way == "to", sort="elsewhere", leads=box.id)
