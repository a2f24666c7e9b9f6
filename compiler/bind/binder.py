"""The files of one compilation to their bound model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from newel.compiler.bind import rules
from newel.compiler.bind.budget import Budget
from newel.compiler.bind.declarations import Declarations
from newel.compiler.bind.reports import Reports
from newel.compiler.bind.scenarios import Scenarios
from newel.compiler.bind.scope import Scope
from newel.compiler.bind.texts import Texts
from newel.compiler.bind.triggers import OWN
from newel.compiler.bind.types import Types
from newel.compiler.bind.values import Values
from newel.compiler.bind.workflows import Workflows
from newel.compiler.limits import DEFAULT, Limits
from newel.compiler.model import FragmentDef, Loaded, Model, TextDef, TriggerDef, Vocabulary, Workflow
from newel.dsl import tree
from newel.dsl.findings import Finding, Related
from newel.dsl.source import Source, Span


def bind(
    files: Sequence[Loaded], suspects: frozenset[str] = frozenset(), limits: Limits = DEFAULT
) -> tuple[Model, list[Finding]]:
    """The model of all files together, and what is wrong with them. `suspects` are words of text that could not be
    read; that one of them is unknown is not said."""
    binder = Binder(files, Reports(suspects, limits), limits)
    binder.declare()
    binder.fill()
    binder.bind_workflows()
    return binder.model, binder.reports.findings


class Binder:
    """Binds one set of files: all names first, then what declarations say, then the workflows."""

    def __init__(self, files: Sequence[Loaded], reports: Reports, limits: Limits) -> None:
        self.model = Model(Vocabulary(), list(files), suspects=reports.suspects, limits=limits)
        self.reports = reports
        budget = Budget(reports, limits)
        self.texts = Texts(self.model, reports, budget)
        values = Values(self.model, reports, self.texts, budget)
        self.types = Types(self.model, reports)
        self.declarations = Declarations(self.model, reports, self.types, values)
        self.workflows = Workflows(self.model, reports, values, budget)
        self.scenarios = Scenarios(self.model, reports, values)

    def _items(self) -> Iterator[tuple[tree.Item, Loaded]]:
        for file in self.model.files:
            for item in file.tree.items:
                yield item, file

    def declare(self) -> None:
        """Take in every name."""
        self._own_triggers()
        for item, file in self._items():
            if isinstance(item, tree.Workflow):
                self._workflow(item, file)
            elif isinstance(item, tree.Fragment):
                self._fragment(item, file)
            elif isinstance(item, tree.TextDecl):
                self._text(item, file)
            else:
                self.declarations.declare(item, file)

    def _own_triggers(self) -> None:
        """`enter` and `exit`, which no file declares."""
        nowhere = Source("", "")
        file = Loaded(tree.File(nowhere, []), standard=True)
        for name in OWN:
            self.model.vocabulary.triggers[name] = TriggerDef(name, Span(nowhere, 0, 0), file, None)

    def fill(self) -> None:
        """Read what the declarations say: each kind of declaration after those it asks about."""
        declarations = self.declarations
        items = list(self._items())
        for fill in (declarations.fill_types, declarations.fill_groups, declarations.fill, declarations.fill_moves):
            for item, file in items:
                fill(item, file)
        declarations.fill_defaults()
        for fragment in self.model.fragments.values():
            if fragment.node is not None:
                fragment.parameters = declarations.parameters(fragment.node.params, fragment.file, fragment.name)
        self._check_texts(items)

    def _check_texts(self, items: list[tuple[tree.Item, Loaded]]) -> None:
        for item, file in items:
            if isinstance(item, tree.TextDecl) and self.model.texts.get(item.name.text) is not None:
                text = self.model.texts[item.name.text]
                if text.span.start != item.name.start or text.file is not file:
                    continue
                source = file.texts.get(item.start)
                if source is not None:
                    self.texts.check_shared(text, source, 0, len(source.text))
                elif item.value.long:
                    self.texts.check_shared(text, file.source, item.value.start, item.value.end)

    def bind_workflows(self) -> None:
        """Bind the workflows, then those fragments that none of them has included, then the scenarios."""
        for item, file in self._items():
            if isinstance(item, tree.Workflow):
                self.workflows.bind(item, self._mine(item, file))
        for fragment in self.model.fragments.values():
            if fragment.name not in self.model.used.get("fragment", ()):
                self.workflows.loose_fragment(fragment)
        for item, file in self._items():
            if isinstance(item, tree.Scenario):
                self.model.scenarios.append(self.scenarios.scenario(item, Scope(file)))

    def _mine(self, item: tree.Workflow, file: Loaded) -> Workflow:
        """The workflow an item has declared; one of its own where the name was taken, so that it is bound too."""
        workflow = self.model.workflows[item.name.text]
        span = file.tree.span(item.name)
        return workflow if workflow.span == span else Workflow(workflow.name, workflow.title, span, file, item.doc)

    # ------------------------------------------------------------ names

    def _workflow(self, item: tree.Workflow, file: Loaded) -> None:
        name, span = item.name.text, file.tree.span(item.name)
        first = self.model.workflows.get(name)
        if first is not None:
            self._duplicate("workflow", name, span, first.span)
            return
        title = item.title.value if item.title is not None else name
        self.model.workflows[name] = Workflow(name, title, span, file, item.doc)

    def _fragment(self, item: tree.Fragment, file: Loaded) -> None:
        name, span = item.name.text, file.tree.span(item.name)
        first = self.model.fragments.get(name)
        if first is not None:
            self._duplicate("fragment", name, span, first.span)
            return
        self.model.fragments[name] = FragmentDef(name, span, file, item.doc, item)

    def _text(self, item: tree.TextDecl, file: Loaded) -> None:
        name, span = item.name.text, file.tree.span(item.name)
        first = self.model.texts.get(name) or self.model.vocabulary.placeholders.get(name)
        if first is not None:
            self._duplicate("text", name, span, first.span)
            return
        source = file.texts.get(item.start)
        value = item.value.value
        if item.file:
            value = source.text.replace("\r\n", "\n").removesuffix("\n") if source is not None else ""
        self.model.texts[name] = TextDef(name, span, file, item.doc, value)

    def _duplicate(self, what: str, name: str, span: Span, first: Span) -> None:
        related = (Related("first declared here", first),)
        self.reports.add(rules.DUPLICATE_NAME, span, related=related, what=what, name=name)
