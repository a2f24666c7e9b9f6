"""What stands in brackets to arguments by name: of kinds, guards, fragments, and of cases and types with fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from newel.compiler.bind import rules
from newel.compiler.bind.described import described
from newel.compiler.bind.scope import BAD, Bound, Scope
from newel.compiler.model import Json, Parameter
from newel.dsl import tree
from newel.dsl.source import Span

if TYPE_CHECKING:
    from newel.compiler.bind.values import Values


class Arguments:
    """Binds the arguments of one compilation; the values in them are bound by `values`."""

    def __init__(self, values: Values) -> None:
        self.values = values

    def bind(
        self, args: tree.Args | None, parameters: Mapping[str, Parameter], scope: Scope, at: tree.Node, owner: str
    ) -> tuple[dict[str, Json], dict[str, Span], bool]:
        """What the parameters of `owner` are given, defaults filled in; where; and whether all of it is right."""
        if args is None and not parameters:
            return {}, {}, True
        nodes, placed = self.by_name(args, parameters, scope, owner) if args is not None else ({}, True)
        good = placed and (args is None or len(nodes) == len(args.items))
        values: dict[str, Json] = {}
        given: dict[str, Span] = {}
        for name, parameter in parameters.items():
            node = nodes.get(name)
            value: Bound = parameter.default
            if node is not None:
                given[name] = scope.span(node)
                value = self.values.bind(node, parameter.type, scope, name)
            elif parameter.required:
                if placed:
                    self.missing(parameter, scope, at, owner, called(owner, parameters) if args is None else None)
                value = BAD
            elif parameter.weight and not self.values.budget.add(parameter.weight, scope.span(at), scope.trace):
                value = BAD
            if value is BAD:
                good = False
            elif value is not None:
                values[name] = value
        return values, given, good

    def by_name(
        self, args: tree.Args, parameters: Mapping[str, Parameter], scope: Scope, owner: str
    ) -> tuple[dict[str, tree.Value], bool]:
        """The written values by the parameter they are for, and whether each is for one: where one is for none, it may
        be meant for any that is missing."""
        nodes: dict[str, tree.Value] = {}
        placed = True
        for position, item in enumerate(args.items):
            if isinstance(item, tree.Named):
                name, value = item.name.text, item.value
                at: tree.Node = item.name
            elif position == 0 and parameters:
                name, value, at = next(iter(parameters)), item, item
            else:
                placed = self._by_position(item, parameters, scope, owner)
                continue
            if name in nodes:
                self.values.repeated(rules.REPEATED_ARGUMENT, scope, at, nodes[name], name)
            elif name not in parameters:
                self.values.reports.unknown(
                    rules.UNKNOWN_ARGUMENT, scope.span(at), name, parameters, related=scope.trace, owner=owner
                )
                placed = False
            else:
                nodes[name] = value
        return nodes, placed

    def missing(self, parameter: Parameter, scope: Scope, at: tree.Node, owner: str, hint: str | None = None) -> None:
        """Report that a parameter which has to be given is not."""
        self.values.reports.add(
            rules.MISSING_ARGUMENT, scope.span(at), related=scope.trace, hint=hint, name=parameter.name, owner=owner
        )

    def _by_position(self, item: tree.Value, parameters: Mapping[str, Parameter], scope: Scope, owner: str) -> bool:
        takes = ", ".join(f"`{name}`" for name in parameters) or "no arguments"
        hint = f"`{owner}` takes {takes}" if not parameters else f"give it by name; `{owner}` takes {takes}"
        self.values.reports.add(
            rules.ARGUMENT_BY_POSITION,
            scope.span(item),
            related=scope.trace,
            hint=hint,
            owner=owner,
            found=described(item),
        )
        return False


def called(owner: str, parameters: Mapping[str, Parameter]) -> str:
    """What to write where nothing is given, not even the brackets."""
    required = ", ".join(f"{each.name}=..." for each in parameters.values() if each.required)
    return f"write `{owner}({required})`"
