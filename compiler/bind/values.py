"""Values as written to plain values of a type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from newel.compiler.bind import rules
from newel.compiler.bind.arguments import Arguments
from newel.compiler.bind.budget import Budget
from newel.compiler.bind.described import described
from newel.compiler.bind.reports import Reports
from newel.compiler.bind.scope import BAD, Argument, Bound, Scope, relative_name
from newel.compiler.bind.texts import Texts
from newel.compiler.model import Case, Json, Model, Type, TypeDef
from newel.dsl import tree
from newel.dsl.findings import Related, Rule

_EXPECTED = {
    "text": "a text",
    "int": "a whole number",
    "number": "a number",
    "flag": "`true` or `false`",
    "duration": "a duration such as `15m`",
    "step": "the name of a step",
    "workflow": "the name of a workflow",
    "list": "a list",
    "map": "a map",
}


class Values:
    """Binds the values of one compilation."""

    def __init__(self, model: Model, reports: Reports, texts: Texts, budget: Budget) -> None:
        self.model = model
        self.reports = reports
        self.texts = texts
        self.budget = budget
        itself: Any = self  # by its real path this module is another one to pyright
        self.arguments = Arguments(itself)
        self._binders: Mapping[str, Callable[[tree.Value, Type, Scope, str], Bound]] = {
            "text": self._text,
            "int": self._int,
            "number": self._number,
            "flag": self._flag,
            "duration": self._duration,
            "step": self._step,
            "workflow": self._workflow,
            "list": self._list,
            "map": self._map,
            "?": lambda *_: BAD,
        }

    def bind(self, node: tree.Value, type_: Type, scope: Scope, what: str) -> Bound:
        """The plain value of a node as a type; `BAD` where it is none. `what` it is for stands in the message."""
        if scope.arguments and isinstance(node, tree.Ref) and node.args is None and len(node.path) == 1:
            argument = scope.arguments.get(node.path[0].text)
            if argument is not None:
                return self.argument(argument, type_, scope, node, what)
        binder = self._binders.get(type_.name)
        return binder(node, type_, scope, what) if binder else self._declared(node, type_, scope, what)

    # ------------------------------------------------------------ built-in types

    def _text(self, node: tree.Value, type_: Type, scope: Scope, what: str) -> Bound:
        if not isinstance(node, tree.Text):
            return self._wrong(node, type_, scope, what)
        return self.texts.expand(node, scope) if node.long and "{{" in node.value else node.value

    def _int(self, node: tree.Value, type_: Type, scope: Scope, what: str) -> Bound:
        if not isinstance(node, tree.Number) or not isinstance(node.value, int):
            return self._wrong(node, type_, scope, what)
        return self._in_range(node.value, node, type_, scope, what)

    def _number(self, node: tree.Value, type_: Type, scope: Scope, what: str) -> Bound:
        return float(node.value) if isinstance(node, tree.Number) else self._wrong(node, type_, scope, what)

    def _flag(self, node: tree.Value, type_: Type, scope: Scope, what: str) -> Bound:
        word = _word(node)
        return word == "true" if word in ("true", "false") else self._wrong(node, type_, scope, what)

    def _duration(self, node: tree.Value, type_: Type, scope: Scope, what: str) -> Bound:
        if not isinstance(node, tree.Duration):
            return self._wrong(node, type_, scope, what)
        return self._in_range(node.seconds, node, type_, scope, what)

    def _step(self, node: tree.Value, type_: Type, scope: Scope, what: str) -> Bound:
        name = _word(node)
        if name is None:
            return self._wrong(node, type_, scope, what)
        if scope.loose:
            return BAD
        relative = relative_name(name)
        found = scope.beside(relative) if relative else name
        steps = scope.workflow.steps if scope.workflow else {}
        if found is not None and found in steps:
            return found
        self.reports.unknown(rules.UNKNOWN_STEP, scope.span(node), name, steps, related=scope.trace)
        return BAD

    def _workflow(self, node: tree.Value, type_: Type, scope: Scope, what: str) -> Bound:
        name = _word(node)
        if name is None:
            return self._wrong(node, type_, scope, what)
        if name in self.model.workflows:
            return name
        self.reports.unknown(rules.UNKNOWN_WORKFLOW, scope.span(node), name, self.model.workflows, related=scope.trace)
        return BAD

    def _list(self, node: tree.Value, type_: Type, scope: Scope, what: str) -> Bound:
        if not isinstance(node, tree.ListValue) or type_.of is None:
            return self._wrong(node, type_, scope, what)
        return _all_good([self.bind(item, type_.of, scope, what) for item in node.items])

    def _map(self, node: tree.Value, type_: Type, scope: Scope, what: str) -> Bound:
        if not isinstance(node, tree.MapValue):
            return self._wrong(node, type_, scope, what)
        element = type_.of
        return self._pairs(
            node,
            scope,
            lambda value: self.bind(value, element, scope, what) if element else self._json(value, scope, what),
        )

    # ------------------------------------------------------------ JSON values

    def _json(self, node: tree.Value, scope: Scope, what: str) -> Bound:
        """A value inside a bare `map`: whatever JSON knows."""
        if isinstance(node, tree.Text):
            return self._text(node, Type("text"), scope, what)
        if isinstance(node, tree.Number):
            return node.value
        if isinstance(node, tree.ListValue):
            return _all_good([self._json(item, scope, what) for item in node.items])
        if isinstance(node, tree.MapValue):
            return self._pairs(node, scope, lambda value: self._json(value, scope, what))
        word = _word(node)
        if word is not None and word in scope.arguments:
            return scope.arguments[word].value
        if word in _JSON_WORDS:
            return _JSON_WORDS[word]
        self.reports.add(
            rules.WRONG_TYPE,
            scope.span(node),
            related=scope.trace,
            what=what,
            expected="values JSON knows in its map",
            found=described(node),
        )
        return BAD

    def _pairs(self, node: tree.MapValue, scope: Scope, bind: Callable[[tree.Value], Bound]) -> Bound:
        result: dict[str, Json] = {}
        places: dict[str, tree.Node] = {}
        good = True
        for pair in node.pairs:
            key = pair.key.value if isinstance(pair.key, tree.Text) else pair.key.text
            if key in places:
                self.repeated(rules.REPEATED_KEY, scope, pair.key, places[key], key)
            places.setdefault(key, pair.key)
            value = bind(pair.value)
            if value is BAD:
                good = False
            else:
                result[key] = value
        return result if good else BAD

    # ------------------------------------------------------------ declared types

    def _declared(self, node: tree.Value, type_: Type, scope: Scope, what: str) -> Bound:
        declared = self.model.vocabulary.types[type_.name]
        if not isinstance(node, tree.Ref):
            return self._wrong(node, type_, scope, what)
        if declared.record:
            if node.path[-1].text != type_.name or len(node.path) > 1:
                return self._wrong(node, type_, scope, what)
            return self.record(declared, node.args, scope, node)
        return self._case(node, declared, type_, scope, what)

    def record(self, declared: TypeDef, args: tree.Args | None, scope: Scope, at: tree.Node) -> Bound:
        """The value of a record: an object of its fields."""
        fields, _, good = self.arguments.bind(args, declared.fields, scope, at, declared.name)
        return dict(fields) if good else BAD

    def _case(self, node: tree.Ref, declared: TypeDef, type_: Type, scope: Scope, what: str) -> Bound:
        name = node.path[-1].text
        case = declared.cases.get(name)
        if case is None or len(node.path) > 2 or (len(node.path) == 2 and node.path[0].text != declared.name):
            if len(node.path) == 1 and node.args is None:
                self.reports.unknown(
                    rules.UNKNOWN_CASE, scope.span(node), name, declared.cases, related=scope.trace, type=type_.name
                )
                return BAD
            return self._wrong(node, type_, scope, what)
        return self._with_fields(node, declared, case, scope)

    def _with_fields(self, node: tree.Ref, declared: TypeDef, case: Case, scope: Scope) -> Bound:
        if not case.fields and node.args is None:
            return case.name if declared.simple else {"case": case.name}
        fields, _, good = self.arguments.bind(node.args, case.fields, scope, node.path[-1], case.name)
        if not good:
            return BAD
        return case.name if declared.simple else {"case": case.name, **fields}

    # ------------------------------------------------------------ parameters of fragments

    def argument(self, argument: Argument, type_: Type, scope: Scope, node: tree.Ref, what: str) -> Bound:
        """What a parameter of a fragment stands for, where a value of some type is needed."""
        if type_.name == "?" or argument.type.name == "?":
            return BAD
        if not _fits(argument.type, type_):
            optional = ", which may be left out," if argument.type.optional and not type_.optional else ""
            found = f"the parameter `{node.path[0].text}`{optional} of type `{argument.type}`"
            return self._wrong(node, type_, scope, what, found)
        value = argument.value
        if argument.relative is not None and value is None:
            self.reports.add(rules.UNKNOWN_STEP, scope.span(node), related=scope.trace, hint="", name=argument.relative)
            return BAD
        if value is BAD or value is None:
            return value
        if argument.weight and not self.budget.add(argument.weight, scope.span(node), scope.trace):
            return BAD
        if type_.name == "number" and isinstance(value, int):
            return float(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return self._in_range(value, node, type_, scope, what)
        return value

    # ------------------------------------------------------------ findings

    def _in_range(self, value: int, node: tree.Node, type_: Type, scope: Scope, what: str) -> Bound:
        low, high = type_.minimum, type_.maximum
        if (low is None or value >= low) and (high is None or value <= high):
            return value
        unit = "s" if type_.name == "duration" else ""
        allowed = f"{low}{unit}.." if high is None else f"{low}{unit}..{high}{unit}"
        self.reports.add(
            rules.OUT_OF_RANGE,
            scope.span(node),
            related=scope.trace,
            what=what,
            value=f"{value}{unit}",
            allowed=allowed,
        )
        return BAD

    def _wrong(self, node: tree.Value, type_: Type, scope: Scope, what: str, found: str | None = None) -> Bound:
        declared = self.model.vocabulary.types.get(type_.name)
        hint = None
        if isinstance(node, tree.Text) and declared and node.value in declared.cases:
            hint = f"write it without quotes: `{node.value}`"
        expected = _EXPECTED.get(type_.name) or f"a value of type `{type_.name}`"
        self.reports.add(
            rules.WRONG_TYPE,
            scope.span(node),
            related=scope.trace,
            hint=hint,
            what=what,
            expected=expected,
            found=found or described(node),
        )
        return BAD

    def repeated(self, rule: Rule, scope: Scope, again: tree.Node, first: tree.Node, name: str) -> None:
        """Report that something is given a second time."""
        related = (Related("first given here", scope.span(first)), *scope.trace)
        self.reports.add(rule, scope.span(again), related=related, name=name)


_JSON_WORDS: Mapping[str | None, Json] = {"true": True, "false": False, "null": None}


def _all_good(values: list[Bound]) -> Bound:
    good = [value for value in values if value is not BAD]
    return good if len(good) == len(values) else BAD


def _word(node: tree.Value) -> str | None:
    """The name a value is, where it is nothing but a name."""
    if isinstance(node, tree.Ref) and node.args is None and len(node.path) == 1:
        return node.path[0].text
    return None


def _fits(given: Type, needed: Type) -> bool:
    """Whether every value of one type is one of the other, bounds aside."""
    if given.optional and not needed.optional:
        return False
    if given.name != needed.name:
        return given.name == "int" and needed.name == "number"
    if needed.of is None or given.of is None:
        return needed.of is None
    return _fits(given.of, needed.of)
