"""Types as written to types: names looked up, bounds read."""

from __future__ import annotations

from collections.abc import Mapping

from newel.compiler.bind import rules
from newel.compiler.bind.reports import Reports
from newel.compiler.checks.graph import components, shortest
from newel.compiler.model import Loaded, Model, Type, TypeDef
from newel.dsl import tree

BUILT_IN = ("duration", "flag", "int", "list", "map", "number", "step", "text", "workflow")
UNKNOWN = Type("?")
"""The type of what was declared with a type that does not exist; every value fits it."""

_BOUNDED = {"int": tree.Number, "duration": tree.Duration}


class Types:
    """Resolves the types of one compilation."""

    def __init__(self, model: Model, reports: Reports) -> None:
        self.model = model
        self.reports = reports

    def resolve(self, node: tree.TypeExpr, file: Loaded, *, inner: bool = False) -> Type:
        """The type a type expression means; `UNKNOWN` where it means none."""
        name = node.name.text
        if inner and node.optional:
            self._malformed(node, file, "`?` has no meaning inside `list(...)` or `map(...)`")
        if name in ("list", "map"):
            return self._container(node, file)
        if name not in BUILT_IN:
            return self._declared(node, file)
        if node.argument is None:
            return Type(name, optional=node.optional)
        if isinstance(node.argument, tree.Range) and name in _BOUNDED:
            return self._bounded(node, node.argument, file)
        self._malformed(node, file, f"`{name}` takes nothing in brackets like this")
        return Type(name, optional=node.optional)

    def _container(self, node: tree.TypeExpr, file: Loaded) -> Type:
        name = node.name.text
        if isinstance(node.argument, tree.TypeExpr):
            return Type(name, self.resolve(node.argument, file, inner=True), optional=node.optional)
        if node.argument is not None or name == "list":
            self._malformed(node, file, f"`{name}` needs the type of its elements: `{name}(text)`")
            return UNKNOWN
        return Type(name, optional=node.optional)

    def _declared(self, node: tree.TypeExpr, file: Loaded) -> Type:
        name = node.name.text
        declared = self.model.vocabulary.types.get(name)
        if declared is None:
            known = [*self.model.vocabulary.types, *BUILT_IN]
            self.reports.unknown(rules.UNKNOWN_TYPE, file.tree.span(node.name), name, known)
            return UNKNOWN
        if node.argument is not None:
            self._malformed(node, file, f"`{name}` takes nothing in brackets")
        self.model.used.setdefault("type", set()).add(name)
        return Type(name, optional=node.optional)

    def _bounded(self, node: tree.TypeExpr, bounds: tree.Range, file: Loaded) -> Type:
        name = node.name.text
        low, high = _bound(bounds.low, name), None if bounds.high is None else _bound(bounds.high, name)
        if low is None or (bounds.high is not None and high is None):
            example = "int(0..100)" if name == "int" else "duration(1s..24h)"
            self._malformed(node, file, f"the bounds of `{name}` are like `{example}`")
            return Type(name, optional=node.optional)
        if high is not None and high < low:
            self._malformed(node, file, "the upper bound is below the lower one")
            return Type(name, optional=node.optional)
        return Type(name, minimum=low, maximum=high, optional=node.optional)

    def _malformed(self, node: tree.TypeExpr, file: Loaded, problem: str) -> None:
        self.reports.add(rules.MALFORMED_TYPE, file.tree.span(node), problem=problem)

    def in_order(self) -> list[TypeDef]:
        """The declared types, each after those it is made of. One that holds itself is reported: no value of it could
        be written down."""
        types = self.model.vocabulary.types
        after = {name: [each for each in _mentioned(declared) if each in types] for name, declared in types.items()}
        order: list[TypeDef] = []
        for names in components(after):
            order += [types[name] for name in names]
            first = names[0]
            if len(names) > 1 or first in after[first]:
                self._recursive(types[first], names, after)
        return order

    def _recursive(self, declared: TypeDef, circle: list[str], after: Mapping[str, list[str]]) -> None:
        members = set(circle)
        inside = {name: [each for each in after[name] if each in members] for name in circle}
        way, _ = shortest(inside[declared.name][0], declared.name, inside, len(circle) + 1)
        path = " -> ".join((declared.name, *(way or ())))
        self.reports.add(rules.RECURSIVE_TYPE, declared.span, name=declared.name, path=path)


def _mentioned(declared: TypeDef) -> list[str]:
    """The names of the types the fields of a declared type have."""
    return [_innermost(each.type).name for each in declared.all_fields()]


def _innermost(type_: Type) -> Type:
    while type_.of is not None:
        type_ = type_.of
    return type_


def _bound(node: tree.Number | tree.Duration, name: str) -> int | None:
    """The value of a bound, or None where it is not of the kind the type needs."""
    if name == "duration":
        return node.seconds if isinstance(node, tree.Duration) else None
    return node.value if isinstance(node, tree.Number) and isinstance(node.value, int) else None
