"""The standard vocabulary: one class for each kind, guard and type of `grammars/standard.newel`.

Written by `newel compile --python`; not to be edited.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue

from newel.compiler.program import Action, FrozenMap, Guard, Model


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
    """Start the step's agent in the arriving session."""

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
    payload: FrozenMap[str, JsonValue] | None = None


class QueueRunForEachParticipant(Action):
    """Queue a run for every seat that must decide in the role."""

    kind: Literal["queue_run_for_each_participant"] = "queue_run_for_each_participant"
    role: Role
    reason: str | None = None
    payload: FrozenMap[str, JsonValue] | None = None


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
    "agent_profile": (AgentProfile, "a6352aa8ab3eadc7"),
    "approval_status": (ApprovalStatus, "78dbdfb1935190c2"),
    "budget_scope": (BudgetScope, "cff3e3353fe11f90"),
    "child": (Child, "900c15a7fd895cba"),
    "failure_policy": (FailurePolicy, "92c80d0dc94f5747"),
    "role": (Role, "0101a51d24a472a3"),
    "seat": (Seat, "5ef569d4eea1a60b"),
    "session_rule": (SessionRule, "a46df3f332167e3b"),
    "stage": (Stage, "0e25c1dccc97cb79"),
    "target": (Target, "702a3d589b5713ff"),
    "task_ref": (TaskRef, "399d4a14102aa221"),
}

GUARDS: Mapping[str, tuple[type[Guard], str]] = {
    "all_approve": (AllApprove, "d1152513cd466ca5"),
    "all_decide": (AllDecide, "d1152513cd466ca5"),
    "any_reject": (AnyReject, "d1152513cd466ca5"),
    "majority_approve": (MajorityApprove, "d1152513cd466ca5"),
    "n_approve": (NApprove, "ac1cfdbfaff4695d"),
}

KINDS: Mapping[str, tuple[type[Action], str]] = {
    "auto_start_agent": (AutoStartAgent, "4f53cda18c2baa0c"),
    "clear_decisions": (ClearDecisions, "4f53cda18c2baa0c"),
    "configure_session": (ConfigureSession, "4fa7880bc47ade40"),
    "disable_plan_mode": (DisablePlanMode, "4f53cda18c2baa0c"),
    "enable_plan_mode": (EnablePlanMode, "4f53cda18c2baa0c"),
    "ensure_participant_seat": (EnsureParticipantSeat, "d1152513cd466ca5"),
    "queue_run": (QueueRun, "847eda39aa8cd31f"),
    "queue_run_for_each_participant": (QueueRunForEachParticipant, "583158d58fd3b48a"),
    "reset_agent_context": (ResetAgentContext, "4f53cda18c2baa0c"),
    "run_code_review": (RunCodeReview, "c4bb2c002e3f00d7"),
    "run_script": (RunScript, "8907f77f404581fb"),
    "set_session_mode": (SetSessionMode, "780ab596e7043ba6"),
}
