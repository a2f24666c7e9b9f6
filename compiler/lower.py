"""The bound model to the Program, in one pass: settings filled up with their defaults, durations in seconds.

It asks for a model without errors; what names something is taken as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from pydantic import JsonValue

from newel.compiler import model as bound
from newel.compiler.canonical import revision_of
from newel.compiler.kinds import Classes, classes_of
from newel.compiler.program import (
    Action,
    Case,
    Guard,
    GuardDef,
    KeyDef,
    KindDef,
    Mark,
    Move,
    OperationShape,
    Parameter,
    Place,
    Program,
    SettingDef,
    Step,
    TriggerDef,
    TypeDef,
    TypeRef,
    Vocabulary,
    Workflow,
)
from newel.dsl.source import Span


def lower(model: bound.Model) -> Program:
    """The program of a model."""
    vocabulary = lower_vocabulary(model.vocabulary)
    classes = classes_of(vocabulary)
    workflows = Workflows(classes, model.vocabulary)
    program = classes.program(
        revision="",
        vocabulary=vocabulary,
        workflows={name: workflows.workflow(each) for name, each in sorted(model.workflows.items())},
    )
    return program.model_copy(update={"revision": revision_of(program)})


# ---------------------------------------------------------------- vocabulary


def lower_vocabulary(vocabulary: bound.Vocabulary) -> Vocabulary:
    """All declarations; those found by name in the order of their names, since no other order means anything."""
    owners: dict[str, bound.ListName] = {listed.kind: listed.owner for listed in vocabulary.lists}
    return Vocabulary(
        types={name: _type(each) for name, each in sorted(vocabulary.types.items())},
        settings=tuple(_setting(each) for each in vocabulary.settings.values()),
        triggers={name: _trigger(each) for name, each in sorted(vocabulary.triggers.items())},
        keys={name: _key(each) for name, each in sorted(vocabulary.keys.items())},
        guards={name: _guard(each) for name, each in sorted(vocabulary.guards.items())},
        kinds={name: _kind(each, owners) for name, each in sorted(vocabulary.kinds.items())},
        placeholders=tuple(sorted(vocabulary.placeholders)),
    )


def _declared(declared: bound.Declared) -> dict[str, Any]:
    place = place_of(declared.span) if declared.span.source.text else None
    found: dict[str, Any] = {"name": declared.name, "doc": declared.doc, "place": place}
    if isinstance(declared, bound.Marked):
        found["marks"] = tuple(Mark(name=m.name, parameters=m.parameters) for m in declared.marks.values())
    return found


def _type(declared: bound.TypeDef) -> TypeDef:
    cases = tuple(Case(name=case.name, fields=_parameters(case.fields)) for case in declared.cases.values())
    return TypeDef(**_declared(declared), cases=cases, fields=_parameters(declared.fields))


def _setting(declared: bound.SettingDef) -> SettingDef:
    return SettingDef(
        **_declared(declared), owner=declared.owner, type=_reference(declared.type), default=declared.default
    )


def _trigger(declared: bound.TriggerDef) -> TriggerDef:
    return TriggerDef(
        **_declared(declared),
        payload=_parameters(declared.payload),
        operations=tuple(_shape(each) for each in declared.operations),
        moves=declared.moves,
        guarded=declared.guarded,
        in_turn=declared.in_turn,
    )


def _key(declared: bound.KeyDef) -> KeyDef:
    shape = declared.operation
    return KeyDef(
        **_declared(declared),
        parameters=_parameters(declared.parameters),
        operation=OperationShape(shape="") if shape is None else _shape(shape),
    )


def _guard(declared: bound.GuardDef) -> GuardDef:
    triggers = None if declared.triggers is None else tuple(sorted(declared.triggers))
    return GuardDef(**_declared(declared), parameters=_parameters(declared.parameters), triggers=triggers)


def _kind(declared: bound.KindDef, owners: Mapping[str, bound.ListName]) -> KindDef:
    return KindDef(
        **_declared(declared),
        parameters=_parameters(declared.parameters),
        triggers=tuple(sorted(declared.triggers)),
        owner=owners.get(declared.name),
    )


def _shape(shape: bound.Shape) -> OperationShape:
    return OperationShape(shape=shape.text, edge=shape.edge)


def _parameters(parameters: Mapping[str, bound.Parameter]) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(name=each.name, type=_reference(each.type), required=each.required, default=each.default)
        for each in parameters.values()
    )


def _reference(type_: bound.Type) -> TypeRef:
    return TypeRef(
        name=type_.name,
        of=None if type_.of is None else _reference(type_.of),
        minimum=type_.minimum,
        maximum=type_.maximum,
        optional=type_.optional,
    )


def place_of(span: Span) -> Place:
    """Where a span begins, as the program keeps it."""
    return _place(span.source.path, *span.source.line_column(span.start))


@lru_cache(maxsize=4096)
def _place(path: str, line: int, column: int) -> Place:
    return Place(path=path, line=line, column=column)


# ---------------------------------------------------------------- workflows


class Workflows:
    """Lowers workflows to the classes of one vocabulary."""

    def __init__(self, classes: Classes, vocabulary: bound.Vocabulary) -> None:
        self.classes = classes
        settings = vocabulary.settings.values()
        self._defaults: dict[str, dict[str, JsonValue]] = {
            owner: {s.name: s.default for s in settings if s.owner == owner and s.default is not None}
            for owner in ("workflow", "step")
        }

    def workflow(self, workflow: bound.Workflow) -> Workflow:
        """A workflow with exactly one start."""
        return self.classes.workflow(
            name=workflow.name,
            title=workflow.title,
            start=workflow.starts[0].name,
            settings=self._settings("workflow", workflow.settings),
            steps={name: self._step(step) for name, step in workflow.steps.items()},
            doc=workflow.doc,
            place=place_of(workflow.span),
        )

    def _step(self, step: bound.Step) -> Step:
        return self.classes.step(
            name=step.name,
            title=step.title,
            start=step.start is not None,
            end=step.end is not None,
            settings=self._settings("step", step.settings),
            on={name: self._statements(on.statements) for name, on in sorted(step.on.items())},
            doc=step.doc,
            place=place_of(step.span),
        )

    def _settings(self, owner: bound.Owner, given: Mapping[str, bound.Value]) -> dict[str, JsonValue]:
        values = dict(self._defaults[owner])
        for name, value in given.items():
            values[name] = value.value
        return dict(sorted(values.items()))

    def _statements(self, statements: Iterable[bound.Statement]) -> tuple[Action | Move, ...]:
        return tuple(self._action(each) if isinstance(each, bound.Action) else self._move(each) for each in statements)

    def _action(self, action: bound.Action) -> Action:
        line, column = action.source.line_column(action.start)
        place = Place(path=action.source.path, line=line, column=column)
        return self.classes.kinds[action.kind.name].model_validate({**action.args, "place": place})

    def _move(self, move: bound.Move) -> Move:
        line, column = move.source.line_column(move.start)
        return self.classes.move(
            to=move.to or "",
            approval=move.approval,
            guard=None if move.guard is None else self._asked(move.guard),
            place=Place(path=move.source.path, line=line, column=column),
        )

    def _asked(self, guard: bound.GuardTree) -> Guard:
        if isinstance(guard, bound.GuardCall):
            return self.classes.guards[guard.guard.name].model_validate(guard.args)
        if isinstance(guard, bound.Joined):
            return self.classes.joined(kind=guard.operator, parts=tuple(self._asked(part) for part in guard.parts))
        if isinstance(guard, bound.Negated):
            return self.classes.negated(part=self._asked(guard.part))
        raise TypeError("a guard that could not be bound is never lowered")
