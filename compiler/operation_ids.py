"""A trigger or key and its fields to an operation id: the key under which a delivery is remembered as applied.

Two deliveries with different parts never have one id. `:` stands between the parts, so one that stands *in* a part is
written as `%3A`, and to tell such a part from one that holds just that, an empty one goes before it, which no part is.
A part without `:` stands as it is, and so does the last one where it cannot be taken for more: of an only shape.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from newel.compiler.errors import BlankOperation, UnknownTrigger
from newel.compiler.shapes import Field, Literal, Part, fields_of, parse_shape

if TYPE_CHECKING:
    from newel.compiler.program import Vocabulary


def operation_id(vocabulary: Vocabulary, name: str, fields: Mapping[str, Any]) -> str:
    """The id of a delivery: the first declared shape whose fields are all given; "" where a trigger declares none.

    A field that is None counts as not given. Raises `BlankOperation` where no shape has all its fields, or one of those
    it has is blank; `UnknownTrigger` where nothing of that name is declared. Fields no shape names are not looked at.
    """
    shapes = [each.shape for each in _shapes(vocabulary, name)]
    if not shapes:
        return ""
    for shape in shapes:
        parts = parse_shape(shape)
        if all(fields.get(part.name) is not None for part in parts if isinstance(part, Field)):
            last = list(fields_of(parts))[-1] if len(shapes) == 1 else None
            return _built(name, parts, fields, last)
    needed = " or ".join(", ".join(dict.fromkeys(field.name for field in fields_of(parse_shape(s)))) for s in shapes)
    raise BlankOperation(f"the operation id of {name} needs {needed}")


def digest(rows: object) -> str:
    """The SHA-256, in hex, of a list, the same in every process. A field that is None counts as not there; the order of
    the list counts, that of the fields of a row does not."""
    canonical = json.dumps(_plain(rows), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def _shapes(vocabulary: Vocabulary, name: str) -> tuple[Any, ...]:
    trigger = vocabulary.triggers.get(name)
    if trigger is not None:
        return trigger.operations
    key = vocabulary.keys.get(name)
    if key is None:
        raise UnknownTrigger(f"no trigger or key is called {name}")
    return (key.operation,)


def unmistakable(part: str) -> str:
    """A part of a key as it stands between others."""
    if ":" not in part:
        return part
    return ":" + part.replace("%", "%25").replace(":", "%3A")


def _built(name: str, parts: tuple[Part, ...], fields: Mapping[str, Any], last: Field | None) -> str:
    text = ""
    for part in parts:
        if isinstance(part, Literal):
            text += part.text
        elif isinstance(part, Field):
            value = _value(name, part, fields[part.name])
            text += value if part is last else unmistakable(value)
        elif all(fields.get(inner.name) is not None for inner in part.parts if isinstance(inner, Field)):
            text += _built(name, part.parts, fields, last)
    return text


def _value(name: str, part: Field, value: object) -> str:
    if part.digest:
        return digest(value)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if not text.strip():
        raise BlankOperation(f"the operation id of {name} needs {part.name}, which is blank")
    return text


def _plain(value: object) -> object:
    """A value as JSON knows it: models and rows become objects without the fields that are None."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        value = dump(mode="json", by_alias=True)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
