"""Declarations to digests: two have the same one where the classes made of them are the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from newel.compiler.program import Parameter, TypeRef, Vocabulary


class Digests:
    """Digests of one vocabulary's kinds, guards and types, all they reach included; documentation is not."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._types = vocabulary.types
        self._known: dict[str, object] = {}
        self.types = {name: _hash(self._type(name)) for name in vocabulary.types}
        self.kinds = {name: _hash(self._fields(kind.parameters)) for name, kind in vocabulary.kinds.items()}
        self.guards = {name: _hash(self._fields(guard.parameters)) for name, guard in vocabulary.guards.items()}

    def whole(self) -> str:
        """One digest of all."""
        return _hash([self.types, self.kinds, self.guards])

    def _fields(self, parameters: Sequence[Parameter]) -> list[object]:
        return [[p.name, list(self._reference(p.type)), p.required, p.default] for p in parameters]

    def _reference(self, ref: TypeRef) -> Iterator[object]:
        yield from (ref.name, ref.minimum, ref.maximum, ref.optional)
        if ref.of is not None:
            yield list(self._reference(ref.of))
        if ref.name in self._types:
            yield self._type(ref.name)

    def _type(self, name: str) -> object:
        if name not in self._known:
            declared = self._types[name]
            cases = [[case.name, self._fields(case.fields)] for case in declared.cases]
            self._known[name] = [name, cases, self._fields(declared.fields)]
        return self._known[name]


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
