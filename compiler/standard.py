"""The standard vocabulary: one class for each kind, guard and type of `grammars/standard.newel`.

Written by `newel compile --python`; not to be edited.
"""

# pyright: reportIncompatibleVariableOverride=false
# The base has `kind: str` and each class one value of it: sound, since nothing of a frozen model can be assigned.

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from newel.compiler.program import Action, FrozenMap, Guard, JsonMap, Model


class AgentProfile(Model):
    """An agent as another workspace can find it again: by display name, model and mode."""

    name: str
    model: str | None = None
    mode: str | None = None


ApprovalStatus: TypeAlias = Literal[
    "approved",
    "rejected",
]
"""How an approval ended."""


BudgetScope: TypeAlias = Literal[
    "agent",
    "project",
    "workspace",
]
"""What a budget is kept for."""


class Child(Model):
    """One finished child."""

    task: str
    step: str | None = None
    finished: bool
    entry: int | None = None


FailurePolicy: TypeAlias = Literal[
    "block",
    "continue",
]
"""What a failing script does to the list it stands in."""


Role: TypeAlias = Literal[
    "reviewer",
    "approver",
    "watcher",
    "collaborator",
    "runner",
]
"""The part someone plays at a step."""


class Seat(Model):
    """A seat that every task finds at a step."""

    role: Role
    agent: str
    required: bool = True


class SessionRuleSet(Model):
    case: Literal["set"] = "set"
    agent: str
    model: str | None = None
    options: FrozenMap[str, str] | None = None


class SessionRuleKeep(Model):
    case: Literal["keep"] = "keep"
    agent: str


class SessionRuleRestoreOriginal(Model):
    case: Literal["restore_original"] = "restore_original"
    agent: str


SessionRule: TypeAlias = Annotated[
    SessionRuleSet | SessionRuleKeep | SessionRuleRestoreOriginal,
    Field(discriminator="case"),
]
"""What the arriving session does with its configuration, per agent family."""


Stage: TypeAlias = Literal[
    "work",
    "review",
    "approval",
    "custom",
]
"""What a step is for; shown on the board, read by nothing else."""


class TargetPrimary(Model):
    case: Literal["primary"] = "primary"


class TargetCeoAgent(Model):
    case: Literal["ceo_agent"] = "ceo_agent"


class TargetParticipant(Model):
    case: Literal["participant"] = "participant"
    role: Role


class TargetAgent(Model):
    case: Literal["agent"] = "agent"
    id: str


Target: TypeAlias = Annotated[
    TargetPrimary | TargetCeoAgent | TargetParticipant | TargetAgent,
    Field(discriminator="case"),
]
"""Who gets a queued run."""


class TaskRefThis(Model):
    case: Literal["this"] = "this"


class TaskRefTask(Model):
    case: Literal["task"] = "task"
    id: str


TaskRef: TypeAlias = Annotated[
    TaskRefThis | TaskRefTask,
    Field(discriminator="case"),
]
"""Which task an action acts on."""


class AllApprove(Guard):
    """Every seat of the role approves."""

    kind: Literal["all_approve"] = "all_approve"
    role: Role


class AllDecide(Guard):
    """Every seat of the role has decided, either way."""

    kind: Literal["all_decide"] = "all_decide"
    role: Role


class AnyReject(Guard):
    """Someone in the role, or a person, rejects."""

    kind: Literal["any_reject"] = "any_reject"
    role: Role


class MajorityApprove(Guard):
    """More than half of the role's seats approve."""

    kind: Literal["majority_approve"] = "majority_approve"
    role: Role


class NApprove(Guard):
    """At least so many seats of the role approve."""

    kind: Literal["n_approve"] = "n_approve"
    role: Role
    count: Annotated[int, Field(ge=1)]


class AutoStartAgent(Action):
    """Start the step's agent in the session of the task."""

    kind: Literal["auto_start_agent"] = "auto_start_agent"


class ClearDecisions(Action):
    """Forget the decisions recorded under earlier entries of this step."""

    kind: Literal["clear_decisions"] = "clear_decisions"


class ConfigureSession(Action):
    """Choose model and options of the arriving session."""

    kind: Literal["configure_session"] = "configure_session"
    rules: tuple[SessionRule, ...]


