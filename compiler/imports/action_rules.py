"""What an import reports of actions, moves, guards and texts."""

from __future__ import annotations

from newel.compiler.imports.rule_examples import PORTABLE, STEP, action, move
from newel.dsl.findings import Rule

UNKNOWN_TYPE = Rule(
    code="NW930",
    name="unknown-action-type",
    severity="warning",
    message="the action `{kind}` is unknown and not carried",
    hint="say by hand in the file that is made what it should do",
    why="""\
Kandev drops an action of an unknown type in silence, so that older versions survive newer files. The board is
made without it.""",
    wrong=action("on_enter", "auto_start_agnet"),
    right=action("on_enter", "auto_start_agent"),
)

KIND_NOT_CARRIED = Rule(
    code="NW931",
    name="action-not-carried",
    severity="warning",
    message="`{kind}` under `{trigger}` is not carried: {why}",
    hint="move it to a trigger that admits it, or take it away",
    why="""\
Each trigger admits certain kinds. Kandev drops the others in silence; the board is made without this action. A
script on entry is not carried because the entry of a step, in this language, has no kind for it.""",
    wrong=action("on_turn_complete", "auto_start_agent"),
    right=action("on_enter", "auto_start_agent"),
)

BAD_GUARD = Rule(
    code="NW932",
    name="unreadable-guard",
    severity="error",
    message="the guard cannot be read: {why}",
    hint="write a `role` and a `threshold`, or take the guard away",
    why="""\
Kandev takes a guard it cannot read for no guard: the gate stands open and the move is made at once. Here it is an
error, never no guard.""",
    wrong=move("if: {wait_for_quorum: {role: reviewer}}"),
    right=move("if: {wait_for_quorum: {role: reviewer, threshold: all_approve}}"),
)

GUARD_HIDDEN = Rule(
    code="NW933",
    name="hidden-guard",
    severity="warning",
    message="the guard under `if` is not carried: `wait_for_quorum` beside it wins",
    hint="keep one of the two",
    why="""\
The guard may stand in the older place, directly in `config`, or in the newer one, under `if`. Where both are
given Kandev reads the older and hides the newer.""",
    wrong=move(
        "wait_for_quorum: {role: reviewer, threshold: all_approve}\n"
        "            if: {wait_for_quorum: {role: reviewer, threshold: any_reject}}"
    ),
    right=move("if: {wait_for_quorum: {role: reviewer, threshold: all_approve}}"),
)

GATE_NOT_READ = Rule(
    code="NW934",
    name="gate-not-read",
    severity="error",
    message="`{key}` has no effect on `{kind}` under `{trigger}`",
    hint="take it away, or move the gate to where it is read: a move under another trigger",
    why="""\
Guards and approvals are read on moves, and not under `on_turn_start`. Whoever wrote one here wanted a gate, and
there is none; the language has no way to write one that is not read.""",
    wrong=action("on_turn_start", "move_to_next", "requires_approval: true")
    + "  - id: done\n    name: Done\n    position: 1\n",
    right=action("on_turn_start", "move_to_next") + "  - id: done\n    name: Done\n    position: 1\n",
)

MOVE_NOWHERE = Rule(
    code="NW935",
    name="move-nowhere",
    severity="warning",
    message="`{kind}` is not carried: {why}",
    hint="take it away",
    why="""\
A move to the step itself does nothing, one beyond the end of the board fails. Nothing comes after it under this
trigger, so the board without it behaves the same.""",
    wrong=action("on_turn_start", "move_to_step", "step_id: todo"),
    right=action("on_turn_start", "move_to_next") + "  - id: done\n    name: Done\n    position: 1\n",
)

MOVE_BLOCKS = Rule(
    code="NW936",
    name="move-blocks",
    severity="error",
    message="`{kind}` cannot be carried: {why}, and what comes after it is not reached",
    hint="take away this move or what comes after it",
    why="""\
A move to the step itself is taken and does nothing, one beyond the end of the board fails and ends the list: in
both cases Kandev does not come to what is written after it. A board without the move would.""",
    wrong=action("on_turn_start", "move_to_previous")
    + "        - type: move_to_next\n  - id: done\n    name: Done\n    position: 1\n",
    right=action("on_turn_start", "move_to_next") + "  - id: done\n    name: Done\n    position: 1\n",
)

RUNS_NOW = Rule(
    code="NW937",
    name="runs-from-now-on",
    severity="note",
    message="{what} takes effect from now on: {why}",
    hint="",
    why="""\
Kandev reads this construct and does not act on it. Here it acts, as it is written. This is said for each one, so
that nobody is surprised by runs or moves that did not happen before.""",
    wrong=action("on_enter", "queue_run", "reason: hello"),
    right=action("on_comment", "queue_run", "reason: hello"),
)

TAKEN_LITERALLY = Rule(
    code="NW938",
    name="taken-literally",
    severity="note",
    message="`{value}` is taken as it stands: {why}",
    hint="",
    why="""\
The value looks as if something stood for it, or belongs to one installation. It is carried letter by letter.""",
    wrong=action("on_comment", "queue_run", 'task_id: "{coordination_task.id}"'),
    right=action("on_comment", "queue_run", "task_id: this"),
)

PLACEHOLDER_DECLARED = Rule(
    code="NW939",
    name="placeholder-declared",
    severity="note",
    message="`{name}` in double braces is declared as a placeholder that the host fills in",
    hint="take the declaration away if the braces are meant as text, and write them apart",
    why="""\
A prompt may hold names in double braces. Those that the standard vocabulary does not know are declared in the
file that is made, so that it can be checked; whether the host fills them in is for you to know.""",
    wrong=STEP + '    prompt: "Answer in {{language}}."\n',
    right=STEP + '    prompt: "Do this: {{task_prompt}}"\n',
)

TRIGGER_CARRIED = Rule(
    code="NW940",
    name="trigger-carried",
    severity="note",
    message="`{trigger}` is carried; Kandev's own import drops it",
    hint="",
    why="""\
The portable form of Kandev loses the triggers of the office, on export and on import alike. Here they are
carried.""",
    wrong=PORTABLE + "        events: {on_comment: [{type: auto_start_agent}]}\n",
    right=PORTABLE + "        events: {on_turn_start: []}\n",
)

BAD_SESSION_RULES = Rule(
    code="NW941",
    name="bad-session-rules",
    severity="error",
    message="`configure_session` cannot be carried: {why}",
    hint="mend the rules, or take the action away",
    why="""\
Each rule names one agent and one operation; `set` gives a model or options, the other two give neither. A step
has at most one such action, and none where the step has an agent profile of its own. Kandev checks this only when
a board is saved in its editor.""",
    wrong=action("on_enter", "configure_session", "rules: [{agent_name: Codex, operation: set}]"),
    right=action("on_enter", "configure_session", "rules: [{agent_name: Codex, operation: set, model: small}]"),
)
