"""The template form: what each construct becomes."""

from __future__ import annotations

import pytest

from newel.compiler.imports import import_text
from newel.compiler.imports.tables import TRIGGERS
from tests.compiler.imports.boards import action, body, codes, compiled, said, template

DEFAULTS = "start\n"


@pytest.mark.parametrize(
    ("step", "written"),
    [
        ("", "start"),
        ("color: bg-blue-500", 'start\ncolor "bg-blue-500"'),
        ("color: 123", 'start\ncolor "123"'),
        ("stage_type: review", "start\nstage review"),
        ("stage_type: custom", "start"),
        ('stage_type: ""', "start"),
        ("auto_archive_after_hours: 168", "start\nauto_archive 168h"),
        ("auto_archive_after_hours: 0", "start"),
        ("auto_advance_requires_signal: true", "start\nrequires_signal"),
        ("cancel_triggers_turn_complete: yes", "start\ncancel_completes_turn"),
        ("prompt: |\n\n  Do {{task_prompt}}\n  now.  \n\n", 'start\nprompt """\n  Do {{task_prompt}}\n  now.\n  """'),
        ('prompt: "   "', "start"),
        ("prompt:", "start"),
        ("events:", "start"),
        ("events: {on_enter: }", "start"),
        ("events: {on_enter: []}", "start"),
    ],
)
def test_a_key_of_a_step_becomes_its_setting(step: str, written: str) -> None:
    assert body(step) == written


def test_absent_truth_values_are_written_out_where_ours_would_be_another() -> None:
    text = "id: b\nname: B\nsteps: [{id: a, name: A, is_start_step: true}]\n"
    assert import_text(text).text == (
        'workflow b "B" {\n  step a "A" {\n    start\n    command_panel false\n    manual_move false\n  }\n}\n'
    )


@pytest.mark.parametrize(
    ("step", "written"),
    [
        (action("on_enter", "enable_plan_mode"), "on enter { enable_plan_mode }"),
        (action("on_exit", "disable_plan_mode"), "on exit { disable_plan_mode }"),
        (action("on_turn_complete", "disable_plan_mode"), "on turn_complete { disable_plan_mode }"),
        (action("on_enter", "auto_start_agent"), "on enter { auto_start_agent }"),
        (action("on_comment", "auto_start_agent"), "on comment { auto_start_agent }"),
        (action("on_enter", "reset_agent_context"), "on enter { reset_agent_context }"),
        (action("on_enter", "set_session_mode", mode="plan"), 'on enter { set_session_mode("plan") }'),
        (action("on_enter", "run_code_review"), "on enter { run_code_review }"),
        (
            action("on_enter", "run_code_review", agent_profile_id="p-1"),
            'on enter { run_code_review(agent=agent_profile("p-1")) }',
        ),
        (action("on_heartbeat", "clear_decisions"), "on heartbeat { clear_decisions }"),
        (
            action("on_budget_alert", "queue_run_for_each_participant", role="watcher", reason="money"),
            'on budget_alert { queue_run_for_each_participant(watcher, reason="money") }',
        ),
        (
            action("on_enter", "ensure_participant_seat", role="reviewer"),
            "on enter { ensure_participant_seat(reviewer) }",
        ),
        (
            action("on_exit", "run_script", command="make test", timeout_seconds="90", failure_policy="continue"),
            'on exit { run_script("make test", timeout=90s, failure=continue) }',
        ),
        (
            action("on_turn_complete", "run_script", command="make", timeout_seconds="600", failure_policy="block"),
            'on turn_complete { run_script("make") }',
        ),
        (
            action(
                "on_enter",
                "configure_session",
                rules="[{agent_name: Codex, operation: set, model: small, config_options: {effort: low}},"
                " {agent_name: Claude, operation: restore_original}]",
            ),
            (
                'on enter {\n  configure_session([\n    set("Codex", model="small", options={ effort: "low" }),\n'
                '    restore_original("Claude"),\n  ])\n}'
            ),
        ),
    ],
)
def test_an_action_becomes_its_kind(step: str, written: str) -> None:
    assert body(step) == DEFAULTS + written