class DisablePlanMode(Action):
    """The session may write again."""

    kind: Literal["disable_plan_mode"] = "disable_plan_mode"


class EnablePlanMode(Action):
    """The arriving session plans and does not write."""

    kind: Literal["enable_plan_mode"] = "enable_plan_mode"


class EnsureParticipantSeat(Action):
    """Leave the task with a seat in the role, casting an agent where nobody sits."""

    kind: Literal["ensure_participant_seat"] = "ensure_participant_seat"
    role: Role


class QueueRun(Action):
    """Queue a run for one agent."""

    kind: Literal["queue_run"] = "queue_run"
    target: Target = TargetPrimary()
    task: TaskRef = TaskRefThis()
    reason: str | None = None
    payload: JsonMap | None = None


class QueueRunForEachParticipant(Action):
    """Queue a run for every seat that must decide in the role."""

    kind: Literal["queue_run_for_each_participant"] = "queue_run_for_each_participant"
    role: Role
    reason: str | None = None
    payload: JsonMap | None = None


class ResetAgentContext(Action):
    """The arriving session forgets its conversation."""

    kind: Literal["reset_agent_context"] = "reset_agent_context"


class RunCodeReview(Action):
    """Have the changes reviewed by an agent."""

    kind: Literal["run_code_review"] = "run_code_review"
    agent: AgentProfile | None = None


class RunScript(Action):
    """Run a command in the session's workspace."""

    kind: Literal["run_script"] = "run_script"
    command: str
    timeout: Annotated[int, Field(ge=1, le=86400)] = 600
    failure: FailurePolicy = "block"


class SetSessionMode(Action):
    """Give the arriving session a permission mode."""

    kind: Literal["set_session_mode"] = "set_session_mode"
    mode: str


TYPES: Mapping[str, tuple[object, str]] = {
    "agent_profile": (AgentProfile, "2d10653aa21f7987"),
    "approval_status": (ApprovalStatus, "41dd99fee12fd84f"),
    "budget_scope": (BudgetScope, "e075126a922bfdfd"),
    "child": (Child, "0767180bca129612"),
    "failure_policy": (FailurePolicy, "6aec58d63ea407f6"),
    "role": (Role, "89a36915e49db897"),
    "seat": (Seat, "19b516a9c40fcded"),
    "session_rule": (SessionRule, "29486620fbc3eca0"),
    "stage": (Stage, "63cb20ed032d534a"),
    "target": (Target, "71c5c2e1b8a5acd9"),
    "task_ref": (TaskRef, "28ca24b3e7794062"),
}

GUARDS: Mapping[str, tuple[type[Guard], str]] = {
    "all_approve": (AllApprove, "c7a4e1d422a09d74"),
    "all_decide": (AllDecide, "c7a4e1d422a09d74"),
    "any_reject": (AnyReject, "c7a4e1d422a09d74"),
    "majority_approve": (MajorityApprove, "c7a4e1d422a09d74"),
    "n_approve": (NApprove, "ea0c6bd789b02257"),
}

KINDS: Mapping[str, tuple[type[Action], str]] = {
    "auto_start_agent": (AutoStartAgent, "4f53cda18c2baa0c"),
    "clear_decisions": (ClearDecisions, "4f53cda18c2baa0c"),
    "configure_session": (ConfigureSession, "aab8ae56432f322b"),
    "disable_plan_mode": (DisablePlanMode, "4f53cda18c2baa0c"),
    "enable_plan_mode": (EnablePlanMode, "4f53cda18c2baa0c"),
    "ensure_participant_seat": (EnsureParticipantSeat, "c7a4e1d422a09d74"),
    "queue_run": (QueueRun, "1e1a463c128f7f19"),
    "queue_run_for_each_participant": (QueueRunForEachParticipant, "bfb5b80fe10a818d"),
    "reset_agent_context": (ResetAgentContext, "4f53cda18c2baa0c"),
    "run_code_review": (RunCodeReview, "72c829c1e216c10e"),
    "run_script": (RunScript, "1e13b139d5db651e"),
    "set_session_mode": (SetSessionMode, "98eb15b72e5ed1e8"),
}
