"""A vocabulary to the classes of its programs: one frozen model for each kind, guard and type that has fields.

The actions of a list are a union told apart by `kind`. What the standard vocabulary declares, and nobody extends, keeps
its generated class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import Annotated, Any, ForwardRef, Literal, TypeVar

from pydantic import Field, create_model

from newel.compiler import program, standard
from newel.compiler.digests import Digests
from newel.compiler.frozen import thawed
from newel.compiler.names import ClassNames, attributes, class_names, has_fields, in_order
from newel.compiler.program import FrozenMap, JsonMap, Parameter, TypeRef, Vocabulary

M = TypeVar("M", bound=program.Model)

_PLAIN: Mapping[str, Any] = {
    "text": str,
    "int": int,
    "number": float,
    "flag": bool,
    "duration": int,
    "step": str,
    "workflow": str,
}


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of one vocabulary's programs."""

    kinds: Mapping[str, type[program.Action]]
    guards: Mapping[str, type[program.Guard]]
    joined: type[program.Joined]
    negated: type[program.Negated]
    move: type[program.Move]
    step: type[program.Step]
    workflow: type[program.Workflow]
    program: type[program.Program]


_cache: dict[str, Classes] = {}
_CACHED = 64


def classes_of(vocabulary: Vocabulary) -> Classes:
    """The classes of a vocabulary; the same ones for every vocabulary that makes the same."""
    digests = Digests(vocabulary)
    key = digests.whole()
    found = _cache.get(key)
    if found is None:
        if len(_cache) >= _CACHED:
            _cache.clear()
        found = _cache[key] = Maker(vocabulary, digests).classes()
    return found


class Maker:
    """Makes the classes of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary, digests: Digests) -> None:
        self.vocabulary = vocabulary
        self.digests = digests
        self._types: dict[str, Any] = {}

    @cached_property
    def names(self) -> ClassNames:
        """The classes' names."""
        return class_names(self.vocabulary)

    def classes(self) -> Classes:
        """All classes."""
        for name in in_order(self.vocabulary):
            self._types[name] = self._declared(name)
        kinds = {name: self._kind(name) for name in self.vocabulary.kinds}
        guards = {name: self._guard(name) for name in self.vocabulary.guards}
        return tree_of(kinds, guards)

    # ------------------------------------------------------------ kinds and guards

    def _kind(self, name: str) -> type[program.Action]:
        known = standard.KINDS.get(name)
        if known is not None and known[1] == self.digests.kinds[name]:
            return known[0]
        fields = self._fields(self.vocabulary.kinds[name].parameters)
        return made(self.names.kinds[name], program.Action, {"kind": (_only(name), name), **fields})

    def _guard(self, name: str) -> type[program.Guard]:
        known = standard.GUARDS.get(name)
        if known is not None and known[1] == self.digests.guards[name]:
            return known[0]
        fields = self._fields(self.vocabulary.guards[name].parameters)
        return made(self.names.guards[name], program.Guard, {"kind": (_only(name), name), **fields})

    # ------------------------------------------------------------ types

    def _declared(self, name: str) -> Any:
        known = standard.TYPES.get(name)
        if known is not None and known[1] == self.digests.types[name]:
            return known[0]
        declared = self.vocabulary.types[name]
        if not declared.cases:
            return made(self.names.types[name], program.Model, self._fields(declared.fields))
        if not has_fields(self.vocabulary, name):
            return _only(*(case.name for case in declared.cases))
        classes = [
            made(
                self.names.cases[name, case.name],
                program.Model,
                {"case": (_only(case.name), case.name), **self._fields(case.fields)},
            )
            for case in declared.cases
        ]
        return told_apart(classes, "case")

    def _fields(self, parameters: Sequence[Parameter]) -> dict[str, Any]:
        names = attributes(each.name for each in parameters)
        return {names[each.name]: self._field(each, names[each.name]) for each in parameters}

    def _field(self, parameter: Parameter, attribute: str) -> tuple[Any, Any]:
        alias = None if attribute == parameter.name else parameter.name
        annotation = self._annotation(parameter.type)
        if parameter.required:
            return annotation, Field(alias=alias)
        return annotation, Field(default=thawed(parameter.default), validate_default=True, alias=alias)

    def _annotation(self, ref: TypeRef) -> Any:
        annotation: Any = self._types.get(ref.name) or _PLAIN.get(ref.name)
        if ref.of is not None:
            element = self._annotation(ref.of)
            annotation = sequence(element) if ref.name == "list" else mapping(element)
        elif ref.name == "map":
            annotation = JsonMap
        if ref.minimum is not None or ref.maximum is not None:
            annotation = Annotated[annotation, Field(ge=ref.minimum, le=ref.maximum)]
        return annotation | None if ref.optional else annotation


# The type checkers know annotations as they are written, not those that are made: here they are made, and nowhere else.


def made(name: str, base: type[M], fields: Mapping[str, tuple[Any, Any]]) -> type[M]:
    """A frozen model under a base, with those annotations and defaults."""
    definitions: Any = fields
    return create_model(name, __base__=base, __module__=__name__, **definitions)


def _only(*values: str) -> Any:
    literal: Any = Literal
    return literal[values]


def sequence(element: Any) -> Any:
    """The annotation of a tuple of any length."""
    return tuple.__class_getitem__((element, ...))


def mapping(element: Any) -> Any:
    """The annotation of a map that cannot be changed."""
    frozen: Any = FrozenMap
    return frozen[str, element]


def told_apart(classes: Sequence[Any], by: str | None) -> Any:
    """The union of some models, told apart by a field, or by trying one after the other."""
    union = reduce(or_, classes)
    return Annotated[union, Field(discriminator=by)] if by and len(classes) > 1 else union


def tree_of(
    kinds: Mapping[str, type[program.Action]], guards: Mapping[str, type[program.Guard]], *, apart: bool = True
) -> Classes:
    """The classes of a program whose lists hold those kinds and whose moves ask those guards; `apart` where each class
    has a `kind` of its own to be told by."""
    by = "kind" if apart else None
    later: Any = ForwardRef("AnyGuard")
    joined = made("Joined", program.Joined, {"parts": (sequence(later), ...)})
    negated = made("Negated", program.Negated, {"part": (later, ...)})
    any_guard = told_apart([*guards.values(), joined, negated], by)
    for each in (joined, negated):
        each.model_rebuild(_types_namespace={"AnyGuard": any_guard})
    move = made("Move", program.Move, {"guard": (any_guard | None, None)})
    statement = told_apart([*kinds.values(), move], by)
    step = made("Step", program.Step, {"on": (mapping(sequence(statement)), ...)})
    workflow = made("Workflow", program.Workflow, {"steps": (mapping(step), ...)})
    whole = made("Program", program.Program, {"workflows": (mapping(workflow), ...)})
    return Classes(kinds, guards, joined, negated, move, step, workflow, whole)
