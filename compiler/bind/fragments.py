"""An `include` to the fragment it puts in, with what each of its parameters stands for there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from newel.compiler.bind import rules
from newel.compiler.bind.arguments import called
from newel.compiler.bind.budget import Budget, weight
from newel.compiler.bind.reports import Reports
from newel.compiler.bind.scope import BAD, Argument, Bound, Scope, relative_name
from newel.compiler.bind.values import Values
from newel.compiler.model import Loaded, Model, Parameter
from newel.dsl import tree
from newel.dsl.findings import Related


@dataclass(frozen=True, slots=True)
class Included:
    """The statements of a fragment, and where their names are looked up."""

    body: list[tree.StepStatement]
    scope: Scope


class Fragments:
    """Includes the fragments of one compilation."""

    def __init__(self, model: Model, reports: Reports, values: Values, budget: Budget) -> None:
        self.model = model
        self.reports = reports
        self.values = values
        self.budget = budget

    def included(self, node: tree.Include, scope: Scope) -> Included | None:
        """What an include puts in, or None where it cannot; that has been reported."""
        fragment = self.model.fragments.get(node.name.text)
        if fragment is None or fragment.node is None:
            known = self.model.fragments
            span = scope.span(node.name)
            self.reports.unknown(rules.UNKNOWN_FRAGMENT, span, node.name.text, known, related=scope.trace)
            return None
        self.model.used.setdefault("fragment", set()).add(fragment.name)
        arguments = self._arguments(node, fragment.node, fragment.parameters, scope, fragment.file)
        if not self._may_include(node, fragment.node, scope):
            return None
        if scope.workflow is not None and scope.step is not None and not scope.loose:
            place = scope.workflow.name, scope.step.name
            self.model.included.setdefault(fragment.name, {})[place] = None
        trace = (*scope.trace, Related(f"included here as `{fragment.name}`", scope.span(node)))
        inner = Scope(fragment.file, scope.workflow, scope.step, arguments, trace, scope.loose)
        inner.inside = (*scope.inside, fragment.name)
        return Included(fragment.node.body, inner)

    def _may_include(self, node: tree.Include, fragment: tree.Fragment, scope: Scope) -> bool:
        """Whether a fragment can be put here: not inside itself, and not beyond what is allowed."""
        name = fragment.name.text
        if name in scope.inside:
            path = " -> ".join((*scope.inside[scope.inside.index(name) :], name))
            self.reports.add(rules.INCLUDE_CYCLE, scope.span(node.name), related=scope.trace, name=name, path=path)
            return False
        if len(scope.inside) >= self.model.limits.include_depth:
            limit = f"{self.model.limits.include_depth} deep"
            self.reports.add(
                rules.TOO_LARGE,
                scope.span(node),
                related=scope.trace[:1],
                what="the fragments inside fragments are",
                limit=limit,
            )
            return False
        size = fragment.end - fragment.start
        return self.budget.add(size, scope.span(node), scope.trace, statements=len(fragment.body) + 1)

    def _arguments(
        self,
        node: tree.Include,
        fragment: tree.Fragment,
        parameters: Mapping[str, Parameter],
        scope: Scope,
        home: Loaded,
    ) -> dict[str, Argument]:
        """What each parameter of a fragment stands for at one include."""
        nodes: dict[str, tree.Value] = {}
        placed = True
        if node.args is not None:
            nodes, placed = self.values.arguments.by_name(node.args, parameters, scope, fragment.name.text)
        inside = Scope(home, scope.workflow, scope.step, {}, scope.trace, scope.loose)
        arguments: dict[str, Argument] = {}
        for param in fragment.params:
            parameter = parameters.get(param.name.text)
            if parameter is None or parameter.name in arguments:
                continue
            given, where = nodes.get(parameter.name), scope
            if given is None and param.default is not None:
                given, where = param.default, inside
            if given is not None:
                arguments[parameter.name] = self._argument(given, parameter, where)
                continue
            value: Bound = None
            if parameter.required:
                value = BAD
                if placed:
                    name = fragment.name.text
                    hint = called(name, parameters) if node.args is None else None
                    self.values.arguments.missing(parameter, scope, node.name, name, hint)
            arguments[parameter.name] = Argument(parameter.type, value)
        return arguments

    def _argument(self, node: tree.Value, parameter: Parameter, scope: Scope) -> Argument:
        plain = isinstance(node, tree.Ref) and node.args is None and len(node.path) == 1
        word = node.path[0].text if plain and isinstance(node, tree.Ref) else ""
        if parameter.type.name == "step" and not scope.loose:
            outer = scope.arguments.get(word)
            if outer is not None and outer.relative is not None:
                return Argument(parameter.type, outer.value, outer.relative)
            relative = relative_name(word)
            if outer is None and relative is not None:
                return Argument(parameter.type, scope.beside(relative), relative)
        value = self.values.bind(node, parameter.type, scope, parameter.name)
        return Argument(parameter.type, value, weight=weight(value) if isinstance(value, str | list | dict) else 0)
