"""How Kandev's words become ours: one row for each key, trigger and kind, in both of its forms.

The rows are about the client: where it reads a kind, what it takes for absent. A test holds them against the standard
vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass

from newel.compiler.imports.arguments import Json, ProfileId, Role, Seconds, SessionRules, Target, TaskRef, Text
from newel.compiler.imports.draft import Time, Value, Word
from newel.compiler.imports.fields import Choice, Codec, Flag, Hours, Line, Profile, Prose, Whole
from newel.compiler.model import Json as Bound
from newel.dsl.limits import DIGITS


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a workflow or step and the setting it becomes. `absent` is what the client takes where the key is
    missing, `default` what the setting is here where nothing is said."""

    key: str
    setting: str
    codec: Codec
    absent: Value | None = None
    default: Value | None = None


@dataclass(frozen=True, slots=True)
class Param:
    """A key of an action's configuration and the argument it becomes, "" for one that goes by position."""

    key: str
    argument: str
    codec: Codec
    required: bool = False
    default: Value | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of action and the triggers under which the client reads it. `disclosed`: on entry it does nothing."""

    name: str
    triggers: frozenset[str]
    params: tuple[Param, ...] = ()
    disclosed: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """One of the two forms a board comes in. `reference` is the key of a step in a move; triggers in `lost` are carried
    here but not by the client's own import; a `strict` form is refused by the client for a key it does not know."""

    name: str
    title: str
    strict: bool
    reference: str
    workflow_keys: tuple[str, ...]
    workflow: tuple[Field, ...]
    step_keys: tuple[str, ...]
    step: tuple[Field, ...]
    kinds: dict[str, Kind]
    lost: frozenset[str] = frozenset()


def plain(value: Value | None) -> Bound:
    """A value of a row as a bound program has it."""
    match value:
        case Word(text=text):
            return text
        case Time(seconds=seconds):
            return seconds
        case None | bool() | int() | str():
            return value
        case _:
            raise TypeError("the rows hold words, times, numbers and flags")


TRIGGERS = {
    "on_enter": "enter",
    "on_turn_start": "turn_start",
    "on_turn_complete": "turn_complete",
    "on_exit": "exit",
    "on_comment": "comment",
    "on_blocker_resolved": "blocker_resolved",
    "on_children_completed": "children_completed",
    "on_approval_resolved": "approval_resolved",
    "on_heartbeat": "heartbeat",
    "on_budget_alert": "budget_alert",
    "on_agent_error": "agent_error",
}
_ENTER = frozenset({"on_enter"})
_OFFICE = frozenset(list(TRIGGERS)[4:])
_TURN_END = frozenset({"on_turn_complete", "on_exit"})

MOVES = {"move_to_next": "next", "move_to_previous": "previous", "move_to_step": "step"}
MOVES_UNDER = _OFFICE | {"on_turn_start", "on_turn_complete"}
GATES_UNDER = MOVES_UNDER - {"on_turn_start"}
UNDECLARABLE = frozenset({"set_workflow_data", "create_child_task", "switch_workflow"})
CADENCE = "cadence_seconds"

_ROLE = Param("role", "", Role(), required=True)
_RUN = (Param("reason", "reason", Text()), Param("payload", "payload", Json()))
_RULES = Param("rules", "", SessionRules(), required=True)


def _kinds(reviewer: Param) -> dict[str, Kind]:
    target = Param("target", "target", Target(), default=Word("primary"))
    task = Param("task_id", "task", TaskRef(), default=Word("this"))
    script = (
        Param("command", "", Text(blank=False), required=True),
        Param("timeout_seconds", "timeout", Seconds(86400), default=Time(600)),
        Param("failure_policy", "failure", Choice(("block", "continue")), default=Word("block")),
    )
    kinds = (
        Kind("enable_plan_mode", _ENTER),
        Kind("disable_plan_mode", _TURN_END),
        Kind("auto_start_agent", _ENTER | _OFFICE),
        Kind("reset_agent_context", _ENTER),
        Kind("set_session_mode", _ENTER, (Param("mode", "", Text(blank=False), required=True),)),
        Kind("configure_session", _ENTER, (_RULES,)),
        Kind("run_code_review", _ENTER, (reviewer,), disclosed=True),
        Kind("clear_decisions", _ENTER | _OFFICE, disclosed=True),
        Kind("queue_run", _ENTER | _OFFICE, (target, task, *_RUN), disclosed=True),
        Kind("queue_run_for_each_participant", _ENTER | _OFFICE, (_ROLE, *_RUN), disclosed=True),
        Kind("ensure_participant_seat", _ENTER, (_ROLE,)),
        Kind("run_script", _TURN_END, script),
    )
    return {kind.name: kind for kind in kinds}


_BEHAVIOUR = (
    Field("color", "color", Line()),
    Field("show_in_command_panel", "command_panel", Flag(), absent=False, default=True),
    Field("allow_manual_move", "manual_move", Flag(), absent=False, default=True),
    Field("auto_archive_after_hours", "auto_archive", Hours()),
    Field("auto_advance_requires_signal", "requires_signal", Flag(), absent=False, default=False),
    Field("cancel_triggers_turn_complete", "cancel_completes_turn", Flag(), absent=False, default=False),
)
_PROMPT = Field("prompt", "prompt", Prose())
_AGENT = Field("agent_profile", "agent", Profile())
_ABOUT = Field("description", "about", Prose())
_STAGE = Field("stage_type", "stage", Choice(("work", "review", "approval", "custom")), default=Word("custom"))

TEMPLATE = Form(
    name="template",
    title="template",
    strict=True,
    reference="step_id",
    workflow_keys=("id", "name", "steps"),
    workflow=(Field("hidden", "hidden", Flag(), absent=False, default=False), _ABOUT),
    step_keys=("id", "name", "position", "is_start_step", "events"),
    step=(_STAGE, *_BEHAVIOUR, _PROMPT),
    kinds=_kinds(Param("agent_profile_id", "agent", ProfileId())),
)

PORTABLE = Form(
    name="export",
    title="export",
    strict=False,
    reference="step_position",
    workflow_keys=("name", "steps"),
    workflow=(_AGENT, _ABOUT, _PROMPT),
    step_keys=("name", "position", "is_start_step", "events", "pull_from_step_position"),
    step=(_AGENT, *_BEHAVIOUR, Field("wip_limit", "wip_limit", Whole(0, 10**DIGITS - 1), default=0), _PROMPT),
    kinds=_kinds(Param("agent_profile", "agent", Profile("agent_profile"))),
    lost=_OFFICE,
)
