"""What the client drops in silence: each case that a file can hold, and what the import says of it.

The numbers are those of the list of its silent discards that this project was designed against; those left out happen
only while a board runs, or in parts of the client that read no file.
"""

from __future__ import annotations

import pytest

from newel.compiler.imports import import_text
from tests.compiler.imports.boards import action, codes, compiled, portable, said, template

GUARD = "{role: reviewer, threshold: all_approve}"


def moved(**config: str) -> str:
    return action("on_turn_complete", "move_to_step", step_id="doing", **config)


DROPPED: list[tuple[str, str, str]] = [
    ("1 unknown type on entry", action("on_enter", "dance"), "warning NW930 the action `dance` is unknown"),
    ("2 unknown type at turn start", action("on_turn_start", "dance"), "warning NW930 the action `dance`"),
    ("3 unknown type at turn complete", action("on_turn_complete", "dance"), "warning NW930 the action `dance`"),
    (
        "4 anything else on exit",
        action("on_exit", "clear_decisions"),
        "warning NW931 `clear_decisions` under `on_exit`",
    ),
    ("5 unknown type in a generic trigger", action("on_comment", "dance"), "warning NW930 the action `dance`"),
    ("5 a kind the client cannot declare", action("on_comment", "switch_workflow"), "Kandev reads it under no trigger"),
    ("6 a move without a step", action("on_turn_complete", "move_to_step"), "error NW914 `move_to_step` under"),
    ("6 a move with an empty step", action("on_comment", "move_to_step", step_id='""'), "error NW913 `step_id` must"),
    ("6 a move to a number", action("on_turn_start", "move_to_step", step_id="7"), "error NW913 `step_id` must"),
    ("7 a session without a mode", action("on_enter", "set_session_mode"), "error NW914 `set_session_mode` under"),
    (
        "7 a mode that is no text",
        action("on_enter", "set_session_mode", mode="[x]"),
        "error NW913 `mode` must be a text",
    ),
    (
        "8 an approval asked by a text",
        moved(requires_approval='"true"'),
        "error NW913 `requires_approval` must be a lit",
    ),
    ("8 an approval asked by a number", moved(requires_approval="1"), "error NW913 `requires_approval` must be a lit"),
    ("8 an approval asked by yes", moved(requires_approval="yes"), "error NW913 `requires_approval` must be a literal"),
    (
        "9 a guard that is no map",
        moved(wait_for_quorum="all"),
        "error NW932 the guard cannot be read: `wait_for_quorum`",
    ),
    ("9 a condition that is no map", moved(**{"if": "always"}), "error NW932 the guard cannot be read: `if` is"),
    ("9 an empty condition", moved(**{"if": "{}"}), "error NW932 the guard cannot be read: `if` is empty"),
    ("9 a condition that is nothing", moved(**{"if": ""}), "error NW932 the guard cannot be read: `if` is nothing"),
    ("9 another condition", moved(**{"if": "{ci_green: true}"}), "error NW932 the guard cannot be read: `ci_green`"),
    ("9 a guard without a role", moved(wait_for_quorum="{threshold: all_approve}"), "error NW932 the guard cannot be"),
    ("9 a blank threshold", moved(wait_for_quorum='{role: reviewer, threshold: " "}'), "error NW932 the guard cannot"),
    ("9 a threshold that is no text", moved(wait_for_quorum="{role: reviewer, threshold: 1}"), "error NW932 the guard"),
    ("9 an unknown threshold", moved(wait_for_quorum="{role: reviewer, threshold: all}"), "error NW932 the guard"),
    (
        "9 an unknown role",
        moved(wait_for_quorum="{role: boss, threshold: all_approve}"),
        "error NW932 the guard cannot",
    ),
    (
        "10 a guard at turn start",
        action("on_turn_start", "move_to_next", wait_for_quorum=GUARD),
        "error NW934 `wait_for_quorum` has no effect",
    ),
    (
        "10 an approval at turn start",
        action("on_turn_start", "move_to_step", step_id="doing", requires_approval="true"),
        "error NW934 `requires_approval` has no effect",
    ),
    (
        "11 a guard on another action",
        action("on_comment", "queue_run", **{"if": f"{{wait_for_quorum: {GUARD}}}"}),
        "error NW934 `if` has no effect on `queue_run`",
    ),
    (
        "12 a guard that hides another",
        moved(wait_for_quorum=GUARD, **{"if": f"{{wait_for_quorum: {GUARD}}}"}),
        "warning NW933 the guard under `if` is not carried",
    ),
    (
        "12 an incomplete guard that hides a good one",
        moved(wait_for_quorum="{}", **{"if": f"{{wait_for_quorum: {GUARD}}}"}),
        "error NW932 the guard cannot be read",
    ),
    (
        "13 a target of a wrong type",
        action("on_comment", "queue_run", target="1"),
        "error NW913 `target` must be a text",
    ),
    (
        "13 an unknown target",
        action("on_comment", "queue_run", target="boss"),
        "error NW913 `target` must be `primary`",
    ),
    ("13 a task of a wrong type", action("on_comment", "queue_run", task_id="[a]"), "error NW913 `task_id` must be a"),
    (
        "13 a reason that is true",
        action("on_comment", "queue_run", reason="true"),
        "error NW913 `reason` must be a text",
    ),
    ("13 a payload of a wrong type", action("on_comment", "queue_run", payload="x"), "error NW913 `payload` must be a"),
    (
        "14 a fan-out to a number",
        action("on_comment", "queue_run_for_each_participant", role="1"),
        "error NW913 `role` must be a text",
    ),
    (
        "14 a fan-out to nobody",
        action("on_comment", "queue_run_for_each_participant"),
        "error NW914 `queue_run_for_each_participant` under `on_comment` has no `role`",
    ),
    (
        "15 a review by a number",
        action("on_enter", "run_code_review", agent_profile_id="1"),
        "error NW913 `agent_profile_id` must be a text",
    ),
    (
        "18 a move that asks for approval",
        moved(requires_approval="true"),
        "note NW937 `move_to_step` under `on_turn_complete` takes effect from now on",
    ),
    ("20 a move to the step itself", action("on_comment", "move_to_step", step_id="todo"), "warning NW935"),
    ("21 a run on entry", action("on_enter", "queue_run"), "note NW937 `queue_run` under `on_enter` takes effect"),
    ("21 a review on entry", action("on_enter", "run_code_review"), "note NW937 `run_code_review` under `on_enter`"),
    ("21 clearing on entry", action("on_enter", "clear_decisions"), "note NW937 `clear_decisions` under `on_enter`"),
    (
        "21 a fan-out on entry",
        action("on_enter", "queue_run_for_each_participant", role="reviewer"),
        "note NW937 `queue_run_for_each_participant` under `on_enter`",
    ),
    ("24 a move before the first step", action("on_turn_start", "move_to_previous"), "warning NW935"),
    ("26 a move to no step", action("on_comment", "move_to_step", step_id="gone"), "error NW921 no step has the id"),
    ("37 a blank mode", action("on_enter", "set_session_mode", mode='"  "'), "error NW914 the action has no `mode`"),
    ("38 a limit in a template", "wip_limit: 3", "error NW915 a step of a template has no key `wip_limit`"),
    ("38 a feeder in a template", "pull_from: doing", "error NW915 a step of a template has no key `pull_from`"),
    ("38 an agent in a template", "agent_profile: {}", "error NW915 a step of a template has no key `agent_profile`"),
    ("a script on entry", action("on_enter", "run_script", command="make"), "runs no scripts here"),
    ("a move on entry", action("on_enter", "move_to_next"), "warning NW931 `move_to_next` under `on_enter`"),
    ("an unknown key of a configuration", action("on_comment", "queue_run", rol="x"), "warning NW916 `rol` of"),
    ("a gate misspelt", moved(require_approval="true"), "error NW932 the guard cannot be read: `require_approval`"),
    ("an unknown trigger in a template", "events: {on_leave: []}", "error NW915 the events of a step of a template"),
    ("a number below none of hours", "auto_archive_after_hours: -1", "warning NW916 `auto_archive_after_hours`"),
    ("a stage nobody knows", "stage_type: qa", "error NW913 `stage_type` must be one of"),
]

