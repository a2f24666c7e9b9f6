"""A picture to SVG: laid out by a program, drawn by us, so that it follows dark mode, links steps, can be read out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from newel.compiler.errors import LayoutError
from newel.compiler.exports import colors
from newel.compiler.exports.dot import dot
from newel.compiler.exports.layout import Layout, layouts
from newel.compiler.exports.pen import drawn, number
from newel.compiler.exports.picture import Picture
from newel.compiler.exports.plain import columns, wrapped
from newel.compiler.exports.sheet import Sheet, sheet
from newel.compiler.exports.stages import Stage, overview

_MARGIN = 10
_FONTS = "Arial, Helvetica, 'Liberation Sans', sans-serif"

_BETWEEN, _INSIDE, _HEADING, _BASE = 18.0, 14.0, 20.0, 22.0
_HEAD, _SIGN = 120, 7.4


def svg(picture: Picture, program: str | None = None) -> str:
    """The picture as an SVG element that can stand alone or in a page; each step links to `#step-NAME`. A large one
    has an overview and a frame for each stage. Raises `LayoutError` where the layout program is missing or fails."""
    return drawings([picture], program)[0].whole()


def drawings(pictures: Sequence[Picture], program: str | None = None) -> list[Drawing]:
    """Several pictures, laid out together: a run of the layout program costs as much as a small picture."""
    sheets = [sheet(picture) for picture in pictures]
    found = iter(layouts([dot(piece) for each in sheets for piece in each.pieces], program))
    try:
        return [Drawing(each, [_piece(piece, next(found)) for piece in each.pieces]) for each in sheets]
    except (KeyError, IndexError) as error:
        raise LayoutError(f"{program or 'the layout program'} left a part of the picture out: {error}") from error


@dataclass(frozen=True, slots=True)
class Piece:
    """What is drawn of a part of a picture, and its size."""

    width: float
    height: float
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture that is laid out."""

    sheet: Sheet
    pieces: Sequence[Piece]

    def whole(self) -> str:
        """All of it, below each other: the overview, then the stages in frames that have the id of the stage."""
        stack = _Stack()
        stack.add(self._first)
        for stage, part in zip(self.sheet.stages, self._parts, strict=True):
            stack.frame(stage, part)
        return _element(self.sheet.picture, "picture", stack)

    def overview(self) -> str:
        """The stages, or the whole picture where it has none."""
        found, stack = self.sheet.stages, _Stack()
        stack.add(self._first)
        return _element(overview(self.sheet.picture, found) if found else self.sheet.picture, "picture", stack)

    def stage(self, stage: Stage) -> str:
        """One stage, without its frame."""
        stack = _Stack()
        stack.add(self._parts[stage.number - 1])
        return _element(Picture(self.sheet.picture.name, stage.title, stage.boxes, ()), stage.id, stack)

    @property
    def _first(self) -> Sequence[Piece]:
        return self.pieces[: len(self.sheet.first)]

    @property
    def _parts(self) -> Sequence[Sequence[Piece]]:
        rest = iter(self.pieces[len(self.sheet.first) :])
        return [[next(rest) for _ in part] for part in self.sheet.parts]


