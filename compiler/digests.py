"""Declarations to digests: two have the same one where the classes made of them are the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from newel.compiler.names import in_order
from newel.compiler.program import Parameter, TypeRef, Vocabulary


class Digests:
    """Digests of one vocabulary's types, kinds and guards, all they reach included; documentation is not."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.types: dict[str, str] = {}
        for name in in_order(vocabulary):
            declared = vocabulary.types[name]
            cases = [[case.name, self._fields(case.fields)] for case in declared.cases]
            self.types[name] = _hash([cases, self._fields(declared.fields)])
        self.kinds = {name: _hash(self._fields(kind.parameters)) for name, kind in vocabulary.kinds.items()}
        self.guards = {name: _hash(self._fields(guard.parameters)) for name, guard in vocabulary.guards.items()}

    def whole(self) -> str:
        """One digest of all."""
        return _hash([self.types, self.kinds, self.guards])

    def _fields(self, parameters: Sequence[Parameter]) -> list[object]:
        return [[p.name, list(self._reference(p.type)), p.required, p.default] for p in parameters]

    def _reference(self, ref: TypeRef) -> Iterator[object]:
        """A type as far as it makes a class; a declared one stands for all it reaches by its own digest."""
        yield from (ref.name, ref.minimum, ref.maximum, ref.optional, self.types.get(ref.name))
        if ref.of is not None:
            yield list(self._reference(ref.of))


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
