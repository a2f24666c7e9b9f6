"""A program turned into others that differ in one thing each, whatever part of the model that thing is in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from newel.compiler.bind.marks import MARKS
from newel.compiler.canonical import revision_of
from newel.compiler.kinds import classes_of
from newel.compiler.program import Program, Vocabulary
from tests.compiler.diff.sounding import sound, sound_vocabulary

Path = tuple[str | int, ...]
Field = tuple[str, str]
"""A class of the model and one of its fields."""


@dataclass(frozen=True)
class Changed:
    """A program in which one thing is another, and the field of the model that holds it."""

    field: Field
    path: Path
    program: Program


def changed(program: Program) -> Iterator[Changed]:
    """Every sound program that differs from another in one field of one part of it."""
    plain = json.loads(program.to_json())
    words = _words(program)
    for field, path, whole in fields(program):
        for other in _others(_at(plain, path), words.get(field, words.get((field[0], "*"), ())), whole):
            made = _made(_put(plain, path, other), program, plain["workflows"])
            if made is not None:
                yield Changed(field, path, made)


# ---------------------------------------------------------------- the fields of a program


def fields(part: object, path: Path = ()) -> Iterator[tuple[Field, Path, bool]]:
    """Every field with its path, and whether its value is data, in which no further fields are."""
    if isinstance(part, BaseModel):
        for name, info in type(part).model_fields.items():
            if name == "place":
                continue
            key, value = info.alias or name, getattr(part, name)
            field = (_base(part).__name__, name if name in _base(part).model_fields else "*")
            inner = list(fields(value, (*path, key)))
            yield field, (*path, key), not inner
            yield from inner
    elif isinstance(part, Mapping):
        for key, value in part.items():
            yield from fields(value, (*path, key))
    elif isinstance(part, Sequence) and not isinstance(part, str):
        for index, value in enumerate(part):
            yield from fields(value, (*path, index))


def _base(part: BaseModel) -> type[BaseModel]:
    """The class of this module that a made one stands for."""
    return next(c for c in type(part).__mro__ if c.__module__.endswith("compiler.program"))


def _at(plain: Any, path: Path) -> Any:
    for key in path:
        plain = plain[key]
    return plain


def _put(plain: Any, path: Path, value: object) -> Any:
    """A copy with another value at a path."""
    if not path:
        return value
    copy: Any = plain.copy()
    copy[path[0]] = _put(plain[path[0]], path[1:], value)
    return copy


# ---------------------------------------------------------------- other values


def _others(value: Any, words: Sequence[str], whole: bool) -> Iterator[Any]:
    """The values that may stand instead, some of which make no sense where they stand."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, max(value - 1, 0))
        case str():
            yield from (value + "-too", *(word for word in words if word != value), None)
        case None:
            yield from (1, True, "zz", *words)
        case list():
            yield from _lists(value, words, whole)
        case dict():
            yield from _maps(value, words, whole)


def _lists(value: list[Any], words: Sequence[str], whole: bool) -> Iterator[list[Any]]:
    for index, item in enumerate(value):
        yield [*value[:index], *value[index + 1 :]]
        yield [*value[:index], item, *value[index:]]
        if whole:
            yield from ([*value[:index], other, *value[index + 1 :]] for other in _others(item, words, whole))
    for index in range(len(value) - 1):
        yield [*value[:index], value[index + 1], value[index], *value[index + 2 :]]
    yield from ([*value, word] for word in words)


def _maps(value: dict[str, Any], words: Sequence[str], whole: bool) -> Iterator[dict[str, Any]]:
    names = list(value)
    for name in names:
        yield {key: held for key, held in value.items() if key != name}
        yield {("zz" if key == name else key): _called(held, "zz", key == name) for key, held in value.items()}
        yield {**value, "zz": _called(value[name], "zz", True)}
        if whole:
            yield from ({**value, name: other} for other in _others(value[name], words, whole))
    for index in range(len(names) - 1):
        order = [*names[:index], names[index + 1], names[index], *names[index + 2 :]]
        yield {name: value[name] for name in order}


def _called(held: Any, name: str, meant: bool) -> Any:
    return {**held, "name": name} if meant and isinstance(held, dict) and "name" in held else held


def _words(program: Program) -> dict[Field, list[str]]:
    """By field, the words of this program that may stand there."""
    v = program.vocabulary
    steps = [step for workflow in program.workflows.values() for step in workflow.steps]
    cases = [case.name for each in v.types.values() for case in each.cases]
    return {
        ("TypeRef", "name"): ["text", "int", "flag", *v.types],
        ("Mark", "name"): sorted({mark for bearer in MARKS.values() for mark in bearer}),
        ("KindDef", "triggers"): [*v.triggers],
        ("GuardDef", "triggers"): [*v.triggers],
        ("KindDef", "owner"): ["dispatch", "exclude"],
        ("SettingDef", "owner"): ["workflow", "step"],
        ("Move", "to"): steps,
        ("Joined", "kind"): ["&", "|"],
        ("Step", "settings"): [*steps, *cases],
        ("Guard", "*"): cases,
        ("Action", "*"): cases,
    }


# ---------------------------------------------------------------- what could have been compiled


def _made(plain: Any, old: Program, workflows: Any) -> Program | None:
    """A program of plain data, None where no file compiles to that, or where it is the old one said in another way."""
    try:
        vocabulary = Vocabulary.model_validate(plain["vocabulary"])
        if not sound_vocabulary(vocabulary) or (vocabulary == old.vocabulary and plain["workflows"] == workflows):
            return None
        program = classes_of(vocabulary).program.model_validate(plain)
        if not sound(program):
            return None
    except (ValidationError, KeyError, TypeError, AttributeError, ValueError, NameError):
        return None
    return program.model_copy(update={"revision": revision_of(program)})
