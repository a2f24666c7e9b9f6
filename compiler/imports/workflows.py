"""A workflow of either form to its draft: the same way through the same tables."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from newel.compiler.imports import board_rules as rules
from newel.compiler.imports.action_rules import BAD_SESSION_RULES
from newel.compiler.imports.actions import Events
from newel.compiler.imports.document import Mapping, Scalar
from newel.compiler.imports.document_rules import KEY_NOT_CARRIED
from newel.compiler.imports.draft import Call, Statement, Step, Value, Word, Workflow
from newel.compiler.imports.fields import Line
from newel.compiler.imports.names import Names
from newel.compiler.imports.places import Board, board_of
from newel.compiler.imports.reading import Reading
from newel.compiler.imports.tables import Field, Form

Settings: TypeAlias = "list[tuple[str, Value]]"
Blocks: TypeAlias = "list[tuple[str, list[Statement]]]"

PULL = "pull_from_step_position"
PULL_SETTING = "pull_from"
_LATER = "it belongs to a later version of Kandev, or to none"


def workflow_of(reading: Reading, form: Form, node: Mapping, names: Names) -> Workflow:
    """The draft of one workflow; `names` has those before it."""
    _known(reading, form, node, (*form.workflow_keys, *(row.key for row in form.workflow)), "the workflow")
    title = _text(reading, node, "name")
    if not title and not form.strict:
        reading.missing("name", node, "the workflow")
    identity = _text(reading, node, "id") if form.strict else ""
    name = names.take(identity or title.lower())
    if identity and name != identity:
        reading.report(rules.NAME_CHANGED, node.raw("id") or node, owner="the workflow", old=identity, new=name)
    workflow = Workflow(name, title, _settings(reading, form.workflow, node))
    board = board_of(reading, form, node)
    feeders = [_feeder(reading, board, at) for at in range(len(board.steps))]
    _no_cycle(reading, board, feeders)
    workflow.steps = [_step(reading, board, at, feeder) for at, feeder in enumerate(feeders)]
    return workflow


def _text(reading: Reading, node: Mapping, key: str) -> str:
    value = node.get(key)
    return "" if value is None else Line().read(reading, key, value) or ""


def _known(reading: Reading, form: Form, node: Mapping, known: Collection[str], owner: str) -> None:
    if form.strict:
        reading.unknown_keys(node, known, owner)
        return
    for key, _ in node.pairs:
        if key.text not in known:
            hint = reading.nearest(key.text, known)
            reading.report(KEY_NOT_CARRIED, key, hint=hint, key=key.text, owner=owner, why=_LATER)


def _settings(reading: Reading, rows: tuple[Field, ...], node: Mapping) -> Settings:
    settings: Settings = []
    for row in rows:
        given = node.get(row.key)
        value = row.absent if given is None else row.codec.read(reading, row.key, given)
        if value is not None and value != row.default:
            settings.append((row.setting, value))
    return settings


def _step(reading: Reading, board: Board, at: int, feeder: int | None) -> Step:
    placed, form = board.steps[at], board.form
    _known(reading, form, placed.node, (*form.step_keys, *(row.key for row in form.step)), "a step")
    title = placed.title if placed.title.strip() else ""
    marks: Settings = [("start", True)] if at == board.start else []
    if board.finished(at):
        marks.append(("end", True))
    settings = _settings(reading, form.step, placed.node)
    if feeder is not None:
        settings.append((PULL_SETTING, Word(board.names[feeder])))
    events = Events(reading, board, at)
    blocks = events.read(placed.node.get("events"))
    if events.cadence:
        settings.append(("heartbeat_every", events.cadence))
    settings.sort(key=lambda setting: setting[0] == "prompt")  # what is long comes last, and the rest keeps its order
    _sessions(reading, placed.node, settings, blocks)
    return Step(board.names[at], title, marks + settings, blocks)


def _sessions(reading: Reading, node: Mapping, settings: Settings, blocks: Blocks) -> None:
    calls = [item for _, body in blocks for item in body if isinstance(item, Call)]
    configured = [call for call in calls if call.name == "configure_session"]
    if len(configured) > 1:
        reading.report(BAD_SESSION_RULES, node.key("events"), why="the step has more than one such action")
    if configured and any(name == "agent" for name, _ in settings):
        why = "the step has an agent profile, whose configuration it would change"
        reading.report(BAD_SESSION_RULES, node.key("agent_profile"), why=why)


def _feeder(reading: Reading, board: Board, at: int) -> int | None:
    node = board.steps[at].node.get(PULL)
    return None if node is None or board.form.strict else board.find(reading, PULL, node)


def _no_cycle(reading: Reading, board: Board, feeders: list[int | None]) -> None:
    """A step that is its own feeder, by itself or through others; said once for each cycle."""
    done: set[int] = set()
    for start in range(len(feeders)):
        way: list[int] = []
        at: int | None = start
        while at is not None and at not in done:
            done.add(at)
            way.append(at)
            at = feeders[at]
        if at in way:
            ring = [board.names[step] for step in way[way.index(at) :]]
            what = "itself" if len(ring) == 1 else "itself, through " + " and ".join(f"`{name}`" for name in ring[1:])
            reading.report(rules.BAD_PULL, board.steps[at].node.raw(PULL) or Scalar(0, 0, "", plain=True), what=what)
