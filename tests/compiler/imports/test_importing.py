"""Files as they come: bytes, encodings, sizes, texts that want to break out - a text that compiles, or findings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newel.compiler.imports import IMPORTS, import_file, import_text
from newel.compiler.imports.loading import FINDINGS
from newel.dsl.limits import BYTES, TEXT_LENGTH
from tests.compiler.imports.boards import action, body, codes, compiled, portable, template

HOSTILE = [
    'say "hi"',
    "two\nlines",
    "\ttab and \\backslash",
    '"""',
    '{ on enter { auto_start_agent } } """',
    "}\n}\nworkflow evil { step x { start } }",
    "# newel: allow NW510 because I say so",
    "${HOME} {% raw %} {{ x }} <script>",
    "مرحبا \u202e evil",
    "👩‍👩‍👧 \u200d \ufeff",
    "a\x85\u2028\u2029b",
    "\x07\x1b[31m\x7f",
    " leading and trailing ",
    "'",
    "e\u0301 \u00e9",
    "x" * 1000,
]


def board(title: str, prompt: str) -> str:
    """An export in JSON, in which any text can be written."""
    step = {"name": title, "position": 0, "is_start_step": True, "color": title, "prompt": prompt}
    step["events"] = {"on_comment": [{"type": "queue_run", "config": {"reason": title, "payload": {title: [prompt]}}}]}
    workflow = {"name": title, "description": prompt, "steps": [step]}
    return json.dumps({"version": 1, "type": "kandev_workflow", "workflows": [workflow]})


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_arrives_letter_by_letter_and_nothing_of_it_acts(text: str) -> None:
    imported = import_text(board(text, text))
    program, findings = compiled(imported.text or "")
    (workflow,) = program.workflows.values()
    (step,) = workflow.steps.values()
    assert (workflow.title, step.title) == (text, text)
    assert step.settings["color"] == text
    assert step.settings["prompt"] == text.strip("\t\n\v\f\r \x85\u2028\u2029") or not text.strip()
    (run,) = step.on["comment"]
    assert run.model_dump()["payload"] == {text: [text]}
    assert all(finding.rule.severity != "error" for finding in findings)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_breaks_of_another_kind_are_those_of_yaml(ending: str) -> None:
    text = template("prompt: |\n  One\n  two.")
    assert import_text(text.replace("\n", ending)).text == import_text(text).text


def test_line_breaks_that_an_escape_asks_for_are_kept() -> None:
    assert body('prompt: "One\\r\\ntwo."') == 'start\nprompt "One\\r\\ntwo."'


@pytest.mark.parametrize(
    ("size", "found"), [(TEXT_LENGTH - 24, []), (TEXT_LENGTH, ["NW917"]), (2**20, ["NW904", "NW917"])]
)
def test_a_prompt_is_carried_up_to_the_limit_of_a_text(size: int, found: list[str]) -> None:
    imported = import_text(template("prompt: " + "é" * size))
    assert codes(imported) == found
    assert (imported.text is None) == bool(found)
    if imported.text:
        compiled(imported.text)


