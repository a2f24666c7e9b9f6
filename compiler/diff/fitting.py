"""The fields of a trigger or key in two versions to what was right for the old ones and is refused by the new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newel.compiler.diff.declared import DeclaredPair
    from newel.compiler.diff.pairing import Versions
    from newel.compiler.program import Parameter, TypeRef, Vocabulary


def unfit_for(versions: Versions, each: DeclaredPair) -> tuple[str, ...]:
    """What no longer fits a trigger or key that is in both versions; nothing for what the host does not give."""
    fits = _Fitting(versions.old.vocabulary, versions.new.vocabulary)
    given = {"trigger": "payload", "key": "parameters"}.get(each.word)
    if not (given and each.old and each.new):
        return ()
    return tuple(fits.unfit(getattr(each.old, given), getattr(each.new, given)))


class _Fitting:
    """The two vocabularies, by whose types values are held against one another."""

    def __init__(self, old: Vocabulary, new: Vocabulary) -> None:
        self._old, self._new = old.types, new.types
        self._asked: set[str] = set()

    def unfit(self, old: Sequence[Parameter], new: Sequence[Parameter]) -> Iterator[str]:
        """What is wrong now with values that were right before, each in words."""
        before, after = ({field.name: field for field in fields} for fields in (old, new))
        for name, field in after.items():
            known = before.get(name)
            if known is None:
                if field.required:
                    yield f"`{name}` must be given"
            elif field.required and not known.required:
                yield f"`{name}` may no longer be left out"
            elif self._other(known.type, field.type):
                yield f"`{name}` has another type"
        yield from (f"there is no `{name}`" for name in before if name not in after)

    def _other(self, old: TypeRef, new: TypeRef) -> bool:
        if old.model_copy(update={"optional": new.optional}) != new:
            return True
        return self._lost(old.name) or (old.of is not None and new.of is not None and self._other(old.of, new.of))

    def _lost(self, name: str) -> bool:
        """Whether a declared type has lost a case, or one of its cases takes other fields."""
        old, new = self._old.get(name), self._new.get(name)
        if old is None or new is None or name in self._asked:
            return False
        self._asked.add(name)  # a type may hold itself
        cases = {case.name: case.fields for case in new.cases}
        lost = any(case.name not in cases or any(self.unfit(case.fields, cases[case.name])) for case in old.cases)
        self._asked.discard(name)
        return lost or any(self.unfit(old.fields, new.fields))
