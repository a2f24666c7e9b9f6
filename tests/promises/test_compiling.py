"""C1-C5: a file compiles to one typed, immutable program, always the same; nothing declared is dropped in silence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from newel.compiler import Program, compile_files, compile_text
from newel.compiler.bind import rules
from newel.compiler.files import standard
from newel.compiler.standard import EnsureParticipantSeat, QueueRun, TargetAgent
from newel.dsl import tree

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.newel"))

BOARD = """\
## What it is for.
workflow board "Board" {
  about "A board."

  # Where everything begins.
  step work "Work" {
    start
    requires_signal
    prompt \"\"\"
      Do what {{task_prompt}} asks.
      \"\"\"
    on enter {
      queue_run(agent("ada"), reason="go", payload={ b: 2, a: [1, true, null] })
      auto_start_agent
    }
    on turn_complete { -> review }
  }

  step review "Review" {
    wip_limit 3
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> next when all_approve(reviewer) and not any_reject(role=reviewer)
      -> work when any_reject(reviewer)
    }
  }

  step done "Done" { end }
}
"""


def compiled(text: str = BOARD) -> Program:
    return compile_text(text).require()


def found(text: str) -> list[tuple[str, str]]:
    """The code of each finding with the text it is about."""
    return [(finding.rule.code, finding.span.text) for finding in compile_text(text).findings]


def board(old: str, new: str) -> str:
    """The board with one thing changed."""
    assert BOARD.count(old) >= 1, old
    return BOARD.replace(old, new, 1)


# ---------------------------------------------------------------- C1


def test_the_board_of_these_tests_is_clean() -> None:
    assert found(BOARD) == []


def test_c1_actions_are_typed_and_in_declared_order() -> None:
    run, _ = compiled().workflows["board"].steps["work"].on["enter"]
    assert isinstance(run, QueueRun)
    assert run.target == TargetAgent(id="ada")
    assert run.payload == {"a": [1, True, None], "b": 2}
    entry = compiled().workflows["board"].steps["review"].on["enter"]
    assert [item.kind for item in entry] == [
        "clear_decisions",
        "ensure_participant_seat",
        "queue_run_for_each_participant",
    ]
    assert isinstance(entry[1], EnsureParticipantSeat)
    assert entry[1].role == "reviewer"


def models(value: object) -> Iterator[BaseModel]:
    """Every model inside a value, itself included."""
    if isinstance(value, BaseModel):
        yield value
        for name in type(value).model_fields:
            yield from models(getattr(value, name))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from models(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from models(each)


def test_c1_nothing_of_a_program_can_be_assigned() -> None:
    program = compiled()
    seen = list(models(program))
    assert len(seen) > 100
    for model in seen:
        for name in type(model).model_fields:
            with pytest.raises(ValidationError):
                setattr(model, name, None)
    with pytest.raises(TypeError):
        program.workflows["other"] = program.workflows["board"]  # type: ignore[index]  # that it cannot be is the point
    with pytest.raises(TypeError):
        program.workflows["board"].steps["work"].settings["wip_limit"] = 5  # type: ignore[index]  # the same


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_c1_every_name_in_a_program_is_in_it(path: Path) -> None:
    """Steps, triggers, kinds, guards, groups and types are looked up in the program's own JSON."""
    plain = json.loads(compile_files([path]).require().to_json())
    vocabulary = plain["vocabulary"]
    for workflow in plain["workflows"].values():
        assert workflow["start"] in workflow["steps"]
        for step in workflow["steps"].values():
            assert set(step["on"]) <= set(vocabulary["triggers"])
            for statement in (each for statements in step["on"].values() for each in statements):
                if statement["kind"] == "->":
                    assert statement["to"] in workflow["steps"]
                    assert set(guards(statement["guard"])) <= set(vocabulary["guards"])
                else:
                    assert statement["kind"] in vocabulary["kinds"]
    for kind in vocabulary["kinds"].values():
        assert set(kind["triggers"]) <= set(vocabulary["triggers"])


