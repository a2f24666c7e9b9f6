"""What holds of every program that was compiled from files: told of those that were made otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from newel.compiler.bind.marks import MARKS
from newel.compiler.program import Action, Guard, GuardDef, KindDef, Program, TypeDef, Vocabulary

_BUILT_IN = {"text", "int", "number", "flag", "duration", "step", "workflow", "list", "map"}
Steps = Mapping[str, Any]
Types = Mapping[str, TypeDef]


def sound(program: Program) -> bool:
    """Whether what is written in the workflows is declared, and everything stands under its own name."""
    tables = program.vocabulary, program.workflows
    return all(
        name == each.name
        for table in (*(getattr(tables[0], t) for t in ("types", "triggers", "keys", "guards", "kinds")), tables[1])
        for name, each in table.items()
    ) and all(_workflow(program, name) for name in program.workflows)


def sound_vocabulary(v: Vocabulary) -> bool:
    """Whether the declarations fit one another."""
    marks = all(_marked(bearer, mark, each) for bearer, each in _bearers(v) for mark in each.marks)
    owned = all((kind.owner is not None) == ("enter" in kind.triggers) for kind in v.kinds.values())
    admitted = all(set(each.triggers or ()) <= v.triggers.keys() for each in _called(v))
    types = all(name in _BUILT_IN | v.types.keys() for name in _types(v.model_dump(mode="json")))
    once = all(len(names) == len(set(names)) for names in _unique(v))
    forms = all(bool(each.cases) != bool(each.fields) for each in v.types.values())
    ordered = list(v.placeholders) == sorted(v.placeholders)
    return (
        marks
        and owned
        and admitted
        and types
        and once
        and forms
        and ordered
        and not {"enter", "exit"} - v.triggers.keys()
    )


def _called(v: Vocabulary) -> list[KindDef | GuardDef]:
    return [*v.kinds.values(), *v.guards.values()]


def _bearers(v: Vocabulary) -> Iterator[tuple[Any, Any]]:
    yield from (("action", kind) for kind in v.kinds.values())
    yield from (("guard", guard) for guard in v.guards.values())
    yield from (("trigger", trigger) for trigger in v.triggers.values())
    yield from (("setting", setting) for setting in v.settings)


def _marked(bearer: Any, mark: Any, each: Any) -> bool:
    known = MARKS[bearer].get(mark.name)
    if known is None or not known.least <= len(mark.parameters) <= len(known.parameters):
        return False
    named = {parameter.name: parameter for parameter in getattr(each, "parameters", ())}
    types = [named[name].type.name if name in named else "" for name in mark.parameters]
    if types != ["role", "int"][: len(types)]:
        return False
    return bearer != "setting" or ((known.type in (None, each.type.name)) and (each.owner == "step" or known.workflow))


def _types(plain: Any) -> Iterator[str]:
    if isinstance(plain, dict):
        if isinstance(plain.get("type"), dict):
            type_ = plain["type"]
            while type_:
                yield type_["name"] if (type_["name"] == "list") <= bool(type_.get("of")) else ""
                type_ = type_.get("of")
        plain = list(plain.values())
    if isinstance(plain, list):
        for item in plain:
            yield from _types(item)


def _unique(v: Vocabulary) -> Iterator[list[str]]:
    """Lists in which each name may stand once."""
    yield [f"{each.owner} {each.name}" for each in v.settings]
    yield list(v.placeholders)
    for parameters in (*(each.parameters for each in _called(v)), *(key.parameters for key in v.keys.values())):
        yield [parameter.name for parameter in parameters]
    for kind in _called(v):
        yield list(kind.triggers or ())
    for trigger in v.triggers.values():
        yield [field.name for field in trigger.payload]
        yield [shape.shape for shape in trigger.operations]
    for type_ in v.types.values():
        yield [case.name for case in type_.cases]
        yield [field.name for field in type_.fields]
        yield from ([field.name for field in case.fields] for case in type_.cases)
    yield from (
        [mark.name for mark in each.marks] for each in (*v.kinds.values(), *v.guards.values(), *v.triggers.values())
    )
    yield from ([mark.name for mark in each.marks] for each in v.settings)


def _workflow(program: Program, name: str) -> bool:
    workflow, v = program.workflows[name], program.vocabulary
    starts = [step.name for step in workflow.steps.values() if step.start]
    named = all(key == step.name for key, step in workflow.steps.items())
    settings = {owner: {s.name: s.type for s in v.settings if s.owner == owner} for owner in ("workflow", "step")}
    values = _valued(workflow.settings, settings["workflow"], v.types, workflow.steps)
    return (
        starts == [workflow.start]
        and named
        and values
        and all(
            step.on.keys() <= v.triggers.keys()
            and _valued(step.settings, settings["step"], v.types, workflow.steps)
            and all(
                _statement(program, workflow.steps, trigger, item)
                for trigger, items in step.on.items()
                for item in items
            )
            and all(step.on.values())
            for step in workflow.steps.values()
        )
    )


def _statement(program: Program, steps: Steps, trigger: str, item: Any) -> bool:
    declared = program.vocabulary.triggers[trigger]
    if isinstance(item, Action):
        return trigger in program.kind(item.kind).triggers
    plain = item.guard is None and not item.approval
    return (
        item.to in steps
        and declared.moves
        and (plain or declared.guarded)
        and (item.guard is None or _guard(item.guard))
    )


def _guard(guard: Guard) -> bool:
    if guard.kind in ("&", "|"):
        return len(cast("Any", guard).parts) > 1 and all(map(_guard, cast("Any", guard).parts))
    return True


def _valued(values: Mapping[str, Any], types: Mapping[str, Any], declared: Types, steps: Steps) -> bool:
    return all(name in types and _fits(held, types[name], declared, steps) for name, held in values.items())


def _fits(held: Any, type_: Any, declared: Types, steps: Steps) -> bool:
    match type_.name:
        case "text":
            return isinstance(held, str)
        case "int" | "duration":
            return isinstance(held, int) and not isinstance(held, bool)
        case "flag":
            return isinstance(held, bool)
        case "step":
            return held in steps
        case "list":
            return (
                isinstance(held, Sequence)
                and not isinstance(held, str)
                and all(_fits(item, type_.of, declared, steps) for item in held)
            )
        case "map":
            return isinstance(held, Mapping) and all(_fits(item, type_.of, declared, steps) for item in held.values())
        case name:
            return _declared(held, declared[name], declared, steps)


def _declared(held: Any, type_: TypeDef, declared: Types, steps: Steps) -> bool:
    fields = type_.fields
    if type_.cases:
        cases = {case.name: case.fields for case in type_.cases}
        if isinstance(held, str):
            return held in cases and not any(cases.values())
        if not isinstance(held, Mapping) or held.get("case") not in cases:
            return False
        fields, held = cases[held["case"]], {key: value for key, value in held.items() if key != "case"}
    if not isinstance(held, Mapping) or set(held) != {field.name for field in fields}:
        return False
    return all(
        (held[f.name] is None and f.type.optional) or _fits(held[f.name], f.type, declared, steps) for f in fields
    )
