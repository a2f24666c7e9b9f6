"""Values, calls, guards and types of a program, to the words of the language they were written in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from newel.compiler.program import (
    Action,
    Guard,
    Joined,
    Mark,
    Negated,
    Parameter,
    TypeRef,
    Vocabulary,
)

_UNITS = ((86400, "d"), (3600, "h"), (60, "m"))
_BINDS = {"|": 1, "&": 2, "!": 3}
_JOINTS = {"|": " or ", "&": " and "}


def duration(seconds: float) -> str:
    """Seconds in the largest unit that takes them whole: `48h` is `2d`, 90 seconds are `90s`."""
    for length, unit in _UNITS:
        if seconds and seconds % length == 0:
            return f"{seconds // length:g}{unit}"
    return f"{seconds:g}s"


def value(held: Any, type_: TypeRef, vocabulary: Vocabulary) -> str:
    """A value as it could be written in a file; flags are `true` and `false`."""
    if held is None:
        return "none"
    if isinstance(held, bool):
        return "true" if held else "false"
    if type_.name == "duration" and isinstance(held, int | float):
        return duration(held)
    if type_.name == "list" and type_.of is not None and isinstance(held, Sequence):
        return "[" + ", ".join(value(item, type_.of, vocabulary) for item in held) + "]"
    if type_.name == "map" and isinstance(held, Mapping):
        return _map(held, type_.of, vocabulary)
    if type_.name in vocabulary.types:
        return _declared(held, type_.name, vocabulary)
    if type_.name in ("step", "workflow") and isinstance(held, str):
        return held
    return json.dumps(held, ensure_ascii=False)


def _map(held: Mapping[str, Any], of: TypeRef | None, vocabulary: Vocabulary) -> str:
    if not held:
        return "{}"
    written = (
        json.dumps(item, ensure_ascii=False) if of is None else value(item, of, vocabulary) for item in held.values()
    )
    return "{ " + ", ".join(f"{key}: {text}" for key, text in zip(held, written, strict=True)) + " }"


def _declared(held: Any, name: str, vocabulary: Vocabulary) -> str:
    """A case with or without fields, or a record."""
    if not isinstance(held, Mapping):
        return str(held)
    definition = vocabulary.types[name]
    if not definition.cases:
        return call(name, definition.fields, held, vocabulary)
    fields = next((case.fields for case in definition.cases if case.name == held.get("case")), ())
    return call(str(held.get("case")), fields, held, vocabulary)


def call(name: str, parameters: Sequence[Parameter], held: Mapping[str, Any], vocabulary: Vocabulary) -> str:
    """`name(first, second=...)`: what was left at its default is left out."""
    said: list[str] = []
    for index, parameter in enumerate(parameters):
        given = held.get(parameter.name, parameter.default)
        if given is None or (given == parameter.default and not parameter.required):
            continue
        text = value(given, parameter.type, vocabulary)
        said.append(text if index == 0 else f"{parameter.name}={text}")
    return f"{name}({', '.join(said)})" if said else name


def action(item: Action, vocabulary: Vocabulary) -> str:
    """An action as it is called: `queue_run(ceo_agent, reason="agent_error")`."""
    return call(item.kind, vocabulary.kinds[item.kind].parameters, _held(item), vocabulary)


def guard(item: Guard, vocabulary: Vocabulary, within: int = 0) -> str:
    """A guard as it is written: `all_approve(reviewer) and not any_reject(reviewer)`."""
    if not isinstance(item, Joined | Negated):
        return call(item.kind, vocabulary.guards[item.kind].parameters, _held(item), vocabulary)
    binds = _BINDS[item.kind]
    if isinstance(item, Negated):
        text = "not " + guard(item.part, vocabulary, binds)
    else:
        text = _JOINTS[item.kind].join(guard(part, vocabulary, binds) for part in item.parts)
    return f"({text})" if binds < within else text


def _held(item: Action | Guard) -> Mapping[str, Any]:
    held: Mapping[str, Any] = _plain(item.model_dump(by_alias=True, exclude={"place"}))
    return held


def _plain(data: Any) -> Any:
    """Dictionaries and lists, as defaults are; not by way of JSON, in which not every text can be written."""
    if isinstance(data, Mapping):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(value) for value in data] if isinstance(data, list | tuple) else data


def type_name(type_: TypeRef) -> str:
    """A type as it is declared: `list(seat)?`, `int(1..)`, `duration(1s..24h)`."""
    inner = type_name(type_.of) if type_.of else _bounds(type_)
    return type_.name + (f"({inner})" if inner else "") + ("?" if type_.optional else "")


def _bounds(type_: TypeRef) -> str:
    if type_.minimum is None and type_.maximum is None:
        return ""
    write = duration if type_.name == "duration" else str
    low, high = ("" if bound is None else write(bound) for bound in (type_.minimum, type_.maximum))
    return f"{low}..{high}"


def signature(name: str, parameters: Sequence[Parameter], vocabulary: Vocabulary) -> str:
    """A declaration's head: `queue_run(target: target = primary, reason: text?)`."""
    said = [_parameter(parameter, vocabulary) for parameter in parameters]
    return f"{name}({', '.join(said)})" if said else name


def _parameter(parameter: Parameter, vocabulary: Vocabulary) -> str:
    default = "" if parameter.default is None else f" = {value(parameter.default, parameter.type, vocabulary)}"
    return f"{parameter.name}: {type_name(parameter.type)}{default}"


def mark(item: Mark) -> str:
    """A mark with the parameters it names: `approval(role, count)`."""
    return f"{item.name}({', '.join(item.parameters)})" if item.parameters else item.name


def guards_in(item: Guard) -> Iterator[str]:
    """The names of all guards a joined guard is made of."""
    if isinstance(item, Joined):
        for part in item.parts:
            yield from guards_in(part)
    elif isinstance(item, Negated):
        yield from guards_in(item.part)
    else:
        yield item.kind
