"""What each production of the grammar makes of its symbols: the nodes of `newel.dsl.tree`.

A function gets the values of the symbols in the order of the grammar, None for what was left out in `[ ]`, and where
the text of the production starts and ends. A list rule extends the list it is given. A production of one symbol and
without a function here passes its value on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from newel.dsl import tree

Values: TypeAlias = list[Any]
Build: TypeAlias = Callable[[Values, int, int], Any]


# ---------------------------------------------------------------- lists


def _spaced(v: Values, _start: int, _end: int) -> list[Any]:
    """`x | xs x`"""
    if len(v) == 1:
        return v
    v[0].append(v[1])
    return v[0]  # type: ignore[no-any-return]  # the values of a list rule are its own lists


def _separated(v: Values, _start: int, _end: int) -> list[Any]:
    """`x | xs "," x`"""
    if len(v) == 1:
        return v
    v[0].append(v[2])
    return v[0]  # type: ignore[no-any-return]  # the values of a list rule are its own lists


def _lines(v: Values, _start: int, _end: int) -> list[Any]:
    """`x _NL | xs x _NL`"""
    v.pop()
    return _spaced(v, 0, 0)


def _block(v: Values, _start: int, _end: int) -> list[Any]:
    """`"{" [_NL] [xs] [x] "}"`"""
    lines: list[Any] = v[2] or []
    if v[3] is not None:
        lines.append(v[3])
    return lines


def _bracketed(v: Values, _start: int, _end: int) -> list[Any]:
    """`"(" ")" | "(" xs ")" | "(" xs "," ")"`"""
    return v[1] if len(v) > 2 else []


# ---------------------------------------------------------------- declarations


def _start(v: Values, _start: int, _end: int) -> list[Any]:
    items: list[Any] = v[1] or []
    if v[2] is not None:
        items.append(v[2])
    return items


def _use(v: Values, start: int, end: int) -> tree.Use:
    return tree.Use(start, end, v[1])


def _text_decl(v: Values, start: int, end: int) -> tree.TextDecl:
    return tree.TextDecl(start, end, v[1], v[-1], len(v) == 4)


def _placeholder(v: Values, start: int, end: int) -> tree.Placeholder:
    return tree.Placeholder(start, end, v[1])


def _type_decl(v: Values, start: int, end: int) -> tree.TypeDecl:
    return tree.TypeDecl(start, end, v[1], v[3], False)


def _extend(v: Values, start: int, end: int) -> tree.TypeDecl:
    return tree.TypeDecl(start, end, v[2], v[4], True)


def _case(v: Values, start: int, end: int) -> tree.Case:
    return tree.Case(start, end, v[0], v[1] or [])


def _record_decl(v: Values, start: int, end: int) -> tree.RecordDecl:
    return tree.RecordDecl(start, end, v[1], v[2])


def _setting_decl(v: Values, start: int, end: int) -> tree.SettingDecl:
    return tree.SettingDecl(start, end, v[1], v[2], v[4], v[6], v[7] or [])


def _trigger_decl(v: Values, start: int, end: int) -> tree.TriggerDecl:
    return tree.TriggerDecl(start, end, v[1], v[2] or [], v[3] or [], v[4] or [])


def _operation(v: Values, start: int, end: int) -> tree.Operation:
    return tree.Operation(start, end, v[1] is not None, v[2])


def _key_decl(v: Values, start: int, end: int) -> tree.KeyDecl:
    shape = v[4]
    return tree.KeyDecl(start, end, v[1], v[2] or [], tree.Operation(shape.start, end, v[3] is not None, shape))


def _group_decl(v: Values, start: int, end: int) -> tree.GroupDecl:
    return tree.GroupDecl(start, end, v[1], v[3])


def _moves_decl(v: Values, start: int, end: int) -> tree.MovesDecl:
    return tree.MovesDecl(start, end, v[1] is not None, v[3], v[4] or [])


def _guard_decl(v: Values, start: int, end: int) -> tree.GuardDecl:
    return tree.GuardDecl(start, end, v[1], v[2] or [], v[4] or [], v[5] or [])


def _action_decl(v: Values, start: int, end: int) -> tree.ActionDecl:
    return tree.ActionDecl(start, end, v[1], v[2] or [], v[4], v[5] or [])


def _ownership(v: Values, start: int, end: int) -> tree.Ownership:
    return tree.Ownership(start, end, "dispatch" if v[0] == "DISPATCH" else "exclude", v[1])


def _means(v: Values, _start: int, _end: int) -> list[tree.Mark]:
    return v[1]  # type: ignore[no-any-return]  # a list rule's own list


def _mark(v: Values, start: int, end: int) -> tree.Mark:
    return tree.Mark(start, end, v[0], v[2] if len(v) > 1 else [])


def _param(v: Values, start: int, end: int) -> tree.Param:
    return tree.Param(start, end, v[0], v[2], v[4])


def _type(v: Values, start: int, end: int) -> tree.TypeExpr:
    return tree.TypeExpr(start, end, v[0], v[2], v[4] is not None)


def _range(v: Values, start: int, end: int) -> tree.Range:
    return tree.Range(start, end, v[0], v[2])


# ---------------------------------------------------------------- workflows


def _workflow(v: Values, start: int, end: int) -> tree.Workflow:
    return tree.Workflow(start, end, v[1], v[2], v[3])


def _every(v: Values, start: int, end: int) -> tree.Every:
    return tree.Every(start, end, v[2])


def _step(v: Values, start: int, end: int) -> tree.Step:
    return tree.Step(start, end, v[1], v[2], v[3])


def _fragment(v: Values, start: int, end: int) -> tree.Fragment:
    return tree.Fragment(start, end, v[1], v[2] or [], v[3])


def _include(v: Values, start: int, end: int) -> tree.Include:
    return tree.Include(start, end, v[1], v[2])


def _setting(v: Values, start: int, end: int) -> tree.Setting:
    return tree.Setting(start, end, v[0], v[1])


def _on(v: Values, start: int, end: int) -> tree.On:
    return tree.On(start, end, v[1], v[2])


def _call(v: Values, start: int, end: int) -> tree.Call:
    return tree.Call(start, end, v[0], v[1])


def _move(v: Values, start: int, end: int) -> tree.Move:
    return tree.Move(start, end, v[1], v[2], v[4])


def _approval(_v: Values, start: int, end: int) -> tree.Node:
    return tree.Node(start, end)


def _guard(v: Values, start: int, end: int) -> tree.GuardExpr:
    parts = v[0]
    return parts[0] if len(parts) == 1 else tree.Either(start, end, parts)


def _both(v: Values, start: int, end: int) -> tree.GuardExpr:
    parts = v[0]
    return parts[0] if len(parts) == 1 else tree.Both(start, end, parts)


def _negated(v: Values, start: int, end: int) -> tree.Negated:
    return tree.Negated(start, end, v[1])


def _asked(v: Values, _start: int, _end: int) -> tree.GuardExpr:
    return v[1] if len(v) > 1 else v[0]  # type: ignore[no-any-return]  # a guard, in brackets or not


def _scenario(v: Values, start: int, end: int) -> tree.Scenario:
    return tree.Scenario(start, end, v[1], v[3], v[4])


def _line(v: Values, start: int, end: int) -> tree.Line:
    return tree.Line(start, end, v[0], v[1] or [])


# ---------------------------------------------------------------- values


def _args(v: Values, start: int, end: int) -> tree.Args:
    return tree.Args(start, end, v[1] if len(v) > 2 else [])


def _named(v: Values, start: int, end: int) -> tree.Named:
    return tree.Named(start, end, v[0], v[2])


def _ref(v: Values, start: int, end: int) -> tree.Ref:
    return tree.Ref(start, end, tuple(v[0]), v[1])


def _list(v: Values, start: int, end: int) -> tree.ListValue:
    return tree.ListValue(start, end, v[1] if len(v) > 2 else [])


def _map(v: Values, start: int, end: int) -> tree.MapValue:
    return tree.MapValue(start, end, v[1] if len(v) > 2 else [])


def _pair(v: Values, start: int, end: int) -> tree.Pair:
    return tree.Pair(start, end, v[0], v[2])


BUILD: Mapping[str, Build] = {
    "start": _start,
    "items": _lines,
    "use": _use,
    "text_decl": _text_decl,
    "placeholder": _placeholder,
    "type_decl": _type_decl,
    "extend": _extend,
    "record_decl": _record_decl,
    "setting_decl": _setting_decl,
    "trigger_decl": _trigger_decl,
    "key_decl": _key_decl,
    "group_decl": _group_decl,
    "moves_decl": _moves_decl,
    "guard_decl": _guard_decl,
    "action_decl": _action_decl,
    "ownership": _ownership,
    "cases": _separated,
    "case": _case,
    "operations": _spaced,
    "operation": _operation,
    "members": _separated,
    "name_list": _bracketed,
    "names": _separated,
    "means": _means,
    "marks": _separated,
    "mark": _mark,
    "params": _bracketed,
    "param_list": _separated,
    "param": _param,
    "type": _type,
    "range": _range,
    "workflow": _workflow,
    "workflow_body": _block,
    "workflow_lines": _lines,
    "every": _every,
    "step": _step,
    "fragment": _fragment,
    "step_body": _block,
    "step_lines": _lines,
    "include": _include,
    "setting": _setting,
    "on": _on,
    "on_body": _block,
    "on_lines": _lines,
    "call": _call,
    "move": _move,
    "approval": _approval,
    "guard": _guard,
    "alternatives": _separated,
    "both": _both,
    "conditions": _separated,
    "negated": _negated,
    "asked": _asked,
    "scenario": _scenario,
    "scenario_body": _block,
    "scenario_lines": _lines,
    "line": _line,
    "words": _spaced,
    "args": _args,
    "arg_list": _separated,
    "named": _named,
    "ref": _ref,
    "path": _separated,
    "list": _list,
    "values": _separated,
    "map": _map,
    "pairs": _separated,
    "pair": _pair,
}