def guards(guard: dict[str, object] | None) -> Iterator[str]:
    if guard is None:
        return
    parts = guard.get("parts", [guard["part"]] if "part" in guard else None)
    if parts is None:
        yield str(guard["kind"])
        return
    assert isinstance(parts, list)
    for part in parts:
        yield from guards(part)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("-> review", "-> reveiw", "NW103"),
        ("queue_run(agent", "que_run(agent", "NW101"),
        ("on turn_complete { -> review }", "on turn_completed { -> review }", "NW102"),
        ("ensure_participant_seat(reviewer)", "ensure_participant_seat(reviwer)", "NW206"),
        ("all_approve(reviewer)", "all_approv(reviewer)", "NW106"),
        ("all_approve(reviewer)", "all_approve(reviwer)", "NW206"),
        ("wip_limit 3", "wip-limit 3", "NW105"),
        ("wip_limit 3", "pull_from nowhere", "NW103"),
        ("wip_limit 3", "include gate", "NW108"),
        ("{{task_prompt}}", "{{task_promt}}", "NW110"),
    ],
)
def test_c1_a_name_that_means_nothing_is_an_error_and_never_a_text(old: str, new: str, code: str) -> None:
    assert [each for each, _ in found(board(old, new))] == [code]
    assert compile_text(board(old, new)).program is None


# ---------------------------------------------------------------- C2

_COMPILE = (
    "import sys; from newel.compiler import compile_files; print(compile_files(sys.argv[1:]).require().to_json())"
)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_c2_the_same_source_gives_the_same_bytes_in_any_process(path: Path) -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _COMPILE, path.name],
            cwd=path.parent,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "4242")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_c2_a_program_read_back_is_the_same_to_the_byte(path: Path) -> None:
    program = compile_files([path]).require()
    again = Program.from_json(program.to_json())
    assert again == program
    assert again.to_json() == program.to_json()


def test_c2_the_order_of_blocks_in_a_step_is_not_that_of_the_program() -> None:
    """What is asked in the order of a step's triggers is asked in the same order of a program that was read back."""
    blocks = ("on turn_complete { -> b }", "on comment { queue_run }")
    texts = [
        f'workflow w "W" {{\n step a "A" {{\n start\n {one}\n {two}\n }}\n step b "B" {{}}\n}}'
        for one, two in (blocks, blocks[::-1])
    ]
    programs = [compile_text(text).require() for text in texts]
    programs += [Program.from_json(each.to_json()) for each in programs]
    assert len({each.revision for each in programs}) == 1
    assert {tuple(each.workflows["w"].steps["a"].on) for each in programs} == {("comment", "turn_complete")}


def gaps(text: str) -> list[int]:
    """Where a comment may be put, at the end of a line: not in a long text, nor between documentation and its line."""
    places, inside, at = [], False, 0
    for line in text.splitlines(keepends=True):
        at += len(line)
        inside ^= line.count('"""') % 2 == 1
        if not inside and not line.startswith("##"):
            places.append(at - 1)
    return places


NOISE = st.sampled_from(["", " ", "  # a comment", "\n", "\n\n  # a comment\n", "\t"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(gaps(BOARD)), NOISE), max_size=12), st.booleans())
def test_c2_white_space_and_comments_do_not_change_the_revision(noise: list[tuple[int, str]], windows: bool) -> None:
    text = BOARD
    for at, what in sorted(dict(noise).items(), reverse=True):
        text = text[:at] + what + text[at:]
    assert compiled(text.replace("\n", "\r\n") if windows else text).revision == compiled().revision


def test_c2_documentation_places_and_the_layout_of_files_do_not_change_the_revision(tmp_path: Path) -> None:
    (tmp_path / "words.newel").write_text('text rules """\n  Be kind.\n  """\nextend type role = judge\n')
    prompt = board("Do what", "{{rules}} Do what")
    (tmp_path / "board.newel").write_text(f'use "words.newel"\n{prompt}')
    (tmp_path / "whole.newel").write_text(
        prompt.replace("## What it is for.\n", "") + '\nextend type role = judge\ntext rules "Be kind."\n'
    )
    split = compile_files([tmp_path / "board.newel"]).require()
    whole = compile_files([tmp_path / "whole.newel"]).require()
    assert split.to_json() != whole.to_json()
    assert split.revision == whole.revision


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"Board"', '"The board"'),
        ("requires_signal", "requires_signal false"),
        ("wip_limit 3", "wip_limit 4"),
        ("Do what {{", "Do  what {{"),
        ('reason="go"', 'reason="stop"'),
        ("b: 2", "b: 3"),
        ("and not", "or not"),
        ("-> next when", "-> next requires approval when"),
        ('step done "Done" { end }', 'step done "Done" { end }\n  step gone "Gone" { end }'),
        ("      clear_decisions\n      ensure_participant_seat(reviewer)",
         "      ensure_participant_seat(reviewer)\n      clear_decisions"),
    ],
)  # fmt: skip
def test_c2_meaning_changes_the_revision(old: str, new: str) -> None:
    assert compiled(board(old, new)).revision != compiled().revision


