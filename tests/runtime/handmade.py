"""Programs made by hand, for tests of the runtime that need no file and no compiler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from newel.compiler.program import (
    Action,
    Case,
    Guard,
    GuardDef,
    KindDef,
    Mark,
    Move,
    OperationShape,
    Parameter,
    Program,
    SettingDef,
    Statement,
    Step,
    TriggerDef,
    TypeDef,
    TypeRef,
    Vocabulary,
    Workflow,
)

ROLE = TypeRef(name="role")
TEXT = TypeRef(name="text")


class RoleGuard(Guard):
    role: str
    count: int = 0


class Named(Action):
    """Any action without parameters of its own, or with the one called `text`."""

    text: str = ""


def all_approve(role: str = "reviewer") -> RoleGuard:
    return RoleGuard(kind="all_approve", role=role)


def guard(kind: str, role: str = "reviewer", count: int = 0) -> RoleGuard:
    return RoleGuard(kind=kind, role=role, count=count)


def own(kind: str) -> Guard:
    """A guard of the host's own."""
    return Guard(kind=kind)


def act(kind: str, text: str = "") -> Named:
    return Named(kind=kind, text=text)


def move(to: str, guard: Guard | None = None, approval: bool = False) -> Move:
    return Move(to=to, guard=guard, approval=approval)


def step(
    name: str, settings: Mapping[str, Any] | None = None, *, end: bool = False, **lists: Sequence[Statement]
) -> Step:
    return Step(
        name=name,
        title=name.title(),
        end=end,
        settings={s.name: s.default for s in SETTINGS if s.default is not None} | dict(settings or {}),
        on={trigger: tuple(items) for trigger, items in lists.items()},
    )


def _guard(name: str, mark: str, *more: str) -> GuardDef:
    parameters = [Parameter(name="role", type=ROLE, required=True)]
    parameters += [Parameter(name=extra, type=TypeRef(name="int"), required=True) for extra in more]
    return GuardDef(name=name, parameters=tuple(parameters), marks=(Mark(name=mark, parameters=("role", *more)),))


GUARDS = {
    g.name: g
    for g in (
        _guard("all_approve", "approval"),
        _guard("all_decide", "decision"),
        _guard("any_reject", "rejection"),
        _guard("majority_approve", "approval"),
        _guard("n_approve", "approval", "count"),
        GuardDef(name="paid"),
        GuardDef(name="stocked"),
    )
}
TRIGGERS = {
    t.name: t
    for t in (
        TriggerDef(name="enter"),
        TriggerDef(name="exit"),
        TriggerDef(name="turn_start", moves=True, in_turn=True, marks=(Mark(name="person"),)),
        TriggerDef(name="turn_complete", moves=True, guarded=True, marks=(Mark(name="work_done"),)),
        TriggerDef(
            name="comment",
            payload=(Parameter(name="comment_id", type=TEXT, required=True),),
            operations=(OperationShape(shape="task_comment:{comment_id}"),),
            moves=True,
            guarded=True,
        ),
        TriggerDef(
            name="agent_error",
            payload=tuple(
                Parameter(name=n, type=TypeRef(name="text", optional=True), required=False)
                for n in ("run_id", "session_id", "execution_id")
            ),
            operations=(
                OperationShape(shape="agent_error:{run_id}"),
                OperationShape(shape="agent_error:session:{session_id}[:{execution_id}]"),
            ),
            moves=True,
            guarded=True,
        ),
    )
}
EVENTS = tuple(TRIGGERS)
KINDS = {
    k.name: k
    for k in (
        KindDef(name="note_it", triggers=EVENTS, owner="dispatch"),
        KindDef(name="mail", triggers=EVENTS, owner="dispatch"),
        KindDef(name="unheard", triggers=EVENTS, owner="dispatch"),
        KindDef(name="boom", triggers=EVENTS, owner="dispatch"),
        KindDef(name="clear_decisions", triggers=EVENTS, owner="dispatch", marks=(Mark(name="clears"),)),
        KindDef(name="auto_start_agent", triggers=EVENTS, owner="exclude", marks=(Mark(name="starts"),)),
        KindDef(name="run_script", triggers=EVENTS, marks=(Mark(name="session"),)),
    )
}
FLAG = TypeRef(name="flag")
SETTINGS = (
    SettingDef(name="manual_move", owner="step", type=FLAG, default=True, marks=(Mark(name="manual_entry"),)),
    SettingDef(name="requires_signal", owner="step", type=FLAG, marks=(Mark(name="signal"),)),
    SettingDef(name="cancel_completes_turn", owner="step", type=FLAG, marks=(Mark(name="cancel"),)),
    SettingDef(
        name="seats",
        owner="step",
        type=TypeRef(name="list", of=TypeRef(name="seat"), optional=True),
        marks=(Mark(name="seats"),),
    ),
)
TYPES = {
    "role": TypeDef(name="role", cases=(Case(name="reviewer"), Case(name="approver"), Case(name="runner"))),
    "target": TypeDef(
        name="target",
        cases=(Case(name="primary"), Case(name="agent", fields=(Parameter(name="id", type=TEXT, required=True),))),
    ),
    "seat": TypeDef(
        name="seat",
        fields=(
            Parameter(name="role", type=ROLE, required=True),
            Parameter(name="agent", type=TEXT, required=True),
            Parameter(name="required", type=FLAG, required=False, default=True),
        ),
    ),
}


def vocabulary(
    *,
    triggers: Mapping[str, TriggerDef] | None = None,
    guards: Mapping[str, GuardDef] | None = None,
    types: Mapping[str, TypeDef] | None = None,
) -> Vocabulary:
    return Vocabulary(
        types={**TYPES, **(types or {})},
        settings=SETTINGS,
        triggers={**TRIGGERS, **(triggers or {})},
        keys={},
        guards={**GUARDS, **(guards or {})},
        kinds=KINDS,
    )


class Handmade(Program):
    """A program whose classes of kinds are no vocabulary's: it is written, and never read back."""

    def to_json(self) -> str:
        return self.model_dump_json()


def program(*steps: Step, words: Vocabulary | None = None, revision: str = "r1") -> Program:
    workflow = Workflow(name="w", title="W", start=steps[0].name, settings={}, steps={s.name: s for s in steps})
    return Handmade(revision=revision, vocabulary=words or vocabulary(), workflows={"w": workflow})
