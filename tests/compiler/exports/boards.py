"""Programs made by hand, as the compiler makes them: an office, and a board of any size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ConfigDict

from newel.compiler.program import (
    Action,
    Case,
    Guard,
    GuardDef,
    Joined,
    KeyDef,
    KindDef,
    Mark,
    Move,
    Negated,
    OperationShape,
    Parameter,
    Program,
    SettingDef,
    Step,
    TriggerDef,
    TypeDef,
    TypeRef,
    Vocabulary,
    Workflow,
)

REVISION = "0" * 64


class Said(Action):
    """An action of any kind, with whatever arguments."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Asked(Guard):
    """A guard of any kind, with whatever arguments."""

    model_config = ConfigDict(frozen=True, extra="allow")


def said(kind: str, **arguments: Any) -> Said:
    """An action."""
    return Said(kind=kind, **arguments)


def asked(kind: str, **arguments: Any) -> Asked:
    """A guard."""
    return Asked(kind=kind, **arguments)


def both(*parts: Guard) -> Joined:
    """All of them hold."""
    return Joined(kind="&", parts=parts)


def either(*parts: Guard) -> Joined:
    """One of them holds."""
    return Joined(kind="|", parts=parts)


def no(part: Guard) -> Negated:
    """It does not hold."""
    return Negated(part=part)


def parameter(
    name: str, type_: str, *, default: Any = None, optional: bool = False, of: str | None = None
) -> Parameter:
    """A parameter, required unless it has a default or is optional."""
    reference = TypeRef(name=type_, optional=optional, of=TypeRef(name=of) if of else None)
    return Parameter(name=name, type=reference, required=default is None and not optional, default=default)


ROLE = TypeDef(name="role", doc="The part someone plays.", cases=(Case(name="reviewer"), Case(name="approver")))
TARGET = TypeDef(
    name="target",
    cases=(Case(name="primary"), Case(name="ceo_agent"), Case(name="participant", fields=(parameter("role", "role"),))),
)
AGENT = TypeDef(name="agent", fields=(parameter("name", "text"), parameter("model", "text", optional=True)))

EVENTS = ("comment", "agent_error")
VOCABULARY = Vocabulary(
    types={"agent": AGENT, "role": ROLE, "target": TARGET},
    settings=(
        SettingDef(name="about", owner="workflow", type=TypeRef(name="text", optional=True)),
        SettingDef(name="about", owner="step", type=TypeRef(name="text", optional=True)),
        SettingDef(name="prompt", owner="step", type=TypeRef(name="text", optional=True), marks=(Mark(name="prompt"),)),
        SettingDef(
            name="manual_move",
            owner="step",
            type=TypeRef(name="flag"),
            default=True,
            doc="A person may move a task here.",
            marks=(Mark(name="manual_entry"),),
        ),
        SettingDef(
            name="wip_limit", owner="step", type=TypeRef(name="int", minimum=0), default=0, marks=(Mark(name="limit"),)
        ),
        SettingDef(
            name="pull_from", owner="step", type=TypeRef(name="step", optional=True), marks=(Mark(name="pull"),)
        ),
        SettingDef(name="every", owner="step", type=TypeRef(name="duration", minimum=1), default=900),
    ),
    triggers={
        "agent_error": TriggerDef(
            name="agent_error",
            doc="An agent has failed.",
            moves=True,
            guarded=True,
            payload=(parameter("run", "text"),),
            operations=(OperationShape(shape="agent_error:{run}"),),
        ),
        "comment": TriggerDef(name="comment", doc="Someone has commented.", moves=True, guarded=True),
        "enter": TriggerDef(name="enter"),
        "exit": TriggerDef(name="exit"),
        "turn_complete": TriggerDef(
            name="turn_complete", doc="The agent has finished a turn.", moves=True, guarded=True
        ),
        "turn_start": TriggerDef(name="turn_start", moves=True, in_turn=True),
    },
    keys={
        "decision": KeyDef(
            name="decision", parameters=(parameter("task", "text"),), operation=OperationShape(shape="decision:{task}")
        )
    },
    guards={
        "all_approve": GuardDef(
            name="all_approve", doc="Every seat approves.", parameters=(parameter("role", "role"),)
        ),
        "any_reject": GuardDef(name="any_reject", parameters=(parameter("role", "role"),), triggers=("turn_complete",)),
        "n_approve": GuardDef(name="n_approve", parameters=(parameter("role", "role"), parameter("count", "int"))),
    },
    kinds={
        "auto_start_agent": KindDef(
            name="auto_start_agent", doc="Start the step's agent.", triggers=("enter", *EVENTS), owner="exclude"
        ),
        "clear_decisions": KindDef(
            name="clear_decisions", doc="Forget earlier decisions.", triggers=("enter",), owner="dispatch"
        ),
        "ensure_participant_seat": KindDef(
            name="ensure_participant_seat",
            doc="Leave a seat in the role.",
            parameters=(parameter("role", "role"),),
            triggers=("enter",),
            owner="dispatch",
        ),
        "queue_run": KindDef(
            name="queue_run",
            doc="Queue a run for one agent.",
            parameters=(
                parameter("target", "target", default="primary"),
                parameter("reason", "text", optional=True),
                parameter("payload", "map", optional=True),
            ),
            triggers=("enter", *EVENTS),
            owner="dispatch",
        ),
        "run_script": KindDef(
            name="run_script",
            parameters=(parameter("command", "text"), parameter("timeout", "duration", default=600)),
            triggers=("turn_complete", "exit"),
        ),
    },
    placeholders=("task_prompt",),
)

