"""A bound workflow to a board of either form: the way of the import, through the same tables, the other way round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from newel.compiler.boards import rules
from newel.compiler.boards.events import CADENCE_SETTING, Events
from newel.compiler.boards.writing import NO_KEY, Writing
from newel.compiler.imports.draft import Value as Drafted
from newel.compiler.imports.names import Names
from newel.compiler.imports.places import is_finished
from newel.compiler.imports.tables import Field, plain
from newel.compiler.imports.workflows import PULL, PULL_SETTING
from newel.compiler.model import Json, Owner, Step, Value, Vocabulary, Workflow

Board = dict[str, Json]


def board_of(writing: Writing, vocabulary: Vocabulary, workflow: Workflow, names: Names) -> Board:
    """One workflow; `names` has what an import would call those before it."""
    form = writing.form
    board: Board = {"id": workflow.name} if form.strict else {}
    _named(writing, "the workflow", workflow, names)
    board["name"] = workflow.title
    rows = _Rows(writing, vocabulary, "workflow")
    board.update(rows.written(form.workflow, workflow.settings))
    rows.left_over(form.workflow, workflow.settings)
    steps = Names("step")
    board["steps"] = [_step(writing, vocabulary, workflow, step, steps) for step in workflow.steps.values()]
    return board


def _step(writing: Writing, vocabulary: Vocabulary, workflow: Workflow, step: Step, names: Names) -> Board:
    form = writing.form
    board: Board = {"id": step.name} if form.strict else {}
    _named(writing, "the step", step, names)
    board |= {"name": step.title, "position": step.index}
    if step.start:
        board["is_start_step"] = True
    _end(writing, workflow, step)
    rows = _Rows(writing, vocabulary, "step")
    board.update(rows.written(form.step, step.settings))
    prompt = board.pop("prompt", None)
    if PULL in form.step_keys and (feeder := step.settings.get(PULL_SETTING)):
        board[PULL] = workflow.steps[str(feeder.value)].index
    events = Events(writing, workflow, step)
    if written := events.written():
        board["events"] = written
    if prompt is not None:  # what is long comes last
        board["prompt"] = prompt
    rows.left_over(form.step, step.settings, {CADENCE_SETTING, *([PULL_SETTING] if PULL in form.step_keys else [])})
    return board


def _named(writing: Writing, owner: str, thing: Workflow | Step, names: Names) -> None:
    if not thing.title.strip():
        writing.lost(f"a blank title of {owner}", "every board and step is named there", thing.span)
    new = names.take(thing.name if writing.form.strict else thing.title.lower())
    if new != thing.name:
        writing.report(rules.NAME_FROM_TITLE, thing.span, owner=owner, name=thing.name, new=new)


def _end(writing: Writing, workflow: Workflow, step: Step) -> None:
    finished = is_finished(step.title, last=step.index == len(workflow.steps) - 1)
    if step.end and not finished:
        why = "a task is finished there only at a last step that is called done, complete, completed or approved"
        writing.lost(f"`end` of `{step.name}`", why, step.end.span, step.end.trace)
    elif finished and not step.end:
        writing.report(rules.TAKEN_FOR_END, step.span, step=step.name)


class _Rows:
    """The settings of a workflow or of a step, written by the rows of a form."""

    def __init__(self, writing: Writing, vocabulary: Vocabulary, owner: Owner) -> None:
        self.writing, self.vocabulary = writing, vocabulary
        self.owner: Owner = owner

    def written(self, rows: Iterable[Field], given: Mapping[str, Value]) -> Board:
        """Each key whose value is not the one the client takes where it is missing."""
        board: Board = {}
        for row in rows:
            setting = given.get(row.setting)
            if setting and setting.setting.file.standard:
                what = f"`{row.setting}` of the {self.owner}"
                written = row.codec.write(setting.value)
                value = self.writing.said(what, written, setting.span, setting.trace)
            else:
                declared = self.vocabulary.settings.get((self.owner, row.setting))
                value = declared.default if declared and declared.file.standard else None
            if value is not None and value != _taken(row):
                board[row.key] = value
        return board

    def left_over(self, rows: Iterable[Field], given: Mapping[str, Value], others: Iterable[str] = ()) -> None:
        """Settings that say something and have no row."""
        known = {row.setting for row in rows}.union(others)
        for name, value in given.items():
            if self.writing.foreign(value.setting, f"`{name}` of the {self.owner}", value.span, value.trace):
                continue
            if name not in known and value.value != value.setting.default:
                self.writing.lost(f"`{name}` of the {self.owner}", NO_KEY, value.span, value.trace)


def _taken(row: Field) -> Json:
    """What an import takes where the key is missing, and the client too."""
    taken: Drafted | None = row.default if row.absent is None else row.absent
    return plain(taken)
