"""Real files with other spaces, line breaks and comments in every place that takes them; what they say stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from random import Random

from newel.dsl.layout.lines import spaced
from newel.dsl.layout.pieces import COMMENT, END, Piece, pieces
from newel.dsl.table import CLOSING, OPENING
from newel.dsl.tree import File, Node

CONTINUES = {"_OPERATION", "_ON_", "_WHEN", "_REQUIRES", "_AND", "_OR", "_MEANS", "_BAR"}
ROOT = Path(__file__).parents[2]
COMMENTS = [
    "# one",
    "## two",
    "###",
    "#",
    "#   three  ",
    "# newel: allow NW505 because it is",
    "# é {",
    '# """',
    "# a\rb",
]


def files() -> dict[str, str]:
    """The vocabulary, the examples and the cases, by name."""
    paths = [
        ROOT / "grammars" / "standard.newel",
        *(ROOT / "examples").rglob("*.newel"),
        *(ROOT / "tests" / "cases" / "ok").glob("*.newel"),
        *(ROOT / "tests" / "cases" / "format").glob("*.newel"),
    ]
    return {path.name: path.read_bytes().decode("utf-8") for path in sorted(paths)}


def respaced(text: str, rng: Random, *, breaks: bool = True, comments: Sequence[str] = COMMENTS) -> str:
    """The text with other white space; with `breaks` also with other lines and more comments."""
    end = rng.choice(["\n", "\n", "\r\n"])
    written: list[str] = []
    opened: list[bool] = []
    last: Piece | None = None
    for piece in (each for each in pieces(text) if each.kind != END):
        if piece.kind in CLOSING:
            opened.pop()
        flat = bool(opened) and not opened[-1]
        if breaks and (piece.breaks or (rng.random() < 0.2 and _breakable(last, piece, flat))):
            joined = flat and last is not None and COMMENT not in (last.kind, piece.kind) and rng.random() < 0.2
            written.append(_blank(rng) if joined else _between(rng, end, comments))
        else:
            written.append(end * piece.breaks + _blank(rng))
        if last and not piece.breaks and spaced(last, piece):
            written.append(" ")
        written.append(_moved(piece, rng))
        if piece.kind in OPENING:
            opened.append(piece.block)
        last = piece
    return "".join(written) + (rng.choice(["", end, " ", end * 3, f"{end}# last"]) if breaks else end)


def _breakable(last: Piece | None, piece: Piece, flat: bool) -> bool:
    """Whether a line may be broken between two pieces."""
    inside = flat or piece.kind in CLOSING or piece.kind in CONTINUES or piece.kind == COMMENT
    return inside or last is None or last.kind in OPENING


def _between(rng: Random, end: str, comments: Sequence[str]) -> str:
    """Line breaks, with comments among them."""
    parts = []
    if rng.random() < 0.2:
        parts.append(_blank(rng) + rng.choice(comments))
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        parts.append(end + _blank(rng))
        if rng.random() < 0.2:
            parts.append(rng.choice(comments) + end + _blank(rng))
    return "".join(parts)


def _blank(rng: Random) -> str:
    return rng.choice(["", "", " ", "  ", "\t", " " * rng.randrange(9)])


def _moved(piece: Piece, rng: Random) -> str:
    """A piece; a long text with another margin."""
    if piece.kind != "LONG_STRING":
        return piece.text
    margin = rng.choice(["", "  ", "\t", " \t "])
    first, *body = piece.text.split("\n")
    return "\n".join([first + rng.choice(["", " ", "\t"]), *(margin + line if line.strip() else line for line in body)])


def shape(node: object) -> object:
    """A tree without its places."""
    if isinstance(node, list | tuple):
        return [shape(each) for each in node]
    if is_dataclass(node) and not isinstance(node, type):
        left_out = {"start", "end", "body"} if isinstance(node, Node) and hasattr(node, "long") else {"start", "end"}
        return [type(node).__name__, *(shape(getattr(node, f.name)) for f in fields(node) if f.name not in left_out)]
    return node


def said(file: File) -> tuple[object, list[tuple[str, bool]]]:
    """What a file says: its items without their places, and its comments."""
    return shape(file.items), [(comment.text.rstrip(" \t\r"), comment.own_line) for comment in file.comments]
