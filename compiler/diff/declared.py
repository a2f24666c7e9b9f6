"""Two vocabularies to what is declared in either, each with its two declarations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newel.compiler.program import Declared, GuardDef, KindDef, Place, Vocabulary


@dataclass(frozen=True, slots=True)
class DeclaredPair:
    """One name of the vocabulary, what it is, and how it is declared in the two versions; None where it is not."""

    word: str
    name: str
    old: Declared | None
    new: Declared | None

    @property
    def said(self) -> str:
        """What it is called in a message."""
        return f"the {self.word} `{self.name}`"

    @property
    def group(self) -> tuple[str, str]:
        """Where it is told of."""
        return "vocabulary", self.name


def declared_pairs(old: Vocabulary, new: Vocabulary) -> Iterator[DeclaredPair]:
    """Everything but the placeholders, which have a name and nothing else."""
    for (word, before), (_, after) in zip(_tables(old), _tables(new), strict=True):
        for name in sorted({*before, *after}):
            yield DeclaredPair(word, name, before.get(name), after.get(name))


def _tables(vocabulary: Vocabulary) -> Iterator[tuple[str, Mapping[str, Declared]]]:
    yield "type", vocabulary.types
    yield "trigger", vocabulary.triggers
    yield "key", vocabulary.keys
    yield "guard", vocabulary.guards
    yield "kind", vocabulary.kinds
    for owner in ("workflow", "step"):
        yield f"{owner} setting", {each.name: each for each in vocabulary.settings if each.owner == owner}


def roles(vocabulary: Vocabulary) -> dict[str, Place | None]:
    """The cases of the types that marks name as roles, with the places of the types."""
    found: dict[str, Place | None] = {}
    declared: list[GuardDef | KindDef] = [*vocabulary.guards.values(), *vocabulary.kinds.values()]
    for each in declared:
        named = {mark.parameters[0] for mark in each.marks if mark.parameters}
        for parameter in each.parameters:
            type_ = vocabulary.types.get(parameter.type.name) if parameter.name in named else None
            found.update((case.name, type_.place) for case in type_.cases) if type_ else None
    return found