def test_c2_the_order_of_steps_is_meaning_and_the_order_of_blocks_is_none() -> None:
    work, rest = BOARD.index("  step work"), BOARD.index("  step review")
    end = BOARD.index("  step done")
    turned = BOARD[:work] + BOARD[rest:end] + BOARD[work:rest] + BOARD[end:]
    assert list(compiled(turned.replace("-> next", "-> done")).workflows["board"].steps) == ["review", "work", "done"]
    assert compiled(turned.replace("-> next", "-> done")).revision != compiled().revision
    assert compiled(turned_blocks(BOARD)).revision == compiled().revision


def turned_blocks(text: str) -> str:
    """The board with the first step's two blocks the other way round."""
    first, second = text.index("    on enter {"), text.index("    on turn_complete {")
    end = text.index("\n", second) + 1
    return text[:first] + text[second:end] + text[first:second] + text[end:]


# ---------------------------------------------------------------- C3

FILES = {
    "an unknown kind": (board("clear_decisions", "clear_decision"), "NW101", "clear_decision"),
    "an unknown setting": (board("wip_limit 3", "wip_limits 3"), "NW105", "wip_limits"),
    "an unknown trigger": (board("on turn_complete", "on turn_over"), "NW102", "turn_over"),
    "an unknown argument": (board("reason=", "reasons="), "NW203", "reasons"),
    "an unknown role": (board("(reviewer)", "(reviewr)"), "NW206", "reviewr"),
    "a wrong type": (board("wip_limit 3", 'wip_limit "3"'), "NW201", '"3"'),
    "a flag in quotes": (board("requires_signal", 'requires_signal "true"'), "NW201", '"true"'),
    "a kind under another trigger": (board("-> review", "clear_decisions"), "NW401", "clear_decisions"),
    "a malformed guard": (board("all_approve(reviewer)", "all_approve"), "NW202", "all_approve"),
    "a guard of too many": (board("all_approve(reviewer)", "n_approve(reviewer, count=0)"), "NW205", "0"),
    "a guard that is a kind": (board("all_approve(reviewer)", "clear_decisions"), "NW106", "clear_decisions"),
    "a move on entry": (board("      clear_decisions", "      -> work\n      clear_decisions"), "NW403", "-> work"),
    "approval that is not read": (
        board("on turn_complete { -> review }", "on turn_start { -> review requires approval }"),
        "NW404",
        "requires approval",
    ),
    "a guard that is not read": (
        board("on turn_complete { -> review }", "on turn_start { -> review when any_reject(reviewer) }"),
        "NW404",
        "any_reject(reviewer)",
    ),
    "a second block": (
        board("    on turn_complete { -> review }", "    on turn_complete { -> review }\n    on enter {}"),
        "NW405",
        "enter",
    ),
    "a setting said twice": (board("    wip_limit 3", "    wip_limit 3\n    wip_limit 3"), "NW407", "wip_limit"),
    "an argument given twice": (board('reason="go"', 'reason="go", reason="go"'), "NW204", "reason"),
    "a key given twice": (board("b: 2", "b: 2, b: 2"), "NW211", "b"),
    "an argument without a name": (board('reason="go"', '"go"'), "NW207", '"go"'),
    "a case of another type": (board('agent("ada")', "reviewer"), "NW206", "reviewer"),
    "a case without its field": (board('agent("ada")', "agent"), "NW202", "agent"),
    "a field no case has": (board('agent("ada")', 'agent(name="ada")'), "NW203", "name"),
    "a setting without a value": (board("wip_limit 3", "wip_limit"), "NW210", "wip_limit"),
    "a setting of a workflow": (board("wip_limit 3", "hidden"), "NW105", "hidden"),
    "a word where no step is": (board("wip_limit 3", "pull_from next-one"), "NW103", "next-one"),
}


@pytest.mark.parametrize(("text", "code", "place"), FILES.values(), ids=FILES)
def test_c3_what_is_not_taken_in_is_an_error_with_a_place_and_a_hint(text: str, code: str, place: str) -> None:
    findings = [each for each in compile_text(text).findings if each.rule.code != "NW202" or code == "NW202"]
    assert [(each.rule.code, each.span.text) for each in findings if each.rule.severity == "error"] == [(code, place)]
    assert findings[0].advice
    assert compile_text(text).program is None


def test_c3_a_guard_that_cannot_be_read_is_never_no_guard() -> None:
    """No check takes such a move for an open one."""
    text = board("all_approve(reviewer) and not any_reject(role=reviewer)", "all_aprove(reviewer)")
    assert [code for code, _ in found(text)] == ["NW106"]


