"""The declarations of the files to a vocabulary: first every name, then what each declaration says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import TypeVar

from newel.compiler.bind import rules
from newel.compiler.bind.budget import weight
from newel.compiler.bind.marking import Marking
from newel.compiler.bind.reports import Reports
from newel.compiler.bind.scope import BAD, Scope
from newel.compiler.bind.shaping import Shaping
from newel.compiler.bind.triggers import Triggers
from newel.compiler.bind.types import BUILT_IN, Types
from newel.compiler.bind.values import Values
from newel.compiler.model import (
    Case,
    Declared,
    GroupDef,
    GuardDef,
    KeyDef,
    KindDef,
    Listed,
    Loaded,
    Model,
    Owner,
    Parameter,
    SettingDef,
    TriggerDef,
    Type,
    TypeDef,
)
from newel.dsl import tree
from newel.dsl.findings import Related
from newel.dsl.source import Span

D = TypeVar("D", bound=Declared)

_CONDITION_WORDS = frozenset({"when", "requires", "and", "or"})
_SETTING_WORDS = _CONDITION_WORDS | {"step", "every", "on", "include", "start", "end"}
_SHAPE_WORDS = frozenset({"task", "step", "workflow"})
_CALL_WORDS = frozenset({"kind", "place"})
_NONE: frozenset[str] = frozenset()


class Declarations:
    """Binds the declarations of one compilation into its model."""

    def __init__(self, model: Model, reports: Reports, types: Types, values: Values) -> None:
        self.model = model
        self.vocabulary = model.vocabulary
        self.reports = reports
        self.types = types
        self.values = values
        self.triggers = Triggers(model, reports)
        self.marking = Marking(model, reports)
        self.shaping = Shaping(model, reports)
        self._settings: dict[Owner, dict[str, SettingDef]] = {"workflow": {}, "step": {}}
        self._defaults: list[tuple[Parameter | SettingDef, tree.Value, Loaded]] = []

    # ------------------------------------------------------------ names

    def declare(self, item: tree.Item, file: Loaded) -> None:
        """Take in the name of a declaration; what is said twice is reported."""
        v = self.vocabulary
        match item:
            case tree.TypeDecl(extends=False) | tree.RecordDecl():
                record = isinstance(item, tree.RecordDecl)
                self._add(v.types, TypeDef(*_declared(item, file), record=record), "type", BUILT_IN)
            case tree.TriggerDecl():
                self._add(v.triggers, TriggerDef(*_declared(item, file)), "trigger", others=(v.groups, v.keys))
            case tree.GroupDecl():
                self._add(v.groups, GroupDef(*_declared(item, file)), "group", others=(v.triggers,))
            case tree.KeyDecl():
                self._add(v.keys, KeyDef(*_declared(item, file)), "key", others=(v.triggers,))
            case tree.GuardDecl():
                self._add(v.guards, GuardDef(*_declared(item, file)), "guard", {"not", *_CONDITION_WORDS})
            case tree.ActionDecl():
                self._add(v.kinds, KindDef(*_declared(item, file)), "kind", _CONDITION_WORDS)
            case tree.SettingDecl():
                self._declare_setting(item, file)
            case tree.Placeholder():
                self._add(v.placeholders, Declared(*_declared(item, file)), "placeholder", others=(self.model.texts,))
            case _:
                pass

    def _declare_setting(self, item: tree.SettingDecl, file: Loaded) -> None:
        owner = item.owner.text
        if owner not in ("workflow", "step"):
            known, hint = ("workflow", "step"), rules.SETTING_OWNER.hint
            self.reports.unknown(rules.SETTING_OWNER, file.tree.span(item.owner), owner, known, hint=hint)
            return
        setting = SettingDef(*_declared(item, file), owner="step" if owner == "step" else "workflow")
        if self._add(self._settings[setting.owner], setting, f"{owner} setting", _SETTING_WORDS):
            self.vocabulary.settings[setting.owner, setting.name] = setting

    def _add(
        self,
        table: MutableMapping[str, D],
        declared: D,
        what: str,
        forbidden: Iterable[str] = (),
        others: Iterable[Mapping[str, Declared]] = (),
    ) -> bool:
        """Put a declaration into its table, unless its name is forbidden or taken, there or in one of the `others`."""
        name = declared.name
        if name in forbidden:
            self.reports.add(rules.FORBIDDEN_NAME, declared.span, what=what, name=name)
            return False
        tables: list[Mapping[str, Declared]] = [table, *others]
        first = next((each[name] for each in tables if name in each), None)
        if first is None:
            table[name] = declared
            return True
        related = (Related("first declared here", first.span),) if first.file.tree.source.text else ()
        if isinstance(first, TriggerDef) and name in ("enter", "exit"):
            self.reports.add(rules.FORBIDDEN_NAME, declared.span, what=what, name=name)
        else:
            self.reports.add(rules.DUPLICATE_NAME, declared.span, related=related, what=what, name=name)
        return False

    # ------------------------------------------------------------ what they say

    def fill_types(self, item: tree.Item, file: Loaded) -> None:
        """Read the cases and fields of a type: before the marks, which ask whether cases carry fields."""
        if isinstance(item, tree.RecordDecl):
            declared = self._mine(self.vocabulary.types, item, file)
            if declared:
                declared.fields = self._parameters(item.params, file, item.name.text, _NONE, "field")
        elif isinstance(item, tree.TypeDecl) and not item.extends:
            declared = self._mine(self.vocabulary.types, item, file)
            if declared:
                self._cases(item, declared, file)
        elif isinstance(item, tree.TypeDecl):
            self._extend(item, file)

    def fill(self, item: tree.Item, file: Loaded) -> None:
        """Read what a declaration says; all names are known by now."""
        match item:
            case tree.SettingDecl():
                self._setting(item, file)
            case tree.TriggerDecl():
                self._trigger(item, file)
            case tree.KeyDecl():
                self._key(item, file)
            case tree.GuardDecl():
                self._guard(item, file)
            case tree.ActionDecl():
                self._kind(item, file)
            case tree.Ownership():
                self.vocabulary.lists += [
                    Listed(item.owner, name.text, file.tree.span(name), file) for name in item.names
                ]
            case _:
                pass

    def fill_groups(self, item: tree.Item, file: Loaded) -> None:
        """Read which triggers a group names: before the kinds and guards that stand under it."""
        if isinstance(item, tree.GroupDecl):
            declared = self._mine(self.vocabulary.groups, item, file)
            if declared:
                declared.members = self.triggers.members(item, file)

    def fill_moves(self, item: tree.Item, file: Loaded) -> None:
        """Read where moves may stand: after all groups."""
        if not isinstance(item, tree.MovesDecl):
            return
        marks = self.marking.read(item.marks, "moves", {}, file, owner=None)
        for trigger in self.triggers.resolve(item.triggers, file, moves=True):
            declared = self.vocabulary.triggers[trigger]
            declared.moves = True
            declared.guarded = declared.guarded or item.guarded
            declared.in_turn = declared.in_turn or "in_turn" in marks

    def _mine(self, table: Mapping[str, D], item: tree.Item, file: Loaded) -> D | None:
        """The declaration an item has made, or None where its name was refused."""
        name = getattr(item, "name", None)
        declared = table.get(name.text) if isinstance(name, tree.Name) else None
        if declared is None or not isinstance(name, tree.Name) or declared.span != file.tree.span(name):
            return None
        return declared

    def _cases(self, item: tree.TypeDecl, declared: TypeDef, file: Loaded) -> None:
        for case in item.cases:
            span = file.tree.span(case.name)
            first = declared.cases.get(case.name.text)
            if first is not None:
                related = (Related("first declared here", first.span),)
                self.reports.add(rules.DUPLICATE_PART, span, related=related, what="case", name=case.name.text)
                continue
            fields = self._parameters(case.params, file, case.name.text, frozenset({"case"}), "field")
            declared.cases[case.name.text] = Case(case.name.text, span, fields)

    def _extend(self, item: tree.TypeDecl, file: Loaded) -> None:
        name, span = item.name.text, file.tree.span(item.name)
        declared = self.vocabulary.types.get(name)
        if declared is None:
            self.reports.unknown(rules.UNKNOWN_TYPE, span, name, self.vocabulary.types)
        elif declared.record:
            self.reports.add(rules.EXTENDED_RECORD, span, name=name, related=(Related("declared here", declared.span),))
        else:
            declared.doc = "\n\n".join(filter(None, (declared.doc, item.doc))) or None
            self._cases(item, declared, file)

    def _setting(self, item: tree.SettingDecl, file: Loaded) -> None:
        declared = self.vocabulary.settings.get(
            ("workflow" if item.owner.text == "workflow" else "step", item.name.text)
        )
        if declared is None or declared.span != file.tree.span(item.name):
            return
        declared.type = self.types.resolve(item.type, file)
        if item.default is not None:
            self._defaults.append((declared, item.default, file))
        elif declared.type.name == "flag" and not declared.type.optional:
            declared.default = False
        else:
            declared.required = not declared.type.optional and declared.type.name != "?"
        declared.marks = self.marking.read(item.marks, "setting", {}, file, owner=declared)

    def _trigger(self, item: tree.TriggerDecl, file: Loaded) -> None:
        declared = self._mine(self.vocabulary.triggers, item, file)
        if declared:
            declared.payload = self._parameters(item.params, file, declared.name, _SHAPE_WORDS, "payload field")
            declared.marks = self.marking.read(item.marks, "trigger", declared.payload, file, owner=declared)
            declared.operations = [
                self.shaping.read(each, declared.payload, file, own=True) for each in item.operations
            ]

    def _key(self, item: tree.KeyDecl, file: Loaded) -> None:
        declared = self._mine(self.vocabulary.keys, item, file)
        if declared:
            declared.parameters = self._parameters(item.params, file, declared.name, _NONE, "parameter")
            declared.operation = self.shaping.read(item.operation, declared.parameters, file, own=False)

    def _guard(self, item: tree.GuardDecl, file: Loaded) -> None:
        declared = self._mine(self.vocabulary.guards, item, file)
        if declared:
            declared.parameters = self._parameters(item.params, file, declared.name, _CALL_WORDS, "parameter")
            declared.marks = self.marking.read(item.marks, "guard", declared.parameters, file, owner=declared)
            if item.triggers:
                declared.triggers = self.triggers.resolve(item.triggers, file)

    def _kind(self, item: tree.ActionDecl, file: Loaded) -> None:
        declared = self._mine(self.vocabulary.kinds, item, file)
        if declared:
            declared.parameters = self._parameters(item.params, file, declared.name, _CALL_WORDS, "parameter")
            declared.marks = self.marking.read(item.marks, "action", declared.parameters, file, owner=declared)
            declared.triggers = self.triggers.resolve(item.triggers, file)

    # ------------------------------------------------------------ parameters

    def parameters(self, params: list[tree.Param], file: Loaded, owner: str) -> dict[str, Parameter]:
        """The parameters of a fragment, whose defaults are bound where it is included."""
        return self._parameters(params, file, owner, _NONE, "parameter", defaults=False)

    def _parameters(
        self,
        params: list[tree.Param],
        file: Loaded,
        owner: str,
        forbidden: frozenset[str],
        what: str,
        *,
        defaults: bool = True,
    ) -> dict[str, Parameter]:
        result: dict[str, Parameter] = {}
        for param in params:
            name, span = param.name.text, file.tree.span(param.name)
            if name in forbidden:
                self.reports.add(rules.FORBIDDEN_NAME, span, what=f"{what} of `{owner}`", name=name)
            type_ = self.types.resolve(param.type, file)  # also of one that is given twice: its type is used
            if name in result:
                related = (Related("first declared here", result[name].span),)
                self.reports.add(rules.DUPLICATE_PART, span, related=related, what=what, name=name)
                continue
            parameter = Parameter(name, type_, span, required=param.default is None and not type_.optional)
            if param.default is not None and defaults:
                self._defaults.append((parameter, param.default, file))
            result[name] = parameter
        return result

    def fill_defaults(self) -> None:
        """Bind all defaults: those of a type's fields before those that hold such a type."""
        fields: dict[int, tuple[tree.Value, Loaded]] = {
            id(declared): (node, file) for declared, node, file in self._defaults
        }
        for type_ in self.types.in_order():
            for field in type_.all_fields():
                if id(field) in fields:
                    self._default(field, *fields.pop(id(field)))
        for declared, node, file in self._defaults:
            if id(declared) in fields:
                self._default(declared, node, file)

    def _default(self, declared: Parameter | SettingDef, node: tree.Value, file: Loaded) -> None:
        span = file.tree.span(node)
        if _has_place(declared.type):
            self.reports.add(rules.DEFAULT_STEP, span, name=declared.name, type=str(declared.type))
            return
        value = self.values.bind(node, declared.type, Scope(file), declared.name)
        if value is BAD:
            return
        size = weight(value)
        most = self.model.limits.default_size
        if size > most:
            limit = f"{most:,} characters"
            self.reports.add(rules.TOO_LARGE, span, what="the default is", limit=limit)
            return
        declared.default = value
        if isinstance(declared, Parameter):
            declared.weight = size if isinstance(value, str | list | dict) else 0


def _declared(item: tree.Item, file: Loaded) -> tuple[str, Span, Loaded, str | None]:
    """What every declaration begins with."""
    name = getattr(item, "name")  # noqa: B009 - every item that comes here has a name; a union cannot say so
    return name.text, file.tree.span(name), file, item.doc if not isinstance(item, tree.Broken) else None


def _has_place(type_: Type) -> bool:
    while type_.of is not None:
        type_ = type_.of
    return type_.name in ("step", "workflow")