@pytest.mark.parametrize(
    ("config", "written"),
    [
        ({}, "queue_run"),
        ({"target": "primary", "task_id": "this"}, "queue_run"),
        ({"target": '""', "task_id": '""'}, "queue_run"),
        ({"target": "workspace.ceo_agent"}, "queue_run(target=ceo_agent)"),
        ({"target": "participant_role:reviewer"}, "queue_run(target=participant(reviewer))"),
        ({"target": "agent_profile_id:a-1"}, 'queue_run(target=agent("a-1"))'),
        ({"task_id": "T-7"}, 'queue_run(task=task("T-7"))'),
        ({"reason": '""'}, 'queue_run(reason="")'),
        ({"reason": '"a \\"b\\"\\n"'}, 'queue_run(reason="a \\"b\\"\\n")'),
        (
            {"payload": '{a: 1, b: [x, 2.5, null], "c d": {on: true, e: 2026-08-01}}'},
            'queue_run(payload={ a: 1, b: ["x", 2.5, null], "c d": { on: true, e: "2026-08-01" } })',
        ),
        ({"payload": "{}"}, "queue_run"),
    ],
)
def test_a_run_is_queued_with_what_it_says_and_no_more(config: dict[str, str], written: str) -> None:
    lines = body(action("on_comment", "queue_run", **config)).split()
    assert lines == f"{DEFAULTS}on comment {{ {written} }}".split()


@pytest.mark.parametrize("number", [".nan", ".inf", "1e300", "1234567890123456", "0.1234567890123456"])
def test_a_number_that_no_json_reader_keeps_is_an_error(number: str) -> None:
    imported = import_text(template(action("on_comment", "queue_run", payload=f"{{a: {number}}}")))
    assert codes(imported) == ["NW913"]


@pytest.mark.parametrize(
    ("threshold", "guard"),
    [
        ("all_approve", "all_approve(reviewer)"),
        ("all_decide", "all_decide(reviewer)"),
        ("majority_approve", "majority_approve(reviewer)"),
        ("any_reject", "any_reject(reviewer)"),
        ('"n_approve:2"', "n_approve(reviewer, count=2)"),
        ('"n_approve:+2"', "n_approve(reviewer, count=2)"),
        ('"n_approve:02"', "n_approve(reviewer, count=2)"),
    ],
)
@pytest.mark.parametrize("place", ["wait_for_quorum: {}", "if: {{wait_for_quorum: {}}}"])
def test_a_guard_is_read_in_either_place(threshold: str, guard: str, place: str) -> None:
    quorum = place.format(f"{{role: reviewer, threshold: {threshold}}}")
    step = f"events: {{on_turn_complete: [{{type: move_to_step, config: {{step_id: doing, {quorum}}}}}]}}"
    assert body(step) == f"{DEFAULTS}on turn_complete {{ -> doing when {guard} }}"


@pytest.mark.parametrize(
    "threshold",
    ["n_approve: 2", "n_approve:2.0", "n_approve:", "n_approve:0", "n_approve:-1", "n_approve", "n_approve:٣"],
)
def test_a_count_that_go_would_not_parse_is_an_error(threshold: str) -> None:
    config = {"step_id": "doing", "wait_for_quorum": f'{{role: reviewer, threshold: "{threshold}"}}'}
    imported = import_text(template(action("on_turn_complete", "move_to_step", **config)))
    assert codes(imported) == ["NW932"]
    assert imported.text is None


def test_a_move_keeps_its_approval_and_its_guard() -> None:
    config = {"requires_approval": "true", "wait_for_quorum": "{role: approver, threshold: any_reject}"}
    step = action("on_comment", "move_to_next", **config)
    assert body(step) == f"{DEFAULTS}on comment {{ -> next requires approval when any_reject(approver) }}"
    assert (
        body(action("on_comment", "move_to_next", requires_approval="false")) == f"{DEFAULTS}on comment {{ -> next }}"
    )


def test_all_eleven_triggers_are_carried_each_in_the_order_of_the_file() -> None:
    kinds = {"on_enter": "auto_start_agent", "on_exit": "disable_plan_mode"}
    lines = [f"  {key}: [{{type: {kinds.get(key, 'move_to_next')}}}]" for key in reversed(TRIGGERS)]
    written = body("events:\n" + "\n".join(lines))
    found = [line.split()[1] for line in written.split("\n") if line.startswith("on ")]
    assert found == list(reversed(TRIGGERS.values()))
    assert len(found) == 11


