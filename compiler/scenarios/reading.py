"""Lines that stand in no file - a script, or what somebody types - to bound lines, on a model that is there already."""

from __future__ import annotations

from dataclasses import replace

from newel.compiler.bind.budget import Budget
from newel.compiler.bind.reports import Reports
from newel.compiler.bind.scenarios import Scenarios, Standing
from newel.compiler.bind.scope import Scope
from newel.compiler.bind.texts import Texts
from newel.compiler.bind.values import Values
from newel.compiler.errors import NewelError
from newel.compiler.model import Loaded, Model, Workflow
from newel.compiler.scenarios.script import Line
from newel.dsl import parse, tree
from newel.dsl.findings import Finding, Related
from newel.dsl.source import Source, Span


class LineReader:
    """Reads lines about one workflow, piece by piece: what is created by one piece is there for the next. `standing` is
    the workflow that each task is in so far."""

    def __init__(self, model: Model, workflow: Workflow, path: str = "<stdin>") -> None:
        self._model, self._workflow, self._path = model, workflow, path
        self.standing: Standing = {}

    def read(self, text: str) -> tuple[tuple[Line, ...], list[Finding]]:
        """The lines of a text, and what is wrong with them: then none are to be played."""
        head = f'scenario "" for {self._workflow.name} {{ '
        whole = Source(self._path, f"{head}{text}\n}}\n")
        shown = _Shown(whole, Source(self._path, text), len(head))
        file, findings = parse(whole)
        node = file.items[0] if file.items else None
        if findings:
            return (), [shown.finding(each) for each in findings]
        if not isinstance(node, tree.Scenario) or len(file.items) > 1:
            raise NewelError("a script holds the lines of a scenario, and nothing else")
        reports = Reports(self._model.suspects, self._model.limits)
        budget = Budget(reports, self._model.limits)
        values = Values(self._model, reports, Texts(self._model, reports, budget), budget)
        standing = dict(self.standing)
        scope = Scope(Loaded(file), self._workflow)
        lines = Scenarios(self._model, reports, values).lines(node, scope, standing)
        found = sorted(reports.findings, key=lambda finding: finding.span.start)
        if not found:
            self.standing = standing
        return tuple(shown.line(line) for line in lines), [shown.finding(each) for each in found]


class _Shown:
    """Places in the text with the words put before it, to places in the text alone."""

    def __init__(self, whole: Source, plain: Source, shift: int) -> None:
        self._whole, self._plain, self._shift = whole, plain, shift

    def span(self, span: Span) -> Span:
        if span.source is not self._whole:
            return span
        size = len(self._plain.text)
        return Span(self._plain, *(min(max(0, at - self._shift), size) for at in (span.start, span.end)))

    def line(self, line: Line) -> Line:
        return Line(line.form, line.words, self.span(line.span))

    def finding(self, finding: Finding) -> Finding:
        related = tuple(Related(each.message, self.span(each.span)) for each in finding.related)
        return replace(finding, span=self.span(finding.span), related=related)