def test_c3_every_rule_of_binding_is_an_error_with_a_hint() -> None:
    declared = [getattr(rules, name) for name in rules.__all__]
    assert not [rule.code for rule in declared if not rule.hint]
    assert {rule.severity for rule in declared if rule.code != "NW406"} == {"error"}


# ---------------------------------------------------------------- C4


def test_c4_one_run_reports_every_error_in_source_order_each_once() -> None:
    text = board("-> review", "-> reveiw")
    text = text.replace("clear_decisions", "clear_decision").replace("wip_limit 3", "wip_limit many")
    text = text.replace("any_reject(reviewer)", "any_reject(reviewers)")
    assert found(text) == [
        ("NW103", "reveiw"),
        ("NW201", "many"),
        ("NW101", "clear_decision"),
        ("NW206", "reviewers"),
    ]


def test_c4_a_syntax_error_in_one_step_does_not_hide_the_errors_of_the_next() -> None:
    text = board("requires_signal", "requires_signal (((").replace("clear_decisions", "clear_decision")
    codes = [code for code, _ in found(text)]
    assert len(codes) == 2
    assert codes[0].startswith("NW0")
    assert codes[1] == "NW101"


def test_c4_a_fault_in_a_piece_that_is_included_twice_is_told_once_with_both_places() -> None:
    text = """\
fragment ask(role: role) {
  on enter { ensure_participant_sea(role) }
}
workflow w "W" {
  step a "A" {
    start
    include ask(reviewer)
    on turn_complete { -> b }
  }
  step b "B" {
    end
    include ask(approver)
  }
}
"""
    (finding,) = compile_text(text).findings
    assert finding.rule.code == "NW101"
    assert [(each.message, each.span.first.line) for each in finding.related] == [("included here as `ask`", 7)]


def test_c4_names_in_text_that_could_not_be_read_are_not_called_unknown() -> None:
    text = BOARD + "action note(text: text = on enter\ndispatch { note }\n"
    text = text.replace("      clear_decisions", "      note\n      clear_decisions")
    assert all(code.startswith("NW0") for code, _ in found(text))


# ---------------------------------------------------------------- C5


def test_c5_there_is_exactly_one_start() -> None:
    assert [code for code, _ in found(board("    start\n", ""))] == ["NW501"]
    assert [code for code, _ in found(board("    wip_limit 3\n", "    start\n"))] == ["NW506"]
    assert compiled().workflows["board"].start == "work"


def test_c5_names_of_steps_are_unique() -> None:
    assert [code for code, _ in found(board("step done", "step work").replace("next", "work"))] == ["NW116"]


def test_c5_next_and_previous_are_steps_in_the_program_and_an_error_where_there_is_none() -> None:
    review = compiled(board("-> work when", "-> previous when")).workflows["board"].steps["review"]
    assert [each.to for each in review.on["turn_complete"] if each.kind == "->"] == ["done", "work"]  # type: ignore[union-attr]  # a move has kind `->`
    assert ("NW502", "-> previous") in found(board("-> review", "-> previous"))


def test_c5_no_move_leads_to_its_own_step() -> None:
    assert "NW503" in [code for code, _ in found(board("-> review", "-> work"))]


TRIGGERS = [item for item in standard().tree.items if isinstance(item, tree.TriggerDecl)]
BOTH = [*(item.name.text for item in TRIGGERS), "enter", "exit"]


@pytest.mark.parametrize("trigger", BOTH)
def test_c5_every_reference_is_checked_under_every_trigger(trigger: str) -> None:
    """A kind, step, role or guard that is not there is told under each of them, whatever else may stand there."""
    block = f"on {trigger} {{\n      -> nowhere when any_reject(nobody) or no_guard\n      no_kind\n    }}"
    text = f'workflow w "W" {{\n  step a "A" {{\n    start\n    end\n    {block}\n  }}\n}}\n'
    codes = [code for code, _ in found(text) if code not in ("NW403", "NW404")]
    assert codes == ["NW103", "NW206", "NW106", "NW101"]


def test_c5_the_pull_graph_is_acyclic_and_limits_are_not_negative() -> None:
    pulls = board("requires_signal", "requires_signal\n    wip_limit 1\n    pull_from review").replace(
        "wip_limit 3", "wip_limit 3\n    pull_from work"
    )
    assert [code for code, _ in found(pulls)] == ["NW511"]
    assert found(board("wip_limit 3", "wip_limit -3")) == [("NW205", "-3")]