DEFAULTS: dict[str, Any] = {"manual_move": True, "wip_limit": 0, "every": 900}


def step(name: str, title: str, *, settings: dict[str, Any] | None = None, **rest: Any) -> Step:
    """A step with the defaults of its settings."""
    return Step(name=name, title=title, settings=DEFAULTS | (settings or {}), on=rest.pop("on", {}), **rest)


def workflow(name: str, title: str, steps: Sequence[Step], **rest: Any) -> Workflow:
    """A workflow that starts at the step that says so, or at its first."""
    start = next((each.name for each in steps if each.start), steps[0].name)
    return Workflow(
        name=name, title=title, start=start, settings=rest.pop("settings", {}), steps={s.name: s for s in steps}, **rest
    )


def program(*workflows: Workflow, vocabulary: Vocabulary = VOCABULARY) -> Program:
    """A program of some workflows, in the order of their names."""
    return Program(
        revision=REVISION, vocabulary=vocabulary, workflows={each.name: each for each in sorted(workflows, key=_name)}
    )


def _name(each: Workflow) -> str:
    return each.name


def gate(role: str, onward: str, back: str) -> dict[str, Any]:
    """The lists of a step where one role decides."""
    return {
        "enter": (
            said("clear_decisions"),
            said("auto_start_agent"),
            said("ensure_participant_seat", role=role),
            said("queue_run", target={"case": "participant", "role": role}, reason="please_judge"),
        ),
        "turn_complete": (
            Move(to=onward, guard=asked("all_approve", role=role)),
            Move(to=back, guard=asked("any_reject", role=role)),
        ),
    }


def office() -> Workflow:
    """Backlog, Work, Review, Approval, Done, with every look of an arrow."""
    return workflow(
        "office",
        "Office",
        [
            step("backlog", "Backlog", doc="Where ideas wait.", on={"turn_start": (Move(to="work"),)}),
            step(
                "work",
                "Work",
                start=True,
                settings={"prompt": "Do it.\n\n{{task_prompt}}", "wip_limit": 3, "pull_from": "backlog"},
                on={
                    "enter": (said("auto_start_agent"),),
                    "comment": (said("queue_run", target="primary", reason="task_comment"),),
                    "turn_complete": (said("run_script", command="make", timeout=5400), Move(to="review")),
                },
            ),
            step("review", "Review", on=gate("reviewer", "approval", "work")),
            step(
                "approval",
                "Approval",
                settings={"manual_move": False},
                on={
                    **gate("approver", "done", "work"),
                    "comment": (Move(to="done", approval=True, guard=asked("n_approve", role="approver", count=2)),),
                },
            ),
            step("done", "Done", end=True),
        ],
        settings={"about": "A primary agent does the work, others judge it."},
    )


def chain(count: int, name: str = "chain") -> Workflow:
    """A workflow of many steps: onward when all approve, now and then back."""
    steps = []
    for index in range(count):
        moves: list[Move] = []
        if index + 1 < count:
            moves.append(Move(to=f"step-{index + 1}", guard=asked("all_approve", role="reviewer")))
        if index % 4 == 3:
            moves.append(Move(to=f"step-{index - 2}", guard=asked("any_reject", role="reviewer")))
        on = {"enter": (said("clear_decisions"),), "turn_complete": tuple(moves)}
        steps.append(step(f"step-{index}", f"Step {index}", start=index == 0, end=index == count - 1, on=on))
    return workflow(name, f"{count} steps in a row", steps)
