"""The client's own files, as they are: imported, compiled, and compared with what their YAML says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from newel.compiler.imports import Imported, import_file
from newel.compiler.program import Action, Guard, Move, Statement
from tests.compiler.imports.boards import CORPUS, compiled

FILES = ["docs-import-export-7.yaml", "e2e-development-0.json", "feature-dev.yml", "kanban.yml", "office-default.yml"]

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the client's files are not here")


def imported(name: str) -> Imported:
    return import_file(CORPUS / name)


def workflows(name: str) -> list[dict[str, Any]]:
    data = yaml.safe_load((CORPUS / name).read_text("utf-8"))
    return list(data.get("workflows", [data]))


@pytest.mark.parametrize("name", FILES)
def test_every_step_has_its_actions_in_order(name: str) -> None:
    """The YAML is read here a second time, by other code, straight to what the program must say."""
    program, _ = compiled(imported(name).text or "")
    described = {data["name"]: data for data in workflows(name)}
    assert {workflow.title for workflow in program.workflows.values()} == set(described)
    for workflow in program.workflows.values():
        steps = sorted(described[workflow.title]["steps"], key=lambda step: step["position"])
        names = list(workflow.steps)
        assert [step.title for step in workflow.steps.values()] == [step["name"] for step in steps]
        for step, data in zip(workflow.steps.values(), steps, strict=True):
            wanted = {key.removeprefix("on_"): list(_wanted(steps, names, data, key)) for key in _events(data)}
            assert {trigger: [_told(item) for item in items] for trigger, items in step.on.items()} == wanted


def _events(step: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    return step.get("events") or {}


def _wanted(steps: list[Any], names: list[str], step: dict[str, Any], key: str) -> Iterator[tuple[object, ...]]:
    at = steps.index(step)
    for action in _events(step)[key]:
        config = action.get("config", {})
        match action["type"]:
            case "move_to_next":
                yield "->", names[at + 1], None
            case "move_to_previous":
                yield "->", names[at - 1], None
            case "move_to_step":
                found = [other.get("id") == config.get("step_id") for other in steps]
                target = names[config["step_position"]] if "step_position" in config else names[found.index(True)]
                quorum = config.get("wait_for_quorum")
                yield "->", target, quorum and (quorum["threshold"], quorum["role"])
            case kind:
                target = {"primary": "primary", "workspace.ceo_agent": "ceo_agent"}.get(config.get("target"))
                yield kind, config.get("role"), target and {"case": target}, config.get("reason")


def _told(item: Statement) -> tuple[object, ...]:
    if isinstance(item, Move):
        return "->", item.to, item.guard and _asked(item.guard)
    assert isinstance(item, Action)
    data = item.model_dump()
    return item.kind, data.get("role"), data.get("target"), data.get("reason")


def _asked(guard: Guard) -> tuple[object, object]:
    return guard.kind, guard.model_dump()["role"]


SETTINGS = {
    "color": ("color", None),
    "show_in_command_panel": ("command_panel", False),
    "allow_manual_move": ("manual_move", False),
    "cancel_triggers_turn_complete": ("cancel_completes_turn", False),
    "auto_advance_requires_signal": ("requires_signal", False),
    "stage_type": ("stage", "custom"),
    "wip_limit": ("wip_limit", 0),
}


@pytest.mark.parametrize("name", FILES)
def test_every_step_has_its_settings(name: str) -> None:
    program, _ = compiled(imported(name).text or "")
    titles = {workflow.title: workflow for workflow in program.workflows.values()}
    for data in workflows(name):
        workflow = titles[data["name"]]
        start = next(step for step in data["steps"] if step.get("is_start_step"))
        assert workflow.steps[workflow.start].title == start["name"]
        for step, described in zip(workflow.steps.values(), data["steps"], strict=True):
            for key, (setting, absent) in SETTINGS.items():
                assert step.settings.get(setting) == described.get(key, absent), (step.name, key)
            hours = described.get("auto_archive_after_hours")
            assert step.settings.get("auto_archive") == (hours and hours * 3600)
            assert step.settings.get("prompt") == (described.get("prompt", "").strip() or None)
            assert step.end == (step.title == "Done")


EXPECTED: dict[str, list[tuple[str, str]]] = {
    "docs-import-export-7.yaml": [],
    "e2e-development-0.json": [("NW510", "in_progress")],
    "feature-dev.yml": [],
    "kanban.yml": [],
    "office-default.yml": [("NW510", "work"), ("NW601", "review"), ("NW601", "approval")],
}


@pytest.mark.parametrize("name", FILES)
def test_the_language_finds_in_it_what_is_wrong_with_the_board_and_nothing_else(name: str) -> None:
    """Office races through its first step and seats nobody; its known mistakes, all warnings, and no error anywhere."""
    _, findings = compiled(imported(name).text or "")
    found = [finding for finding in findings if finding.rule.default]
    assert [finding.rule.code for finding in found] == [code for code, _ in EXPECTED[name]]
    assert all(f"`{step}`" in finding.message for finding, (_, step) in zip(found, EXPECTED[name], strict=True))


REPORTED = {
    "docs-import-export-7.yaml": [],
    "e2e-development-0.json": [],
    "feature-dev.yml": ["NW911"],
    "kanban.yml": ["NW911"],
    "office-default.yml": ["NW911", "NW937", "NW937", "NW937", "NW937"],
}


@pytest.mark.parametrize("name", FILES)
def test_the_report_says_what_the_import_changed(name: str) -> None:
    assert [finding.rule.code for finding in imported(name).findings] == REPORTED[name]
    assert {finding.rule.severity for finding in imported(name).findings} <= {"note"}
