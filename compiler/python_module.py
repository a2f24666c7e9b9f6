"""A vocabulary to a typed Python module: a class for each of its kinds, guards and types that has fields.

The classes the compiler makes have the same names and fields, so a handler written against the module is checked by a
type checker. `newel.compiler.standard` is this module of the standard vocabulary.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from newel.compiler.digests import Digests
from newel.compiler.names import attributes, class_names, has_fields, in_order
from newel.compiler.program import Declared, Parameter, TypeRef, Vocabulary

_HEAD = '''\
"""{title}

Written by `newel compile --python`; not to be edited.
"""

# pyright: reportIncompatibleVariableOverride=false
# The base has `kind: str` and each class one value of it: sound, since nothing of a frozen model can be assigned.

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from newel.compiler.program import Action, FrozenMap, Guard, JsonMap, Model
'''

_PLAIN: Mapping[str, str] = {
    "text": "str",
    "int": "int",
    "number": "float",
    "flag": "bool",
    "duration": "int",
    "step": "str",
    "workflow": "str",
}

Known = Mapping[str, tuple[object, str]]


def python_module(vocabulary: Vocabulary, title: str = "The classes of this vocabulary.") -> str:
    """The module of a vocabulary; what is as in the standard one is taken from there."""
    from newel.compiler import standard

    return Writer(vocabulary, (standard.TYPES, standard.GUARDS, standard.KINDS)).module(title)


def standard_module(vocabulary: Vocabulary) -> str:
    """The module of the standard vocabulary itself."""
    title = "The standard vocabulary: one class for each kind, guard and type of `grammars/standard.newel`."
    return Writer(vocabulary, ({}, {}, {})).module(title)


class Writer:
    """Writes the module of one vocabulary. `known` are the types, guards and kinds that need not be written again."""

    def __init__(self, vocabulary: Vocabulary, known: tuple[Known, Known, Known]) -> None:
        self.vocabulary = vocabulary
        self.names = class_names(vocabulary)
        self.digests = Digests(vocabulary)
        self.known_types, self.known_guards, self.known_kinds = known
        self._taken: list[str] = []

    def module(self, title: str) -> str:
        """The whole text."""
        v = self.vocabulary
        types = [self._type(name) for name in in_order(v) if not self._is_known(name, self.known_types, "types")]
        guards = [
            self._call(v.guards[name], self.names.guards[name], "Guard", v.guards[name].parameters)
            for name in v.guards
            if not self._is_known(name, self.known_guards, "guards")
        ]
        kinds = [
            self._call(v.kinds[name], self.names.kinds[name], "Action", v.kinds[name].parameters)
            for name in v.kinds
            if not self._is_known(name, self.known_kinds, "kinds")
        ]
        taken = "".join(f"from newel.compiler.standard import {name} as {name}\n" for name in sorted(self._taken))
        return _HEAD.format(title=title) + taken + "".join((*types, *guards, *kinds)) + self._tables()

    def _is_known(self, name: str, known: Known, family: str) -> bool:
        digest = getattr(self.digests, family)[name]
        if name not in known or known[name][1] != digest:
            return False
        self._taken.append(getattr(self.names, family)[name])
        if family == "types" and has_fields(self.vocabulary, name):
            self._taken += [self.names.cases[name, case.name] for case in self.vocabulary.types[name].cases]
        return True

    # ------------------------------------------------------------ classes

    def _call(self, declared: Declared, name: str, base: str, parameters: Sequence[Parameter]) -> str:
        lines = [f"kind: Literal[{_text(declared.name)}] = {_text(declared.name)}"]
        return self._class(name, base, declared.doc, [*lines, *self._fields(parameters)])

    def _type(self, name: str) -> str:
        declared, own = self.vocabulary.types[name], self.names.types[name]
        if not declared.cases:
            return self._class(own, "Model", declared.doc, list(self._fields(declared.fields)))
        if not has_fields(self.vocabulary, name):
            cases = "".join(f"    {_text(case.name)},\n" for case in declared.cases)
            return f"\n\n{own}: TypeAlias = Literal[\n{cases}]\n{_doc(declared.doc, '')}"
        classes = "".join(
            self._class(
                self.names.cases[name, case.name],
                "Model",
                None,
                [f"case: Literal[{_text(case.name)}] = {_text(case.name)}", *self._fields(case.fields)],
            )
            for case in declared.cases
        )
        cases = " | ".join(self.names.cases[name, case.name] for case in declared.cases)
        union = f'Annotated[\n    {cases},\n    Field(discriminator="case"),\n]' if len(declared.cases) > 1 else cases
        return f"{classes}\n\n{own}: TypeAlias = {union}\n{_doc(declared.doc, '')}"

    def _class(self, name: str, base: str, doc: str | None, lines: Sequence[str]) -> str:
        body = "".join(f"    {line}\n" for line in lines)
        documented = _doc(doc, "    ")
        if not documented and not body:
            body = "    pass\n"
        gap = "\n" if documented and body else ""
        return f"\n\nclass {name}({base}):\n{documented}{gap}{body}"

    def _fields(self, parameters: Sequence[Parameter]) -> Iterator[str]:
        names = attributes(each.name for each in parameters)
        for each in parameters:
            yield f"{names[each.name]}: {self._annotation(each.type)}{self._default(each, names[each.name])}"

    def _default(self, parameter: Parameter, attribute: str) -> str:
        alias = "" if attribute == parameter.name else f"alias={_text(parameter.name)}"
        if parameter.required:
            return f" = Field({alias})" if alias else ""
        value = self._value(parameter.default, parameter.type)
        return f" = Field(default={value}, {alias})" if alias else f" = {value}"

    def _value(self, value: JsonValue, ref: TypeRef) -> str:
        """A default as an expression of the class it has."""
        if isinstance(value, list) and ref.of is not None:
            items = "".join(f"{self._value(item, ref.of)}, " for item in value)
            return f"({items.rstrip()})"
        declared = self.vocabulary.types.get(ref.name)
        if not isinstance(value, dict) or declared is None:
            return _literal(value)
        case = next((each.name for each in declared.cases if each.name == value.get("case")), None)
        name = self.names.types[ref.name] if case is None else self.names.cases[ref.name, case]
        bare = value.keys() <= {"case"}
        return f"{name}()" if bare else f"{name}.model_validate({_literal(value)})"

    def _annotation(self, ref: TypeRef) -> str:
        text = self.names.types.get(ref.name) or _PLAIN.get(ref.name, "")
        if ref.name == "list" and ref.of is not None:
            text = f"tuple[{self._annotation(ref.of)}, ...]"
        elif ref.name == "map":
            text = "JsonMap" if ref.of is None else f"FrozenMap[str, {self._annotation(ref.of)}]"
        bounds = [f"{word}={bound}" for word, bound in (("ge", ref.minimum), ("le", ref.maximum)) if bound is not None]
        if bounds:
            text = f"Annotated[{text}, Field({', '.join(bounds)})]"
        return f"{text} | None" if ref.optional else text

    # ------------------------------------------------------------ tables

    def _tables(self) -> str:
        return "\n\n" + "\n".join(
            (
                self._table("TYPES", "object", self.names.types, self.digests.types),
                self._table("GUARDS", "type[Guard]", self.names.guards, self.digests.guards),
                self._table("KINDS", "type[Action]", self.names.kinds, self.digests.kinds),
            )
        )

    def _table(self, title: str, of: str, names: Mapping[str, str], digests: Mapping[str, str]) -> str:
        lines = "".join(f"    {_text(name)}: ({names[name]}, {_text(digests[name])}),\n" for name in names)
        return f"{title}: Mapping[str, tuple[{of}, str]] = {{\n{lines}}}\n"


def _text(value: str) -> str:
    return json.dumps(value)


def _literal(value: JsonValue) -> str:
    """Plain data as Python writes it."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(_literal(each) for each in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(key)}: {_literal(each)}" for key, each in value.items()) + "}"
    return repr(value)


def _doc(doc: str | None, margin: str) -> str:
    """A documentation text as a docstring that nothing in it can end."""
    if not doc:
        return ""
    safe = doc.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if safe.endswith('"'):
        safe = safe[:-1] + '\\"'
    lines = safe.split("\n")
    text = "\n".join([lines[0], *(f"{margin}{line}".rstrip() for line in lines[1:])])
    end = f"\n{margin}" if len(lines) > 1 else ""
    return f'{margin}"""{text}{end}"""\n'
