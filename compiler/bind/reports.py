"""Facts about faults to findings: collected, each once, with the nearest name as advice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from newel.compiler.limits import DEFAULT, Limits
from newel.dsl.findings import Finding, Related, Rule
from newel.dsl.source import Span

LISTED = 16
"""How many names are listed at most where none is near: more would not be read."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like the given one, or None where none is like it."""
    from difflib import get_close_matches  # only a mistake needs it

    found = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return found[0] if found else None


def listed(names: Sequence[str]) -> str:
    """The names that there are, in words; nothing where they are too many to be read."""
    quoted = ", ".join(f"`{name}`" for name in names)
    return f"there {'is' if len(names) == 1 else 'are'} {quoted}" if 0 < len(names) <= LISTED else ""


class Nearest:
    """Finds the nearest names of one run, as long as not too many were looked at: a file may be wrong in ten thousand
    places, and each look takes time."""

    def __init__(self, looks: int = DEFAULT.suggestions) -> None:
        self._looks = looks

    def __call__(self, name: str, known: Iterable[str]) -> str | None:
        if self._looks <= 0:
            return None
        names = list(known)
        self._looks -= len(names)
        return nearest(name, names)


_DECLARED_BY: Mapping[str, frozenset[str]] = {
    "unknown-kind": frozenset({"action"}),
    "unknown-trigger": frozenset({"trigger", "group"}),
    "unknown-step": frozenset({"step"}),
    "unknown-type": frozenset({"type"}),
    "unknown-case": frozenset({"type"}),
    "unknown-setting": frozenset({"setting"}),
    "unknown-guard": frozenset({"guard"}),
    "unknown-workflow": frozenset({"workflow"}),
    "unknown-fragment": frozenset({"fragment"}),
    "unknown-text": frozenset({"text", "placeholder"}),
}
"""The words that declare what a rule misses: where one stands in text that could not be read, so may the name."""


class Reports:
    """Collects findings. A fault found again - in a piece that is included twice - is kept once.

    `suspects` are the words of text that could not be read: a name among them may well be declared there, so that it is
    unknown is not said; nor where a declaration of its kind has lost its name.
    """

    def __init__(self, suspects: frozenset[str] = frozenset(), limits: Limits = DEFAULT) -> None:
        self.findings: list[Finding] = []
        self.suspects = suspects
        self._seen: set[tuple[object, ...]] = set()
        self._nearest = Nearest(limits.suggestions)

    def add(
        self, rule: Rule, span: Span, *, related: Sequence[Related] = (), hint: str | None = None, **fields: object
    ) -> None:
        """Collect one finding; `fields` are what its rule's prose asks for."""
        key = (rule.code, id(span.source), span.start, span.end, *map(str, fields.values()))
        if key not in self._seen:
            self._seen.add(key)
            self.findings.append(Finding(rule, span, fields, tuple(related), hint))

    def unknown(
        self,
        rule: Rule,
        span: Span,
        name: str,
        known: Iterable[str],
        *,
        related: Sequence[Related] = (),
        hint: str | None = None,
        **fields: object,
    ) -> str | None:
        """Collect that a name is not declared, with the nearest declared one as advice, which is given back. Where none
        is near the advice is `hint`; without one, that of the rule and the names that there are."""
        if name in self.suspects or not _DECLARED_BY.get(rule.name, frozenset()).isdisjoint(self.suspects):
            return None
        names = sorted(known) if isinstance(known, frozenset) else list(known)
        near = self._nearest(name, names)
        if near is None and hint is None and (those := listed(names)):
            hint = f"{those}; {rule.hint.format(name=name, **fields)}"
        advice = f"did you mean `{near}`?" if near else hint
        self.add(rule, span, related=related, hint=advice, name=name, **fields)
        return near
