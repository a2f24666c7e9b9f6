"""Workflows to bound workflows: steps in order, then what `every step` gives to them."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from newel.compiler.bind import rules
from newel.compiler.bind.budget import Budget
from newel.compiler.bind.reports import Reports
from newel.compiler.bind.scope import BAD, Argument, Scope
from newel.compiler.bind.steps import Steps
from newel.compiler.bind.values import Values
from newel.compiler.model import FragmentDef, Model, Owner, Placed, SettingDef, Step, Workflow
from newel.dsl import tree
from newel.dsl.findings import Related
from newel.dsl.source import Span
from newel.dsl.words import broken_in


class Workflows:
    """Binds the workflows of one compilation."""

    def __init__(self, model: Model, reports: Reports, values: Values, budget: Budget) -> None:
        self.model = model
        self.reports = reports
        self.budget = budget
        self.steps = Steps(model, reports, values, budget)

    @cached_property
    def _needed(self) -> dict[str, list[SettingDef]]:
        """The settings that have to be given, by what they are settings of."""
        settings = self.model.vocabulary.settings.values()
        return {
            owner: [each for each in settings if each.owner == owner and each.required]
            for owner in ("workflow", "step")
        }

    def bind(self, node: tree.Workflow, workflow: Workflow) -> None:
        """Fill a declared workflow."""
        scope = Scope(workflow.file, workflow)
        nodes = self._declare_steps(node, workflow)
        workflow.broken = any(isinstance(item, tree.Broken) for item in node.body)
        for item in node.body:
            if isinstance(item, tree.Setting):
                self._setting(item, workflow, scope)
        for step, step_node in nodes:
            self.steps.body(step_node.body, Scope(workflow.file, workflow, step), step)
        everies = [item for item in node.body if isinstance(item, tree.Every)]
        if everies:
            self._every(everies, workflow, [step for step, _ in nodes])
        for step in workflow.steps.values():
            if not step.incomplete:
                self._required("step", step.name, step.settings, step.span)
        self._counted(workflow)
        written = {item.name.text for item in node.body if isinstance(item, tree.Setting)}
        if not workflow.broken:
            self._required("workflow", workflow.name, written, workflow.span)

    def _counted(self, workflow: Workflow) -> None:
        """Report a workflow of too many steps, and each list of too many statements."""
        limits = self.model.limits
        if len(workflow.order) > limits.steps:
            first = workflow.steps[workflow.order[limits.steps]]
            self.reports.add(
                rules.TOO_LARGE, first.span, what="the steps of one workflow are", limit=f"{limits.steps:,}"
            )
        for step in workflow.steps.values():
            for on in step.on.values():
                if len(on.statements) > limits.actions:
                    over, limit = on.statements[limits.actions], f"{limits.actions:,}"
                    what = "the actions and moves of one list are"
                    self.reports.add(rules.TOO_LARGE, over.span, related=over.trace[:1], what=what, limit=limit)

    def _declare_steps(self, node: tree.Workflow, workflow: Workflow) -> list[tuple[Step, tree.Step]]:
        """Take in the names of all steps; one whose name is taken or forbidden is bound, but is not in the workflow."""
        found: list[tuple[Step, tree.Step]] = []
        for item in node.body:
            if not isinstance(item, tree.Step):
                continue
            name, span = item.name.text, workflow.file.tree.span(item.name)
            title = item.title.value if item.title is not None else name
            step = Step(name, title, span, len(workflow.order), item.doc)
            found.append((step, item))
            first = workflow.steps.get(name)
            if name in ("next", "previous"):
                self.reports.add(rules.FORBIDDEN_NAME, span, what="step", name=name)
            elif first is not None:
                related = (Related("first declared here", first.span),)
                self.reports.add(rules.DUPLICATE_STEP, span, related=related, name=name, workflow=workflow.name)
            else:
                workflow.steps[name] = step
                workflow.order.append(name)
        return found

    def _setting(self, node: tree.Setting, workflow: Workflow, scope: Scope) -> None:
        value = self.steps.setting(node, "workflow", scope)
        if value is None:
            return
        first = workflow.settings.setdefault(value.setting.name, value)
        if first is not value:
            related = (Related("first said here", first.span),)
            self.reports.add(rules.SETTING_TWICE, value.span, related=related, name=value.setting.name)

    def _required(self, owner: Owner, name: str, given: Collection[str], span: Span) -> None:
        """Report each setting that has to be given and is not."""
        for setting in self._needed[owner]:
            if setting.name not in given:
                related = (Related("declared here", setting.span),)
                self.reports.add(rules.MISSING_SETTING, span, related=related, name=setting.name, owner=owner, of=name)

    # ------------------------------------------------------------ every step

    def _every(self, nodes: list[tree.Every], workflow: Workflow, steps: list[Step]) -> None:
        nowhere = Step("", "", workflow.span, 0, None)
        for step in steps or [nowhere]:
            trace = (Related(f"given to step `{step.name}`", step.span),) if steps else ()
            given = Step(step.name, step.title, step.span, step.index, None)
            for node in nodes:
                scope = Scope(workflow.file, workflow, step, {}, trace, loose=not steps)
                size = node.end - node.start
                if self.budget.add(size, scope.span(node), trace, statements=len(node.body)):
                    self.steps.body(node.body, scope, given)
            self._points(given)
            self._give(given, step)

    def _points(self, given: Step) -> None:
        for name, place in (("start", given.start), ("end", given.end)):
            if isinstance(place, Placed):
                self.reports.add(rules.END_FOR_ALL, place.span, name=name)

    def _give(self, given: Step, step: Step) -> None:
        """What a step does not say itself: settings one by one, blocks whole; no blocks where a task is finished."""
        for name, value in given.settings.items():
            step.settings.setdefault(name, value)
        if step.end is None:
            for name, on in given.on.items():
                step.on.setdefault(name, on)
        step.incomplete = step.incomplete or given.incomplete

    # ------------------------------------------------------------ what nothing includes

    def loose_fragment(self, fragment: FragmentDef) -> None:
        """Bind a fragment that nothing includes, for its findings alone: its parameters have a type and no value. One
        that could not be read whole may have lost its parameters, so nothing is said about it."""
        if fragment.node is None or _damaged(fragment.node, fragment.file.tree):
            return
        arguments = {name: Argument(each.type, BAD) for name, each in fragment.parameters.items()}
        scope = Scope(fragment.file, arguments=arguments, loose=True, inside=(fragment.name,))
        self.steps.body(fragment.node.body, scope, Step("", "", fragment.span, 0, None))


def _damaged(node: tree.Fragment, file: tree.File) -> bool:
    return file.broken and any(node.start <= each.start < node.end for each in broken_in(file))
