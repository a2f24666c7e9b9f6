"""The portable form: several workflows, steps named by position, agents, limits and feeders."""

from __future__ import annotations

import json

import pytest
import yaml

from newel.compiler.imports import import_text
from tests.compiler.imports.boards import action, body, codes, compiled, portable, said


@pytest.mark.parametrize(
    ("step", "written"),
    [
        ("wip_limit: 3", "start\nwip_limit 3"),
        ("wip_limit: 0", "start"),
        ("wip_limit: 2.0", "start\nwip_limit 2"),
        ("pull_from_step_position: 1", "start\npull_from shipped"),
        ("agent_profile: {agent_name: Claude Code}", 'start\nagent("Claude Code")'),
        ("agent_profile: {agent_name: C, mode: plan, model: m}", 'start\nagent("C", model="m", mode="plan")'),
        ('agent_profile: {agent_name: "", model: ""}', "start"),
        (action("on_turn_start", "move_to_step", step_position="1"), "start\non turn_start { -> shipped }"),
        (
            action("on_enter", "run_code_review", agent_profile="{agent_name: R, model: m}"),
            'start\non enter { run_code_review(agent=agent_profile("R", model="m")) }',
        ),
    ],
)
def test_a_key_of_a_step_becomes_its_setting(step: str, written: str) -> None:
    assert body(step, form="portable") == written


def test_a_workflow_has_an_agent_a_description_and_a_prompt() -> None:
    text = portable().replace(
        "  - name: Board\n", "  - name: Board\n    description: D\n    prompt: P\n    agent_profile: {agent_name: A}\n"
    )
    written = import_text(text).text or ""
    head = 'workflow board "Board" {\n  agent("A")\n  about """\n    D\n    """\n  prompt """\n    P\n    """\n\n'
    assert written.startswith(head)


def test_json_and_yaml_of_one_board_become_the_same() -> None:
    text = portable("prompt: |\n  Täglich 🎉\n  fertig")
    data = yaml.safe_load(text)
    written = {import_text(each).text for each in (text, json.dumps(data), json.dumps(data, indent="\t"))}
    assert len(written) == 1
    assert None not in written


def test_an_agent_and_rules_for_the_session_do_not_go_together() -> None:
    rules = "[{agent_name: C, operation: keep}]"
    step = "agent_profile: {agent_name: A}\n" + action("on_enter", "configure_session", rules=rules)
    assert codes(import_text(portable(step))) == ["NW941"]


def test_two_rule_sets_at_one_step_are_an_error() -> None:
    each = "{type: configure_session, config: {rules: [{agent_name: C, operation: keep}]}}"
    assert codes(import_text(portable(f"events: {{on_enter: [{each}, {each}]}}"))) == ["NW941"]


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ("[]", "it has no rule"),
        ("[{agent_name: C, operation: dance}]", "`dance` is none of"),
        ("[{agent_name: C, operation: keep, model: m}]", "`keep` takes no `model`"),
        ("[{agent_name: C, operation: set, config_options: {}}]", "`set` needs a model or options"),
        ("[{agent_name: C, operation: keep}, {agent_name: C, operation: keep}]", "two rules are for `C`"),
        ("[{agent_name: C, operation: keep, effort: low}]", "a rule has no key `effort`"),
        ("[{operation: keep}]", "the rule has no `agent_name`"),
        ("[keep]", "`rules` must be a list of maps"),
        ("keep", "`rules` must be a list"),
    ],
)
def test_a_rule_that_says_too_much_or_too_little_is_an_error(rules: str, why: str) -> None:
    found = said(portable(action("on_enter", "configure_session", rules=rules)))
    assert any("error" in line and why in line for line in found), found


@pytest.mark.parametrize(
    ("envelope", "why"),
    [
        ("version: 2\ntype: kandev_workflow\nworkflows: []\n", "`version` must be `1`, and is `2`"),
        ("version: true\ntype: kandev_workflow\nworkflows: []\n", "`version` must be `1`, and is `true`"),
        ("type: kandev_workflow\nworkflows: []\n", "`version` must be `1`, and is missing"),
        ("version: 1\ntype: other\nworkflows: []\n", "`type` must be `kandev_workflow`, and is `other`"),
        ("- a\n", "it is no map"),
        ("", "the file is empty"),
        ("# nothing\n", "the file is empty"),
        ("a: b\n", "it has neither `steps` nor `workflows`"),
    ],
)
def test_another_form_is_refused_with_what_is_missing(envelope: str, why: str) -> None:
    imported = import_text(envelope)
    assert imported.text is None
    assert any(finding.rule.code == "NW912" and why in finding.message for finding in imported.findings)


def test_a_key_of_the_envelope_that_nobody_knows_is_reported() -> None:
    found = said(portable() + "exported_at: today\n")
    assert found == [
        (
            "16:1 warning NW916 `exported_at` of the export is not carried: an export has no such key"
            " (take it away, or say it by hand in the file that is made)"
        )
    ]


def test_an_export_without_workflows_is_an_error() -> None:
    assert codes(import_text("version: 1\ntype: kandev_workflow\nworkflows: []\n")) == ["NW914"]


def test_names_are_made_of_titles_and_titles_stay() -> None:
    text = portable().replace("name: Board", 'name: "Plan & Build 🎉"').replace("name: Shipped", "name: 出荷")
    written = import_text(text).text or ""
    assert 'workflow plan_build "Plan & Build 🎉" {' in written
    assert 'step step "出荷"' in written
    assert compiled(written)[1] == []
