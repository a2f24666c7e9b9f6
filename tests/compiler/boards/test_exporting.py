"""What an export writes, what it refuses and names, and what it leaves out when asked to."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from newel.compiler import check_files
from newel.compiler.boards import Exported, export_checked, export_text
from newel.compiler.boards.emitting import emitted
from newel.compiler.boards.exporting import ExportError
from newel.compiler.errors import UnknownWorkflow
from newel.compiler.imports import import_file, import_text
from newel.dsl import Finding
from newel.runtime.cli.app import app
from tests.compiler.boards.boards import compiled, meaning
from tests.compiler.imports.boards import CORPUS

ROOT = Path(__file__).parents[3]

BOARD = """\
workflow board "Board" {
%s
  step work "Work" {
    start
%s
  }
  step later "Later" {}
}
"""


def board(*lines: str, top: str = "") -> str:
    """A board whose first step has these lines."""
    return BOARD % (top, "\n".join(f"    {line}" for line in lines))


def said(exported: Exported) -> list[str]:
    """Each finding of an export on one line."""
    return [told(finding) for finding in exported.findings]


def told(finding: Finding) -> str:
    return f"{finding.span.first.line} {finding.rule.severity} {finding.rule.code} {finding.message}"


LOST = [
    ('seats [seat(role=reviewer, agent="ben")]', "both", "`seats` of the step", "the form has no key for it"),
    ('about "For work."', "both", "`about` of the step", "the form has no key for it"),
    ("stage review", "portable", "`stage` of the step", "the form has no key for it"),
    ("wip_limit 3", "template", "`wip_limit` of the step", "the form has no key for it"),
    ("pull_from later", "template", "`pull_from` of the step", "the form has no key for it"),
    ('agent("Claude")', "template", "`agent` of the step", "the form has no key for it"),
    ("auto_archive 90m", "both", "`auto_archive` of the step", "only whole hours from 1 to 200000 can be said"),
    ('color ""', "both", "`color` of the step", "an empty text means nothing given there"),
    ("heartbeat_every 1m", "both", "`heartbeat_every`", "it is said in an action under `on heartbeat`"),
    ("end", "both", "`end` of `work`", "a task is finished there only at a last step that is called done"),
    ("extra", "both", "`extra` of the step", "only what the standard vocabulary declares has words there"),
    ("on pinged { page }", "both", "the trigger `pinged`", "only what the standard vocabulary declares"),
    ("on exit { ping }", "both", "the action `ping`", "only what the standard vocabulary declares has words there"),
    ("on turn_complete { -> later when warm }", "both", "the guard `warm`, with its move", "only what the standard"),
    (
        "on turn_complete { -> later when all_approve(reviewer) and any_reject(reviewer) }",
        "both",
        "this guard, with its move",
        "a move has one guard there, without `and`, `or` and `not`",
    ),
    ("on turn_complete { -> later when not any_reject(reviewer) }", "both", "this guard, with its move", "a move has"),
    ("on turn_complete { -> later when all_approve(judge) }", "both", "the guard `all_approve`, with its move", "only"),
    (
        "on enter { ensure_participant_seat(judge) }",
        "both",
        "`role` of `ensure_participant_seat`, with its action",
        "only",
    ),
    (
        'on enter { set_session_mode("  ") }',
        "both",
        "`mode` of `set_session_mode`, with its action",
        "a blank text is refused there",
    ),
    (
        'on comment { queue_run(task=task("this")) }',
        "both",
        "`task` of `queue_run`, with its action",
        "an empty id and `this` are",
    ),
    (
        'on comment { queue_run(agent("")) }',
        "both",
        "`target` of `queue_run`, with its action",
        "the client has no such value",
    ),
    ("on comment { queue_run(participant(judge)) }", "both", "`target` of `queue_run`, with its action", "only"),
    (
        'on enter { run_code_review(agent_profile("x", model="m")) }',
        "template",
        "`agent` of `run_code_review`, with its action",
        "an agent is named by its id alone",
    ),
    (
        "on enter { configure_session([]) }",
        "both",
        "`rules` of `configure_session`, with its action",
        "without a rule the action is",
    ),
    (
        'on enter { configure_session([set("A")]) }',
        "both",
        "`rules` of `configure_session`, with its action",
        "`set` without a model",
    ),
    (
        'on enter { configure_session([keep("A"), keep("A")]) }',
        "both",
        "`rules` of `configure_session`, with its action",
        "two rules for one agent are refused there",
    ),
]
OWN = """
extend type role = judge
setting step extra: flag
trigger pinged(id: text) operation "pinged:{id}"
action ping on exit
action page on pinged
guard warm
"""


@pytest.mark.parametrize(("line", "form", "what", "why"), LOST, ids=[f"{row[2]}: {row[0]}" for row in LOST])
def test_what_has_no_words_is_an_error_that_names_it_or_is_left_out_and_listed(
    line: str, form: str, what: str, why: str
) -> None:
    for each in ("portable", "template") if form == "both" else (form,):
        text = OWN + board(line)
        exported = export_text(text, form=each)
        errors = [finding for finding in exported.findings if finding.rule.severity == "error"]
        assert exported.text is None
        (error,) = errors
        kind = "export" if each == "portable" else "template"
        assert error.message.startswith(f"{what} cannot be said in a Kandev {kind}: {why}")
        assert error.span.text in line
        lossy = export_text(text, form=each, lossy=True)
        (listed,) = [finding for finding in lossy.findings if finding.rule.code == "NW950"]
        assert listed.rule.severity == "warning"
        assert listed.message.startswith(f"{what} is left out: {why}")
        assert lossy.text is not None
        assert import_text(lossy.text).text is not None


def test_a_move_whose_guard_has_no_words_is_left_out_whole() -> None:
    """Never an open gate: without its guard the move would be made at once."""
    exported = export_text(board("on turn_complete { -> later when not any_reject(reviewer) }"), lossy=True)
    assert "move_to" not in (exported.text or "move_to")


def test_other_settings_of_the_workflow_are_errors_too() -> None:
    assert "`hidden` of the workflow cannot be said" in said(export_text(board(top="  hidden")))[0]
    assert "`agent` of the workflow" in said(export_text(board(top='  agent("C")'), form="template"))[0]
    assert "`prompt` of the workflow" in said(export_text(board(top='  prompt "x"'), form="template"))[0]


def test_a_session_is_configured_once_and_not_beside_an_agent_of_the_step() -> None:
    rule = 'configure_session([keep("A")])'
    (twice,) = said(export_text(board(f"on enter {{\n{rule}\n{rule}\n}}")))
    assert twice.endswith("a step has at most one such action there")
    (beside,) = said(export_text(board('agent("B")', f"on enter {{ {rule} }}")))
    assert beside.endswith("the step has an agent of its own")
    assert said(export_text(board(f"on enter {{ {rule} }}"), form="template")) == []


def test_a_blank_title_is_an_error() -> None:
    (finding,) = export_text('workflow board "Board" {\n  step a "" { start }\n}\n', form="template").findings
    assert finding.message.startswith("a blank title of the step cannot be said")


def test_a_step_that_would_be_taken_for_an_end_is_an_error() -> None:
    text = board().replace('"Later" {}', '"Done" { on turn_start { -> work } }').replace("later", "done")
    assert said(export_text(text)) == [
        "7 error NW951 Kandev takes `done` for an end, by its place and title, and here it is none"
    ]
    assert "name: Done" in (export_text(text, lossy=True).text or "")


def test_a_file_that_the_client_would_cut_off_is_an_error() -> None:
    prompts = "\n".join(f'  step s{n} "S{n}" {{ prompt "{"x" * 190_000}" }}' for n in range(6))
    text = board().replace('  step later "Later" {}', prompts)
    exported = export_text(text)
    assert exported.text is None
    assert [finding.rule.code for finding in exported.findings] == ["NW953"]


def test_how_often_a_heartbeat_comes_is_said_in_the_first_action_that_waits_for_one() -> None:
    text = board("heartbeat_every 90s", "on heartbeat {\n-> later when all_approve(reviewer)\nqueue_run\n}")
    written = export_text(text, form="template").text or ""
    assert written.count("cadence_seconds: 90") == 1
    program, again = compiled(text), compiled(import_text(written).text or "")
    assert program and again
    assert meaning(again) == meaning(program)


def test_what_the_client_does_not_act_on_is_said() -> None:
    text = board("on enter { clear_decisions }", "on comment { -> later requires approval }")
    written = "is written, and Kandev does not act on it:"
    assert said(export_text(text)) == [
        f"5 warning NW954 `clear_decisions` {written} it does not run it on entry",
        f"6 warning NW954 `on_comment` {written} its own import drops this trigger",
        f"6 warning NW954 `requires_approval` {written} it never makes a move that asks for approval",
    ]


def test_several_workflows_share_an_export_but_not_a_template() -> None:
    text = board() + board().replace('board "Board"', 'other "Other"')
    exported = yaml.safe_load(export_text(text).text or "")
    assert [each["name"] for each in exported["workflows"]] == ["Board", "Other"]
    with pytest.raises(ExportError, match="board, other"):
        export_text(text, form="template")
    assert yaml.safe_load(export_text(text, form="template", workflow="other").text or "")["id"] == "other"
    with pytest.raises(UnknownWorkflow, match="no workflow `third`: there are board, other"):
        export_text(text, workflow="third")
    with pytest.raises(UnknownWorkflow, match="no workflow"):
        export_text("placeholder x\n")


def test_files_with_errors_are_not_exported() -> None:
    exported = export_text("workflow w {}\n")
    assert exported.text is None
    assert exported.findings


def test_a_finding_in_a_piece_shows_both_places_and_is_told_once() -> None:
    text = "fragment f {\n  stage work\n}\n" + board("include f").replace('"Later" {}', '"Later" { include f }')
    (finding,) = export_text(text).findings
    assert finding.span.first.line == 2
    assert [related.message for related in finding.related] == ["included here as `f`"]


def test_words_that_readers_take_for_something_else_stand_in_quotes() -> None:
    words = ["on", "1e3", "0o17", "017", "~", "a: b", "a\nb", "x", "1.5", "\x85"]
    assert emitted(list(words)).splitlines() == [
        *("- 'on'", '- "1e3"', '- "0o17"', '- "017"', '- "~"', "- 'a: b'", "- |-", "  a", "  b", "- x", '- "1.5"'),
        '- "\\N"',
    ]
    assert emitted([1e15, 0.5, float("inf")]).splitlines() == ["- 1000000000000000.0", "- 0.5", "- .inf"]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the client's files are not here")
@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.y*ml")), ids=lambda path: path.name)
def test_the_clients_own_files_come_back_to_it_as_they_were(path: Path) -> None:
    """Imported and exported again: the same to a reader of YAML, but for values that say the default."""
    text = import_file(path).text or ""
    data = yaml.safe_load(path.read_text("utf-8"))
    form = "portable" if "workflows" in data else "template"
    exported = yaml.safe_load(export_text(text, form=form).text or "")
    assert said_by(exported) == said_by(data)


DEFAULTS = {"requires_approval": False, "stage_type": "custom", "target": "primary", "task_id": "this"}
NOTHING: tuple[object, ...] = ("", {}, [], 0, None, False)


def said_by(value: object, key: str = "") -> object:
    """What a board says: without defaults, and a guard in the newer of its two places."""
    if isinstance(value, list):
        return [said_by(each) for each in value]
    if not isinstance(value, dict):
        return value.strip() if isinstance(value, str) else value
    if key == "config" and "wait_for_quorum" in value:
        value = {**value, "if": {"wait_for_quorum": value["wait_for_quorum"]}}
        del value["wait_for_quorum"]
    said = {name: said_by(each, name) for name, each in value.items() if name != "position"}
    return {name: each for name, each in said.items() if each not in NOTHING and DEFAULTS.get(name) != each}


def test_the_command_writes_a_file_or_says_why_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.newel").write_text(board("stage work"), "utf-8")
    runner = CliRunner()
    refused = runner.invoke(app, ["export", "w.newel", "--to", "kandev"], standalone_mode=False)
    assert refused.return_value == 1
    assert refused.stdout == ""
    assert "w.newel:5:5: error NW950 `stage` of the step" in refused.stderr
    done = runner.invoke(
        app, ["export", "w.newel", "--to", "kandev", "--lossy", "-o", "out.yml"], standalone_mode=False
    )
    assert done.return_value == 0
    assert "warning NW950 `stage` of the step is left out" in done.stderr
    checked = check_files(["w.newel"], root=tmp_path)
    assert (tmp_path / "out.yml").read_text("utf-8") == export_checked(checked, lossy=True).text
    shown = runner.invoke(app, ["export", "w.newel", "--to", "kandev", "--form", "template"], standalone_mode=False)
    assert shown.stdout.startswith("id: board\n")
    assert shown.stderr == ""
    (tmp_path / "empty").mkdir()
    nothing = runner.invoke(app, ["export", "empty", "--to", "kandev"])
    assert nothing.exit_code == 3