def test_a_prompt_of_endless_lines_is_measured_as_it_will_be_written() -> None:
    assert codes(import_text(template("prompt: |\n" + "  a\n" * (TEXT_LENGTH // 8)))) == ["NW917"]


def test_what_would_become_a_file_over_the_limits_is_an_error() -> None:
    prompt = "a\\n" * 15_000
    steps = "".join(f'  - {{id: s{number}, name: S, position: {number}, prompt: "{prompt}"}}\n' for number in range(8))
    imported = import_text("id: b\nname: B\nsteps:\n" + steps)
    assert codes(imported) == ["NW903", "NW926"]
    assert "120" in imported.findings[0].message
    assert imported.text is None


@pytest.mark.parametrize(("count", "last"), [(FINDINGS - 1, "NW930"), (FINDINGS, "NW903")])
def test_findings_are_collected_up_to_their_limit_and_then_the_import_fails(count: int, last: str) -> None:
    actions = ", ".join(["{type: dance}"] * count)
    imported = import_text(template(f"events: {{on_comment: [{actions}]}}"))
    assert codes(imported).count("NW930") == count
    assert (imported.text is None) == (last == "NW903")
    assert last in codes(imported)


def test_a_file_over_the_limit_is_not_read_further(tmp_path: Path) -> None:
    file = tmp_path / "board.yml"
    file.write_bytes(b"a: " + b"x" * BYTES)
    imported = import_file(file)
    assert codes(imported) == ["NW903"]
    assert "more than 8388608 bytes" in imported.findings[0].message


@pytest.mark.parametrize(
    ("data", "offset"), [(b"id: \xff\n", 4), ("id: b\n".encode("utf-16"), 0), (b"\xef\xbb\xbfid: \xe9", 7)]
)
def test_another_encoding_is_an_error_at_its_first_byte(data: bytes, offset: int) -> None:
    imported = import_text(data, "board.yml")
    assert codes(imported) == ["NW901"]
    assert imported.findings[0].span.first.offset == offset
    assert imported.text is None


def test_a_byte_order_mark_is_passed_over_and_places_stay_those_of_the_file() -> None:
    text = template("colour: red")
    plain = import_text(text.encode(), "board.yml").findings[0].span.first
    marked = import_text(b"\xef\xbb\xbf" + text.encode(), "board.yml").findings[0].span.first
    assert (marked.line, marked.column, marked.offset) == (plain.line, plain.column, plain.offset + 3)
    assert import_text("\ufeff" + text).findings[0].span.first == marked


def test_a_file_is_reported_under_its_path(tmp_path: Path) -> None:
    file = tmp_path / "board.yml"
    file.write_text("# nothing but this\n" + template(), "utf-8")
    imported = import_file(file)
    assert imported.format == "kandev-template"
    assert imported.findings[0].span.source.path == file.as_posix()
    with pytest.raises(FileNotFoundError):
        import_file(tmp_path / "gone.yml")


def test_the_same_file_gives_the_same_text_and_findings() -> None:
    text = portable(action("on_comment", "queue_run", rol="x"))
    first, second = import_text(text, "a"), import_text(text, "a")
    assert first.text == second.text
    assert [finding.message for finding in first.findings] == [finding.message for finding in second.findings]


def test_every_format_has_a_name_of_its_own() -> None:
    assert len({each.name for each in IMPORTS}) == len(IMPORTS) == 2


WORDS = st.sampled_from(["done", "next", "this", "reviewer", "all_approve"])
SINGLE = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS
JSON = st.recursive(
    SINGLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KINDS = ["move_to_next", "move_to_step", "queue_run", "run_script", "configure_session", "dance"]
KEYS = ["step_position", "requires_approval", "if", "wait_for_quorum", "target", "rules", "role", "payload"]
CONFIG = st.dictionaries(st.sampled_from(KEYS), JSON, max_size=4)
ACTIONS = st.fixed_dictionaries({"type": st.sampled_from(KINDS) | JSON}, optional={"config": CONFIG | JSON})
TRIGGERS = st.sampled_from(["on_enter", "on_turn_start", "on_turn_complete", "on_comment", "on_x"])
EVENTS = st.dictionaries(TRIGGERS, st.lists(ACTIONS, max_size=3))
STEPS = st.fixed_dictionaries(
    {"name": st.text(max_size=5) | JSON, "position": st.integers(-1, 3) | JSON},
    optional={
        "events": EVENTS | JSON,
        "prompt": st.text(max_size=9) | JSON,
        "is_start_step": JSON,
        "wip_limit": JSON,
        "pull_from_step_position": st.integers(0, 3) | JSON,
        "agent_profile": JSON,
        "auto_archive_after_hours": JSON,
    },
)


@settings(max_examples=150, deadline=None)
@given(st.lists(STEPS, max_size=3), st.text(max_size=9) | JSON)
def test_whatever_an_export_holds_it_becomes_a_good_file_or_errors(steps: list[object], name: object) -> None:
    data = {"version": 1, "type": "kandev_workflow", "workflows": [{"name": name, "steps": steps}]}
    imported = import_text(json.dumps(data))
    failed = any(finding.rule.severity == "error" for finding in imported.findings)
    assert (imported.text is None) == failed
    if imported.text is not None:
        compiled(imported.text)


SYNTAX = st.lists(st.sampled_from(list("{}[]:,-?!&*|>\"'%#@` \n\tab1")), max_size=60).map("".join)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60) | SYNTAX)
def test_no_input_raises(data: bytes | str) -> None:
    assert import_text(data).findings
