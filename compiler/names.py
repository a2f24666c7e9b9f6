"""Names of the language to names in Python: classes for kinds, guards and types, attributes for parameters."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import BaseModel

from newel.compiler.checks.graph import components
from newel.compiler.program import Parameter, TypeDef, Vocabulary

_TAKEN = (
    frozenset(dir(BaseModel))
    | frozenset(dir(type(BaseModel)))
    | {"kind", "place", "case", "str", "int", "float", "bool", "tuple"}
)


def class_name(name: str) -> str:
    """`queue_run` to `QueueRun`."""
    words = [word for word in re.split(r"[_-]+", name) if word]
    camel = "".join(word[0].upper() + word[1:] for word in words) or "Unnamed"
    if keyword.iskeyword(camel):  # None, True, False
        return f"{camel}_"
    return camel if camel[0].isalpha() else f"N{camel}"


def attribute(name: str) -> str:
    """A parameter's name as an attribute: `from` to `from_`. The same name where it can be one."""
    plain = name.replace("-", "_").lstrip("_") or "unnamed"
    if plain[0].isdigit():
        plain = f"n{plain}"
    if keyword.iskeyword(plain) or plain in _TAKEN or plain.startswith("model_"):
        return f"{plain}_"
    # Annotations are read in the class: a field there must not be called like a class they name.
    return f"{plain}_" if plain[0].isupper() else plain


def attributes(names: Iterable[str]) -> dict[str, str]:
    """The attributes of the fields of one class, by field; no two are the same."""
    found: dict[str, str] = {}
    for name in names:
        wanted = attribute(name)
        while wanted in found.values():
            wanted += "_"
        found[name] = wanted
    return found


@dataclass(slots=True)
class ClassNames:
    """The name of each class of a vocabulary: of kinds, guards and types by name, of cases by type and case."""

    kinds: dict[str, str] = field(default_factory=dict)
    guards: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    cases: dict[tuple[str, str], str] = field(default_factory=dict)


_GIVEN = frozenset(  # what the module imports and defines itself
    {
        *("Action", "Annotated", "Field", "FrozenMap", "Guard", "JsonMap", "Literal", "Mapping", "Model", "TypeAlias"),
        *("TYPES", "GUARDS", "KINDS"),
    }
)


def class_names(vocabulary: Vocabulary) -> ClassNames:
    """Names for all classes of a vocabulary, kinds first: a guard or type whose name is taken gets a longer one."""
    names = ClassNames()
    taken = set(_GIVEN)

    def free(name: str, longer: str) -> str:
        wanted = name if name not in taken else name + longer
        while wanted in taken:
            wanted += "_"
        taken.add(wanted)
        return wanted

    for kind in vocabulary.kinds:
        names.kinds[kind] = free(class_name(kind), "Action")
    for guard in vocabulary.guards:
        names.guards[guard] = free(class_name(guard), "Guard")
    for declared in vocabulary.types.values():
        names.types[declared.name] = free(class_name(declared.name), "Value")
    for declared in vocabulary.types.values():
        if any(case.fields for case in declared.cases):
            for case in declared.cases:
                name = class_name(declared.name) + class_name(case.name)
                names.cases[declared.name, case.name] = free(name, "Case")
    return names


def has_fields(vocabulary: Vocabulary, name: str) -> bool:
    """Whether values of a declared type are objects: it is a record, or a case of it carries fields."""
    declared = vocabulary.types[name]
    return not declared.cases or any(case.fields for case in declared.cases)


def in_order(vocabulary: Vocabulary) -> list[str]:
    """The declared types, each after those its fields have."""
    after = {
        name: [each for each in map(_innermost, fields_of(declared)) if each in vocabulary.types]
        for name, declared in vocabulary.types.items()
    }
    return [name for names in components(after) for name in names]


def fields_of(declared: TypeDef) -> list[Parameter]:
    """The fields of a declared type, or those of all its cases."""
    return [*declared.fields, *(field for case in declared.cases for field in case.fields)]


def _innermost(parameter: Parameter) -> str:
    type_ = parameter.type
    while type_.of is not None:
        type_ = type_.of
    return type_.name
