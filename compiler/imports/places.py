"""The steps of a board in the order of their positions, each with a name of its own, and what refers to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from newel.compiler.imports import board_rules as rules
from newel.compiler.imports.document import Document, Mapping, Node, Scalar, kind_of
from newel.compiler.imports.fields import Flag, Line, Whole
from newel.compiler.imports.names import Names
from newel.compiler.imports.reading import Reading, quote
from newel.compiler.imports.tables import Form

_MOST = 10**15 - 1
_POSITION = "position"
_FINISHED = frozenset({"done", "complete", "completed", "approved"})


@dataclass(frozen=True, slots=True)
class Placed:
    """A step as it stands in the document; `key` is what moves name it by."""

    node: Mapping
    title: str
    key: str | int
    position: int
    start: Scalar | None

    def at(self, key: str) -> Node:
        """The value of a key of the step, or the step where it has no such key."""
        return self.node.raw(key) or self.node


@dataclass(slots=True)
class Board:
    """The steps in the order of the board and their names."""

    form: Form
    steps: list[Placed]
    names: list[str] = field(default_factory=list)
    start: int = 0
    places: dict[str | int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.places = {step.key: at for at, step in reversed([*enumerate(self.steps)])}

    def find(self, reading: Reading, key: str, node: Document) -> int | None:
        """The place of the step that a reference means; a finding where it means none."""
        what = "position" if key.endswith(_POSITION) else "id"
        if what == "position":
            wanted: str | int | None = Whole(-_MOST, _MOST).read(reading, key, node)
        else:
            wanted = node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None
            if not wanted:
                reading.wrong(key, node, "the id of a step")
        if not wanted and wanted != 0:
            return None
        found = self.places.get(wanted)
        if found is None:
            hint = reading.nearest(str(wanted), [str(step.key) for step in self.steps]) if what == "id" else None
            reading.report(rules.UNKNOWN_IMPORTED_STEP, node, hint=hint, what=what, value=kind_of(node))
        return found

    def finished(self, at: int) -> bool:
        """Whether the client takes a task at this step for finished: the last one, by its title."""
        return is_finished(self.steps[at].title, last=at == len(self.steps) - 1)


def is_finished(title: str, *, last: bool) -> bool:
    """Whether the client takes a task at a step of that title for finished."""
    return last and title.strip().lower() in _FINISHED


def board_of(reading: Reading, form: Form, owner: Mapping) -> Board:
    """The board of a workflow: steps read, told apart, ordered, named, and one of them the start."""
    nodes = reading.maps("steps", owner.get("steps"))
    if not nodes:
        reading.report(rules.NO_STEPS, owner.key("steps") if owner.raw("steps") else owner)
    placed = [step for node in nodes if (step := _placed(reading, form, node)) is not None]
    _told_apart(reading, form, placed)
    board = Board(form, sorted(placed, key=lambda step: step.position))
    _ordered(reading, placed, board.steps)
    _named(reading, board)
    _started(reading, placed, board)
    return board


def _placed(reading: Reading, form: Form, node: Mapping) -> Placed | None:
    title = _line(reading, node, "name")
    named = node.get("is_start_step")
    starts = named is not None and Flag().read(reading, "is_start_step", named)
    found = node.get(_POSITION)
    position = 0 if found is None else Whole(-_MOST, _MOST).read(reading, _POSITION, found)
    required = "id" if form.strict else "name"
    key = _line(reading, node, required)
    if not key.strip():
        reading.missing(required, node, "the step")
        return None
    if position is None:
        return None
    start = node.key("is_start_step") if starts else None
    return Placed(node, title, key if form.strict else position, position, start)


def _line(reading: Reading, node: Mapping, key: str) -> str:
    value = node.get(key)
    return "" if value is None else Line().read(reading, key, value) or ""


def _told_apart(reading: Reading, form: Form, placed: list[Placed]) -> None:
    """Two steps of one id or one position are errors; two of one title, where only titles name them, a warning."""
    positions: dict[int, Placed] = {}
    keys: dict[str | int, Placed] = {}
    for step in placed:
        first = positions.setdefault(step.position, step)
        if first is not step:
            at, other = step.at(_POSITION), first.at(_POSITION)
            reading.report(rules.DUPLICATE_STEP, at, first=other, what=_POSITION, value=step.position)
        first = keys.setdefault(step.key, step)
        if form.strict and first is not step:
            at, other = step.at("id"), first.at("id")
            reading.report(rules.DUPLICATE_STEP, at, first=other, what="id", value=f"`{step.key}`")


def _ordered(reading: Reading, placed: list[Placed], ordered: list[Placed]) -> None:
    """What the order of the board changes against that of the file, and against the positions in it."""
    for before, after in pairwise(placed):
        if after.position < before.position:
            order = quote(str(step.title or step.key) for step in ordered)
            reading.report(rules.STEPS_REORDERED, after.at(_POSITION), order=order)
            break
    positions = [step.position for step in ordered]
    moved = next((step for number, step in enumerate(ordered) if step.position != number), None)
    if moved and len(set(positions)) == len(positions):
        shown = ", ".join(map(str, positions))
        reading.report(rules.POSITIONS_RENUMBERED, moved.at(_POSITION), positions=shown, last=len(ordered) - 1)


def _named(reading: Reading, board: Board) -> None:
    titles: dict[str, Placed] = {}
    names = Names("step")
    for step in board.steps:
        text = str(step.key) if board.form.strict else step.title.lower()
        name = names.take(text)
        board.names.append(name)
        first = titles.setdefault(text, step)
        if board.form.strict and name != text and first is step:
            reading.report(rules.NAME_CHANGED, step.at("id"), owner="the step", old=text, new=name)
        elif not board.form.strict and first is not step:
            at, other = step.at("name"), first.at("name")
            reading.report(rules.SAME_TITLE, at, first=other, what="steps", title=f"`{step.title}`", name=name)


def _started(reading: Reading, placed: list[Placed], board: Board) -> None:
    marked = [step for step in placed if step.start is not None]
    if marked:
        board.start = next(at for at, step in enumerate(board.steps) if step is marked[-1])
    if len(marked) > 1 and marked[-1].start and marked[0].start:
        name = board.names[board.start]
        reading.report(rules.SEVERAL_STARTS, marked[-1].start, first=marked[0].start, step=name)
    elif not marked and board.steps:
        step = board.steps[0]
        reading.report(rules.NO_START, step.node.key("id" if board.form.strict else "name"), step=board.names[0])