LOST: list[tuple[str, str, str]] = [
    ("27 a generic trigger", action("on_comment", "auto_start_agent"), "note NW940 `on_comment` is carried"),
    ("28 a reference in any trigger", action("on_comment", "move_to_step", step_position="9"), "error NW921 no step"),
    ("29 an id in an export", action("on_turn_complete", "move_to_step", step_id="doing"), "error NW914"),
    ("30 an unknown key", "colour: red", "warning NW916 `colour` of a step is not carried"),
    ("30 an unknown trigger", "events: {on_leave: []}", "warning NW916 `on_leave` of the events of a step"),
    (
        "32 an agent without a name",
        "agent_profile: {model: small}",
        "error NW914 the agent profile has no `agent_name`",
    ),
    ("32 an agent that is no map", "agent_profile: Helper", "error NW913 `agent_profile` must be a map"),
    (
        "32 an agent with an effort",
        "agent_profile: {agent_name: A, effort: low}",
        "warning NW916 `effort` of the",
    ),
    ("33 a stage", "stage_type: review", "warning NW916 `stage_type` of a step is not carried"),
    (
        "35 half a position",
        action("on_comment", "move_to_step", step_position="2.7"),
        "error NW913 `step_position` must",
    ),
    ("35 a position in a text", action("on_comment", "move_to_step", step_position='"1"'), "error NW913"),
    ("a later key", "complete_task_on_enter: true", "warning NW916 `complete_task_on_enter` of a step"),
    ("a limit below none", "wip_limit: -1", "error NW913 `wip_limit` must be a whole number from 0"),
    ("a feeder that is not there", "pull_from_step_position: 7", "error NW921 no step has the position `7`"),
]