def test_actions_keep_their_order() -> None:
    kinds = ["auto_start_agent", "enable_plan_mode", "reset_agent_context", "ensure_participant_seat"]
    listed = ", ".join(f"{{type: {kind}, config: {{role: runner}}}}" for kind in kinds)
    text = import_text(template(f"events: {{on_enter: [{listed}]}}")).text or ""
    places = [text.index(kind) for kind in kinds]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("cadences", "written", "reported"),
    [
        (["90"], "heartbeat_every 90s", []),
        (["3600"], "heartbeat_every 1h", []),
        (["900", "900"], "heartbeat_every 15m", []),
        (["0"], None, ["NW916"]),
        (["-5", "120"], "heartbeat_every 2m", ["NW916"]),
        (["60", "61"], "heartbeat_every 1m", ["NW916"]),
        (["1.5"], None, ["NW913"]),
    ],
)
def test_the_cadence_of_a_heartbeat_becomes_a_setting(
    cadences: list[str], written: str | None, reported: list[str]
) -> None:
    actions = ", ".join(f"{{type: queue_run, config: {{cadence_seconds: {each}}}}}" for each in cadences)
    imported = import_text(template(f"events: {{on_heartbeat: [{actions}]}}"))
    assert codes(imported) == reported
    assert written is None or f"    {written}\n" in (imported.text or "")


@pytest.mark.parametrize("title", ["Done", "complete", "COMPLETED", " Approved "])
def test_a_last_step_with_the_title_of_an_end_is_one(title: str) -> None:
    text = import_text(template().replace("name: Shipped", f'name: "{title}"')).text or ""
    assert f'  step shipped "{title}" {{ end }}\n' in text
    assert text.count("end }") == 1


def test_another_step_with_the_title_of_an_end_is_none() -> None:
    for old, new in [("Doing", "Done"), ("Shipped", "Done!")]:
        text = import_text(template().replace(f"name: {old}", f"name: {new}")).text or ""
        assert f'"{new}" {{}}\n' in text
        assert "end" not in text


def test_steps_stand_in_the_order_of_their_positions() -> None:
    imported = import_text(template().replace("position: 0", "position: 3"))
    assert codes(imported) == ["NW923", "NW924"]
    text = imported.text or ""
    assert text.index("step doing") < text.index("step shipped") < text.index("step todo")


def test_without_a_start_the_lowest_position_is_it() -> None:
    imported = import_text(template().replace("is_start_step: true", "is_start_step: false"))
    assert codes(imported) == ["NW926"]
    assert imported.text == import_text(template()).text


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        ("in-progress", "in-progress"),
        ("In_Progress", "In_Progress"),
        ("in progress", "in_progress"),
        ("2nd", "step_2nd"),
        ("next", "step_next"),
        ("previous", "step_previous"),
        ("Prüfung", "Prufung"),
        ("検討", "step"),
        ("a--b", "a-b"),
        ("doing!", "doing_2"),
        ("x" * 200, "x" * 92),
    ],
)
def test_an_id_becomes_the_nearest_free_name_and_a_change_is_reported(identity: str, name: str) -> None:
    text = template(action("on_turn_start", "move_to_step", step_id=f'"{identity}"'))
    imported = import_text(text.replace("id: shipped", f'id: "{identity}"'))
    assert codes(imported) == (["NW922"] if name != identity else [])
    assert f'step {name} "Shipped"' in (imported.text or "")
    assert f" -> {name}" in (imported.text or "")


def test_what_is_found_stands_in_the_order_of_the_file_each_with_its_place() -> None:
    step = "colour: red\nprompt: Speak {{language}} and {{ tone }}.\nevents: {on_enter: [{type: dance}]}"
    assert said(template(step)) == [
        "10:5 error NW915 a step of a template has no key `colour` (did you mean `color`?)",
        (
            "11:19 note NW939 `language` in double braces is declared as a placeholder that the host fills in"
            " (take the declaration away if the braces are meant as text, and write them apart)"
        ),
        (
            "12:32 warning NW930 the action `dance` is unknown and not carried"
            " (say by hand in the file that is made what it should do)"
        ),
    ]


def test_a_name_in_braces_is_declared_once_and_the_file_is_clean() -> None:
    imported = import_text(template("prompt: Speak {{language}}, {{language}} and {{task_prompt}}."))
    assert codes(imported) == ["NW939"]
    text = imported.text or ""
    assert text.startswith("placeholder language\n\nworkflow board ")
    assert compiled(text)[1][0].rule.code == "NW701"  # a prompt nobody is started with; nothing of placeholders


def test_the_workflow_keeps_its_own_keys() -> None:
    text = template().replace("name: Board", "name: Board\nhidden: true\ndescription: >-\n  One\n  line.\n")
    assert (import_text(text).text or "").startswith(
        'workflow board "Board" {\n  hidden\n  about """\n    One line.\n    """\n\n  step todo "To do" { start }\n'
    )