class _Stack:
    """Pieces below each other, from a left edge at 0."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.width = self.height = 0.0
        self._frames: list[tuple[int, str, float, float]] = []

    def add(self, pieces: Iterable[Piece], left: float = 0.0) -> None:
        for piece in pieces:
            top = self.height + (_BETWEEN if self.height else 0.0)
            self.lines += _moved(piece.lines, left, top)
            self.width = max(self.width, left + piece.width + left)
            self.height = top + piece.height

    def frame(self, stage: Stage, pieces: Iterable[Piece]) -> None:
        """In a frame; how wide it is is known when all are there."""
        top = self.height + (_BETWEEN if self.height else 0.0)
        self.height = top + _HEADING
        head, at = wrapped(stage.title, _HEAD, 1)[0], len(self.lines)
        self.lines += ["", _heading(head, top)]
        self.width = max(self.width, _wide(head) + 2 * _INSIDE)
        self.add(pieces, _INSIDE)
        self.height += _INSIDE
        self._frames.append((at, stage.id, top, self.height - top))

    def finished(self) -> Sequence[str]:
        for at, name, top, height in self._frames:
            self.lines[at] = _frame(name, top, self.width, height)
        return self.lines


def _piece(picture: Picture, layout: Layout) -> Piece:
    return Piece(layout.width, layout.height, [*drawn(picture, layout)])


def _moved(lines: Sequence[str], left: float, top: float) -> Sequence[str]:
    return [f'<g transform="translate({number(left)} {number(top)})">', *lines, "</g>"] if left or top else lines


def _frame(name: str, top: float, width: float, height: float) -> str:
    return (
        f'<rect id="{name}" class="frame" x="0" y="{number(top)}" width="{number(width)}" height="{number(height)}" '
        f'rx="10" fill="none" stroke="{colors.STAGE}"/>'
    )


def _heading(title: str, top: float) -> str:
    """Set to a width, as every other text."""
    known = columns(title) == len(title)
    set_to = f' textLength="{number(_wide(title))}" lengthAdjust="spacingAndGlyphs"' if known else ""
    return (
        f'<text class="ink heading" x="{number(_INSIDE + _wide(title) / 2)}" y="{number(top + _BASE)}" '
        f'text-anchor="middle" font-size="14" font-weight="bold" fill="{colors.INK}"{set_to}>{escape(title)}</text>'
    )


def _wide(title: str) -> float:
    return columns(title) * _SIGN


def _element(picture: Picture, name: str, stack: _Stack) -> str:
    width, height = (number(side + 2 * _MARGIN) for side in (stack.width, stack.height))
    size = f'width="{width}" height="{height}"'
    opened = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="newel-picture" role="group" font-family="{_FONTS}" '
        f'aria-labelledby="{name}-title" aria-describedby="{name}-summary" {size} '
        f'viewBox="-{_MARGIN} -{_MARGIN} {width} {height}">'
    )
    head = (
        opened,
        f'<title id="{name}-title">{escape(picture.title)}: picture of the workflow</title>',
        f'<desc id="{name}-summary">{escape(picture.summary)}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" x="-{_MARGIN}" y="-{_MARGIN}" {size} fill="{colors.PAPER}"/>',
    )
    return "\n".join([*head, *stack.finished(), "</svg>", ""])


def _properties(index: int) -> str:
    return ";".join(f"--{name}:{pair[index]}" for name, pair in colors.NAMES.items())


_STYLE = "".join(
    [
        f".newel-picture{{{_properties(0)}}}",
        f"@media screen and (prefers-color-scheme:dark){{.newel-picture{{{_properties(1)}}}}}",
        ".newel-picture .paper{fill:var(--paper)}",
        ".newel-picture .ink{fill:var(--ink)}.newel-picture .muted{fill:var(--muted)}",
        ".newel-picture text.approval{fill:var(--approval)}",
        ".newel-picture .label{stroke:var(--paper)}",
        ".newel-picture .begin{fill:var(--ink);stroke:var(--ink)}",
        *(f".newel-picture .box.{role}{{fill:var(--{role});stroke:var(--{role}-line)}}" for role in colors.BOXES),
        *(f".newel-picture .arrow.{look}{{fill:var(--{look});stroke:var(--{look})}}" for look in colors.ARROWS),
        ".newel-picture .frame{stroke:var(--stage-line)}",
        ".newel-picture .frame:target{stroke:var(--start-line);stroke-width:2.6}",
        ".newel-picture .box rect{stroke-width:1.4}",
        ".newel-picture .arrow path{stroke-width:1.4}.newel-picture .hollow{fill:var(--paper)}",
        ".newel-picture a:hover rect{stroke-width:2.6}",
        ".newel-picture a:focus-visible{outline:none}",
        ".newel-picture a:focus-visible rect{stroke:var(--ink);stroke-width:3.4}",
    ]
)
