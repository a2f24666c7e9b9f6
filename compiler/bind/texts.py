"""Shared texts put where a long text names them: `{{house_rules}}` to what that text says, once, when compiling."""

from __future__ import annotations

import re
from collections.abc import Iterator

from newel.compiler.bind import rules
from newel.compiler.bind.budget import Budget
from newel.compiler.bind.reports import Reports
from newel.compiler.bind.scope import Scope
from newel.compiler.model import Family, Model, TextDef
from newel.dsl import tree
from newel.dsl.source import Source, Span

_NAME = re.compile(r"\{\{([A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*)\}\}")


class Texts:
    """Expands the long texts of one compilation."""

    def __init__(self, model: Model, reports: Reports, budget: Budget) -> None:
        self.model = model
        self.reports = reports
        self.budget = budget

    def expand(self, node: tree.Text, scope: Scope) -> str:
        """A long text with the shared texts in it. A name that is no text must be a declared placeholder, else it is
        reported; it is left as it stands for the host."""
        places = _places(scope.file.source, node.start, node.end)
        parts: list[str] = []
        end = 0
        for match in _NAME.finditer(node.value):
            span = next(places, None) or scope.span(node)
            parts += (node.value[end : match.start()], self._said(match, span, scope))
            end = match.end()
        parts.append(node.value[end:])
        # Counted before they are put together: a short text may name a long one very often.
        fits = self.budget.add(sum(map(len, parts)), scope.span(node), scope.trace)
        return "".join(parts) if fits else node.value

    def _said(self, match: re.Match[str], span: Span, scope: Scope) -> str:
        name = match[1]
        text = self.model.texts.get(name)
        if text is not None:
            self._use("text", name)
            return text.value
        self._placeholder(name, span, scope)
        return match[0]

    def _placeholder(self, name: str, span: Span, scope: Scope | None) -> None:
        placeholders = self.model.vocabulary.placeholders
        if name in placeholders:
            self._use("placeholder", name)
        else:
            known = [*self.model.texts, *placeholders]
            self.reports.unknown(rules.UNKNOWN_TEXT, span, name, known, related=scope.trace if scope else ())

    def check_shared(self, text: TextDef, source: Source, start: int, end: int) -> None:
        """Report what a shared text names: only placeholders may stand in it, since texts are put in once."""
        for span in _places(source, start, end):
            name = span.text[2:-2]
            if name in self.model.texts:
                self._use("text", name)
                self.reports.add(rules.NESTED_TEXT, span, name=name, into=text.name)
            else:
                self._placeholder(name, span, None)

    def _use(self, family: Family, name: str) -> None:
        self.model.used.setdefault(family, set()).add(name)


def _places(source: Source, start: int, end: int) -> Iterator[Span]:
    """The places of all `{{name}}` in a stretch of a file; those of a long text are in the order of its value."""
    for match in _NAME.finditer(source.text, start, end):
        yield Span(source, match.start(), match.end())