@pytest.mark.parametrize(("step", "message"), [row[1:] for row in DROPPED], ids=[row[0] for row in DROPPED])
def test_a_template_loses_nothing_in_silence(step: str, message: str) -> None:
    assert any(message in line for line in said(template(step)))


@pytest.mark.parametrize(("step", "message"), [row[1:] for row in LOST], ids=[row[0] for row in LOST])
def test_an_export_loses_nothing_in_silence(step: str, message: str) -> None:
    assert any(message in line for line in said(portable(step)))


def test_16_the_configuration_of_a_session_is_carried() -> None:
    step = action("on_enter", "configure_session", rules="[{agent_name: Codex, operation: keep}]")
    imported = import_text(template(step))
    assert imported.findings == ()
    assert 'configure_session([keep("Codex")])' in (imported.text or "")


def test_19_a_second_move_is_carried_and_the_language_reports_that_it_is_never_taken() -> None:
    actions = "[{type: move_to_next}, {type: move_to_step, config: {step_id: shipped}}]"
    imported = import_text(template(f"events: {{on_turn_complete: {actions}}}"))
    assert imported.text is not None
    assert imported.findings == ()
    assert "NW507" in [finding.rule.code for finding in compiled(imported.text)[1]]


@pytest.mark.parametrize(
    ("later", "code"),
    [
        ("{type: move_to_step, config: {step_id: shipped}}", "NW936"),
        ("{type: queue_run}", "NW935"),
    ],
)
def test_20_a_move_to_the_step_itself_is_an_error_where_it_hides_another_move(later: str, code: str) -> None:
    actions = f"[{{type: move_to_step, config: {{step_id: todo}}}}, {later}]"
    assert codes(import_text(template(f"events: {{on_comment: {actions}}}"))) == [code]


@pytest.mark.parametrize(("later", "code"), [("", "NW935"), (", {type: queue_run}", "NW936")])
def test_24_a_move_beyond_the_board_is_an_error_where_it_would_end_the_list(later: str, code: str) -> None:
    actions = f"[{{type: move_to_previous}}{later}]"
    assert codes(import_text(template(f"events: {{on_comment: {actions}}}"))) == [code]


def test_31_what_the_client_cuts_off_is_read_and_reported() -> None:
    imported = import_text(template() + "\n" * 1024 * 1024)
    assert codes(imported) == ["NW904"]
    assert imported.text == import_text(template()).text


def test_34_two_workflows_of_one_name_are_both_carried_and_reported() -> None:
    text = portable()
    imported = import_text(text + text.split("workflows:\n")[1])
    assert codes(imported) == ["NW928"]
    assert "workflow board_2 " in (imported.text or "")


def test_34_two_steps_of_one_name_are_both_carried_and_reported() -> None:
    imported = import_text(portable().replace("name: Shipped", "name: To do"))
    assert codes(imported) == ["NW928"]
    assert 'step to_do_2 "To do"' in (imported.text or "")


def test_34_a_later_start_takes_it_from_an_earlier_one() -> None:
    imported = import_text(template().replace("name: Shipped", "name: Shipped\n    is_start_step: true"))
    assert codes(imported) == ["NW925"]
    assert "step shipped" in (imported.text or "").split("    start\n")[0]


def test_34_gaps_and_negative_positions_are_renumbered() -> None:
    imported = import_text(template().replace("position: 0", "position: -5").replace("position: 2", "position: 40"))
    assert codes(imported) == ["NW924"]
    assert "the positions -5, 1, 40 become 0 to 2" in imported.findings[0].message


def test_34_a_workflow_without_steps_is_an_error() -> None:
    imported = import_text("version: 1\ntype: kandev_workflow\nworkflows: [{name: Empty, steps: []}]\n")
    assert codes(imported) == ["NW927"]
    assert imported.text is None


def test_two_steps_at_one_position_are_an_error_since_next_would_pass_one_over() -> None:
    assert codes(import_text(template().replace("position: 2", "position: 1"))) == ["NW920"]
    assert codes(import_text(portable().replace("position: 1", "position: 0"))) == ["NW920"]


def test_a_step_that_feeds_itself_through_others_is_an_error() -> None:
    text = portable("pull_from_step_position: 1").replace("position: 1\n        allow", "position: 1\n        @allow")
    text = text.replace("@allow", "pull_from_step_position: 0\n        allow")
    (finding,) = import_text(text).findings
    assert finding.rule.code == "NW929"
    assert finding.message == "the step fills its places from itself, through `shipped`"
