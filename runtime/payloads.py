"""A trigger's payload, as the host gives it, to one that fits what the trigger declares; else a `PayloadError`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from newel.compiler.program import Parameter, Program, TriggerDef, TypeRef
from newel.runtime.errors import PayloadError
from newel.runtime.known import flaw

EMPTY: Mapping[str, Any] = MappingProxyType({})


def fitted(
    program: Program, workflow: str | None, trigger: TriggerDef, payload: Mapping[str, Any] | None
) -> Mapping[str, Any]:
    """The payload with every declared field: defaults filled in, what is left out and optional as None."""
    if not trigger.payload and not payload:
        return EMPTY
    given = {} if payload is None else payload
    return MappingProxyType(_Fit(program, workflow).fields(trigger.payload, given, f"{trigger.name}: "))


class _Fit:
    """Fits values to types; `where` leads to the value in messages."""

    def __init__(self, program: Program, workflow: str | None) -> None:
        self._program, self._workflow = program, workflow

    def fields(self, declared: Iterable[Parameter], given: object, where: str) -> dict[str, Any]:
        if not isinstance(given, Mapping):
            raise PayloadError(f"{where}an object is needed, not {say(given)}")
        parameters = {p.name: p for p in declared}
        for name in given:
            if name not in parameters:
                raise PayloadError(f"{where}there is no field {name!r}{_suggest(name, parameters)}")
        return {name: self._field(p, given, where) for name, p in parameters.items()}

    def _field(self, parameter: Parameter, given: Mapping[str, Any], where: str) -> Any:
        value = given.get(parameter.name)
        if value is not None:
            return self.value(parameter.type, value, f"{where}{parameter.name}: ")
        if parameter.required:
            raise PayloadError(f"{where}the field {parameter.name!r} must be given")
        return parameter.default

    def value(self, type_: TypeRef, value: Any, where: str) -> Any:
        fit = _BUILT_IN.get(type_.name)
        return self._declared(type_.name, value, where) if fit is None else fit(self, type_, value, where)

    def _declared(self, name: str, value: Any, where: str) -> Any:
        definition = self._program.vocabulary.types[name]
        if not definition.cases:
            return self.fields(definition.fields, value, where)
        cases = {case.name: case for case in definition.cases}
        with_fields = any(case.fields for case in definition.cases)
        chosen = value.get("case") if with_fields and isinstance(value, Mapping) else value
        if not isinstance(chosen, str) or chosen not in cases or (with_fields and value is chosen):
            form = 'an object with "case"' if with_fields else "one"
            raise PayloadError(f"{where}{form} of {', '.join(cases)} is needed, not {say(value)}")
        if not with_fields:
            return chosen
        rest = {key: part for key, part in value.items() if key != "case"}
        return {"case": chosen, **self.fields(cases[chosen].fields, rest, where)}

    def _list(self, type_: TypeRef, value: Any, where: str) -> Any:
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise PayloadError(f"{where}a list is needed, not {say(value)}")
        if type_.of is None:
            _check_within(value, where)
            return list(value)
        return [self.value(type_.of, part, f"{where}[{n}]: ") for n, part in enumerate(value)]

    def _map(self, type_: TypeRef, value: Any, where: str) -> Any:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise PayloadError(f"{where}an object is needed, not {say(value)}")
        if type_.of is None:
            _check_within(value, where)
            return dict(value)
        for key in value:
            _check_text(key, where)
        return {key: self.value(type_.of, part, f"{where}{key}: ") for key, part in value.items()}

    def _text(self, _: TypeRef, value: Any, where: str) -> Any:
        _check_text(_needed(isinstance(value, str), "a text", value, where), where)
        return value

    def _flag(self, _: TypeRef, value: Any, where: str) -> Any:
        return _needed(isinstance(value, bool), "true or false", value, where)

    def _int(self, type_: TypeRef, value: Any, where: str) -> Any:
        whole = isinstance(value, int) and not isinstance(value, bool)
        return _bounded(type_, _needed(whole, "a whole number", value, where), where)

    def _number(self, type_: TypeRef, value: Any, where: str) -> Any:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        number = number and (isinstance(value, int) or math.isfinite(value))
        return _bounded(type_, _needed(number, "a number", value, where), where)

    def _workflow_name(self, _: TypeRef, value: Any, where: str) -> Any:
        known = isinstance(value, str) and value in self._program.workflows
        return _needed(known, "the name of a workflow", value, where)

    def _step_name(self, _: TypeRef, value: Any, where: str) -> Any:
        workflow = self._program.workflows.get(self._workflow or "")
        known = isinstance(value, str) and workflow is not None and value in workflow.steps
        return _needed(known, "the name of a step of the task's workflow", value, where)


_BUILT_IN: Mapping[str, Callable[[_Fit, TypeRef, Any, str], Any]] = {
    "text": _Fit._text,
    "int": _Fit._int,
    "number": _Fit._number,
    "duration": _Fit._number,
    "flag": _Fit._flag,
    "step": _Fit._step_name,
    "workflow": _Fit._workflow_name,
    "list": _Fit._list,
    "map": _Fit._map,
}


def _needed(fits: bool, what: str, value: Any, where: str) -> Any:
    if not fits:
        raise PayloadError(f"{where}{what} is needed, not {say(value)}")
    return value


def _bounded(type_: TypeRef, value: Any, where: str) -> Any:
    if type_.minimum is not None and value < type_.minimum:
        raise PayloadError(f"{where}{say(value)} is less than {type_.minimum}")
    if type_.maximum is not None and value > type_.maximum:
        raise PayloadError(f"{where}{say(value)} is more than {type_.maximum}")
    return value


def _check_text(text: str, where: str) -> None:
    """Raises `PayloadError` for one that some database cannot hold: it may come to be kept, or part of a run's key."""
    if found := flaw(str.__str__(text)):
        raise PayloadError(f"{where}{found.wanted} is needed, not {say(text)}; {found.advice}")


def _check_within(value: object, where: str) -> None:
    """Check every text in a value of which nothing is declared, however deep; each part once, be it inside itself."""
    waiting, seen = [value], set[int]()
    for part in waiting:
        if isinstance(part, str):
            _check_text(part, where)
        elif isinstance(part, Mapping | list | tuple) and id(part) not in seen:
            seen.add(id(part))
            waiting += (*part, *part.values()) if isinstance(part, Mapping) else part


def say(value: object) -> str:
    """A value as a message shows it."""
    try:
        text = repr(value)
    except Exception:  # a number of more digits than are written out, or an object of whatever kind
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _suggest(name: object, known: Iterable[str]) -> str:
    close = get_close_matches(str(name), list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
