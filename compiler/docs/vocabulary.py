"""The vocabulary of a program to its reference: every declaration, where it may stand and who uses it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from newel.compiler.bind.marks import MARKS, Bearer
from newel.compiler.docs import addresses
from newel.compiler.docs.shape import Declaration, Link, ParameterView, VocabularyView
from newel.compiler.docs.steps import BUILT_IN, trigger_link, uses
from newel.compiler.exports import words
from newel.compiler.exports.plain import anchor
from newel.compiler.pieces import Piece, Sort
from newel.compiler.program import (
    Declared,
    GuardDef,
    KeyDef,
    KindDef,
    Marked,
    OperationShape,
    Parameter,
    Program,
    SettingDef,
    TriggerDef,
    TypeDef,
    Vocabulary,
)

BEARERS: Mapping[str, Bearer] = {
    "kind": "action",
    "guard": "guard",
    "trigger": "trigger",
    "step": "setting",
    "workflow": "setting",
}
"""Who carries marks, by the sort of a declaration."""

OWNERS = {"dispatch": "dispatched", "exclude": "session"}


@dataclass(frozen=True, slots=True)
class Reference:
    """Describes the declarations of one program, whose workflows have the pages given."""

    program: Program
    pages: Mapping[str, str]
    pieces: Sequence[Piece] = ()

    def view(self) -> VocabularyView:
        """All declarations."""
        vocabulary = self.program.vocabulary
        used = uses(self.program, self.pages)
        return {
            "page": addresses.VOCABULARY,
            "kinds": [self._kind(each, used.get(("kind", each.name), [])) for each in vocabulary.kinds.values()],
            "triggers": self._triggers(used),
            "guards": [self._guard(each, used.get(("guard", each.name), [])) for each in vocabulary.guards.values()],
            "settings": [self._setting(each) for each in vocabulary.settings],
            "types": [self._type(each) for each in vocabulary.types.values()],
            "operation_ids": [self._key(each) for each in vocabulary.keys.values()],
            "placeholders": list(vocabulary.placeholders),
            "fragments": self._pieces("fragment"),
            "texts": self._pieces("text"),
            "groups": self._pieces("group"),
            "filled": self._pieces("placeholder"),
        }

    @property
    def _vocabulary(self) -> Vocabulary:
        return self.program.vocabulary

    def _base(self, sort: str, each: Declared, parameters: Sequence[Parameter] = ()) -> Declaration:
        marks = each.marks if isinstance(each, Marked) else ()
        known = MARKS.get(BEARERS.get(sort, "moves"), {})
        return {
            "name": each.name,
            "anchor": f"{sort}-{anchor(each.name)}",
            "code": words.signature(each.name, parameters, self._vocabulary),
            "doc": each.doc or "",
            "owner": "",
            "parameters": [self._parameter(parameter) for parameter in parameters],
            "lines": [],
            "stands": [],
            "marks": [words.mark(mark) for mark in marks],
            "means": [known[mark.name].says if mark.name in known else "" for mark in marks],
            "used": [],
        }

    def _parameter(self, each: Parameter) -> ParameterView:
        default = "" if each.default is None else words.value(each.default, each.type, self._vocabulary)
        return {"name": each.name, "type": words.type_name(each.type), "required": each.required, "default": default}

    def _kind(self, each: KindDef, used: list[Link]) -> Declaration:
        view = self._base("kind", each, each.parameters)
        view["owner"] = OWNERS.get(each.owner or "", "")
        view["stands"] = [trigger_link(name) for name in each.triggers]
        view["used"] = used
        return view

    def _triggers(self, used: Mapping[tuple[str, str], list[Link]]) -> list[Declaration]:
        """The declared ones, and those of the language."""
        declared = dict(self._vocabulary.triggers) | {
            name: TriggerDef(name=name) for name in BUILT_IN if name not in self._vocabulary.triggers
        }
        return [self._trigger(declared[name], used.get(("trigger", name), [])) for name in sorted(declared)]

    def _trigger(self, each: TriggerDef, used: list[Link]) -> Declaration:
        view = self._base("trigger", each, each.payload)
        view["doc"] = each.doc or BUILT_IN.get(each.name, "")
        view["lines"] = [*map(_shape, each.operations), *_moves(each)]
        view["used"] = used
        return view

    def _guard(self, each: GuardDef, used: list[Link]) -> Declaration:
        guarded = (name for name, trigger in self._vocabulary.triggers.items() if trigger.guarded)
        view = self._base("guard", each, each.parameters)
        view["stands"] = [trigger_link(name) for name in (guarded if each.triggers is None else each.triggers)]
        view["used"] = used
        return view

    def _setting(self, each: SettingDef) -> Declaration:
        default = "" if each.default is None else f" = {words.value(each.default, each.type, self._vocabulary)}"
        view = self._base(each.owner, each)
        view["code"] = f"{each.owner} {each.name}: {words.type_name(each.type)}{default}"
        view["used"] = list(self._set(each))
        return view

    def _set(self, each: SettingDef) -> Iterator[Link]:
        """Where a setting has another value than its default."""
        for workflow in self.program.workflows.values():
            page, title = self.pages[workflow.name], workflow.title or workflow.name
            if each.owner == "workflow" and _given(each, workflow.settings):
                yield {"text": title, "href": page}
            for step in workflow.steps.values() if each.owner == "step" else ():
                if _given(each, step.settings):
                    text = f"{title}: {step.title or step.name}"
                    yield {"text": text, "href": addresses.step(page, step.name)}

    def _type(self, each: TypeDef) -> Declaration:
        view = self._base("type", each, each.fields)
        view["lines"] = [words.signature(case.name, case.fields, self._vocabulary) for case in each.cases]
        return view

    def _pieces(self, sort: Sort) -> list[Declaration]:
        return [self._piece(each) for each in self.pieces if each.sort == sort]

    def _piece(self, each: Piece) -> Declaration:
        view = self._base(each.sort, Declared(name=each.name, doc=each.doc))
        if each.sort == "fragment" and each.parts:
            view["code"] = f"{each.name}({', '.join(each.parts)})"
        if each.sort == "group":
            view["stands"] = [trigger_link(name) for name in each.parts]
        view["used"] = [self._place(workflow, step) for workflow, step in each.places]
        return view

    def _place(self, workflow: str, step: str) -> Link:
        held = self.program.workflows[workflow]
        text = f"{held.title or workflow}: {held.steps[step].title or step}"
        return {"text": text, "href": addresses.step(self.pages[workflow], step)}

    def _key(self, each: KeyDef) -> Declaration:
        view = self._base("key", each, each.parameters)
        view["lines"] = [_shape(each.operation)]
        return view


def included(pieces: Sequence[Piece]) -> Mapping[tuple[str, str], list[Link]]:
    """The fragments that are put into a step, by workflow and step."""
    found: dict[tuple[str, str], list[Link]] = {}
    for each in pieces:
        for place in each.places:
            link: Link = {"text": each.name, "href": addresses.declared(each.sort, each.name)}
            found.setdefault(place, []).append(link)
    return found


def _given(setting: SettingDef, held: Mapping[str, object]) -> bool:
    return held.get(setting.name, setting.default) != setting.default


def _shape(operation: OperationShape) -> str:
    return f"operation {'edge ' if operation.edge else ''}{operation.shape}"


def _moves(trigger: TriggerDef) -> Iterator[str]:
    if trigger.moves:
        yield "moves, guarded and with approval" if trigger.guarded else "moves without guards"
    if trigger.in_turn:
        yield "moves are part of the session's own turn"
