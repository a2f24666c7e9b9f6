"""O1-O4: who runs what on entry is said once, in the language, and checked."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from newel.compiler.files import STANDARD, standard
from newel.compiler.model import Vocabulary
from newel.compiler.pipeline import check_files, check_text
from newel.dsl.findings import Finding

ROOT = Path(__file__).parents[2]
TEXT = standard().source.text

DISPATCHED = {
    "clear_decisions",
    "ensure_participant_seat",
    "queue_run",
    "queue_run_for_each_participant",
    "run_code_review",
}
EXCLUDED = {
    "enable_plan_mode",
    "set_session_mode",
    "configure_session",
    "auto_start_agent",
    "reset_agent_context",
}
LISTED = {**dict.fromkeys(sorted(DISPATCHED), "dispatch"), **dict.fromkeys(sorted(EXCLUDED), "exclude")}
OTHER = {"dispatch": "exclude", "exclude": "dispatch"}
BOARD = """
workflow board "Board" {
  step a "A" { start }
  step b "B" { end }
}
"""


def vocabulary() -> Vocabulary:
    return check_text(BOARD).model.vocabulary


def unlisted(kind: str) -> str:
    """The standard vocabulary with a kind taken out of its list."""
    head, lists = TEXT.split("\ndispatch {")
    return head + "\ndispatch {" + re.sub(rf"\b{kind}\b,?", "", lists, count=1)


def places(finding: Finding) -> list[tuple[str, str]]:
    return [(span.source.path, span.text) for span in (finding.span, *(r.span for r in finding.related))]


# ---------------------------------------------------------------- O1


@pytest.mark.parametrize("kind", LISTED)
def test_o1_every_entry_kind_left_out_of_both_lists_is_an_error_at_its_declaration(kind: str) -> None:
    (finding,) = check_text("use nothing\n" + unlisted(kind)).findings
    assert (finding.rule.code, finding.rule.severity) == ("NW301", "error")
    assert f"`{kind}`" in finding.message
    assert finding.span.text == kind
    assert [related.message for related in finding.related] == ["the list `dispatch`", "the list `exclude`"]


@pytest.mark.parametrize("kind", LISTED)
def test_o1_every_entry_kind_put_into_both_lists_is_an_error_that_names_both_places(kind: str) -> None:
    (finding,) = check_text(f"{OTHER[LISTED[kind]]} {{ {kind} }}\n{BOARD}", "own.newel").findings
    assert (finding.rule.code, finding.rule.severity) == ("NW302", "error")
    assert f"`{kind}`" in finding.message
    assert places(finding) == [("own.newel", kind), (STANDARD, kind)]


@pytest.mark.parametrize("kind", LISTED)
def test_o1_every_entry_kind_put_twice_into_its_list_is_an_error_that_names_both_places(kind: str) -> None:
    (finding,) = check_text(f"{LISTED[kind]} {{ {kind} }}\n{BOARD}", "own.newel").findings
    assert (finding.rule.code, finding.rule.severity) == ("NW303", "error")
    assert f"`{kind}`" in finding.message
    assert places(finding) == [("own.newel", kind), (STANDARD, kind)]


@pytest.mark.parametrize("owner", OTHER)
def test_o1_every_kind_that_may_not_stand_on_entry_is_an_error_in_either_list(owner: str) -> None:
    others = [kind.name for kind in vocabulary().kinds.values() if not kind.on_entry]
    assert others
    for kind in others:
        (finding,) = check_text(f"{owner} {{ {kind} }}\n{BOARD}", "own.newel").findings
        assert (finding.rule.code, finding.rule.severity) == ("NW304", "error")
        assert f"`{kind}`" in finding.message
        assert places(finding) == [("own.newel", kind), (STANDARD, kind)]


@pytest.mark.parametrize("owner", OTHER)
def test_o1_a_kind_that_nobody_declares_is_an_error_in_either_list(owner: str) -> None:
    (finding,) = check_text(f"{owner} {{ clear_decision }}\n{BOARD}", "own.newel").findings
    assert (finding.rule.code, finding.rule.severity) == ("NW305", "error")
    assert finding.advice == "did you mean `clear_decisions`?"
    assert places(finding) == [("own.newel", "clear_decision"), (STANDARD, "clear_decisions")]


def test_o1_each_fault_of_a_list_is_told_by_itself() -> None:
    text = f"action a on enter\ndispatch {{ b, queue_run, queue_run }}\nexclude {{ queue_run, run_script }}\n{BOARD}"
    found = [finding.rule.code for finding in check_text(text).findings]
    assert found == ["NW301", "NW305", "NW303", "NW303", "NW302", "NW304"]


# ---------------------------------------------------------------- O2


def literals(tree: ast.AST) -> Iterator[tuple[int, set[str]]]:
    """Every literal of a module that lists texts: brackets, the alternatives of a pattern, a chain of comparisons, the
    arguments of a call, and texts that are nothing but words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            yield node.lineno, texts(node.elts)
        elif isinstance(node, ast.Dict):
            yield node.lineno, texts(node.keys) | texts(node.values)
        elif isinstance(node, ast.Call | ast.BoolOp):
            within = chain.from_iterable(ast.iter_child_nodes(child) for child in [node, *ast.iter_child_nodes(node)])
            yield node.lineno, texts(list(within))
        elif isinstance(node, ast.MatchOr):
            yield node.lineno, texts([p.value for p in node.patterns if isinstance(p, ast.MatchValue)])
        elif isinstance(node, ast.Match):
            yield node.lineno, texts([c.pattern.value for c in node.cases if isinstance(c.pattern, ast.MatchValue)])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[\w\s,|]+", node.value):
            yield node.lineno, set(re.findall(r"\w+", node.value))


def texts(nodes: list[ast.expr | None] | list[ast.expr] | list[ast.AST]) -> set[str]:
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def kept_twice(source: str) -> list[int]:
    kinds = set(LISTED)
    return sorted({line for line, found in literals(ast.parse(source)) if len(found & kinds) > 1})


def test_o2_no_literal_of_the_product_holds_two_kinds_of_the_lists() -> None:
    modules = [path for room in ("dsl", "compiler", "runtime", "grammars") for path in (ROOT / room).rglob("*.py")]
    assert len(modules) > 100
    generated = ROOT / "compiler" / "standard.py"
    offences = {
        path.relative_to(ROOT).as_posix(): lines
        for path in modules
        if path != generated and (lines := kept_twice(path.read_text("utf-8")))
    }
    assert offences == {}


@pytest.mark.parametrize(
    "source",
    [
        'KINDS = ["queue_run", "clear_decisions"]',
        'KINDS = ("queue_run", "other", "clear_decisions")',
        'KINDS = {"queue_run": 1, "clear_decisions": 2}',
        'KINDS = {1: "queue_run", 2: "auto_start_agent"}',
        'KINDS = frozenset({"queue_run", "clear_decisions"})',
        'KINDS = "queue_run clear_decisions".split()',
        'run = kind == "queue_run" or kind == "clear_decisions"',
        'match kind:\n    case "queue_run" | "clear_decisions":\n        run()',
        'match kind:\n    case "queue_run":\n        run()\n    case "clear_decisions":\n        clear()',
        'KINDS = dict(a="queue_run", b="clear_decisions")',
    ],
)
def test_o2_every_way_to_keep_such_a_list_is_seen(source: str) -> None:
    assert kept_twice(source)


@pytest.mark.parametrize(
    "source",
    [
        '"""Runs queue_run, then clear_decisions."""',
        'X = "on enter { queue_run }"',
        'X = ["queue_run", "other"]',
        "queue_run(clear_decisions)",
    ],
)
def test_o2_prose_and_single_names_are_no_list(source: str) -> None:
    assert kept_twice(source) == []


# ---------------------------------------------------------------- O3, O4


def test_o3_the_standard_lists_are_these() -> None:
    lists = vocabulary().lists
    assert {entry.kind for entry in lists if entry.owner == "dispatch"} == DISPATCHED
    assert {entry.kind for entry in lists if entry.owner == "exclude"} == EXCLUDED
    assert len(lists) == len(LISTED)
    assert {kind.name for kind in vocabulary().kinds.values() if kind.on_entry} == set(LISTED)


def test_o4_a_kind_of_ones_own_has_to_be_placed_and_then_is_like_any_other() -> None:
    text = "action page_someone(who: text) on enter, event\n"
    board = BOARD.replace("{ start }", '{\n    start\n    on enter { page_someone("ada") }\n  }')
    assert [finding.rule.code for finding in check_text(text + board).findings] == ["NW301"]
    for owner in OTHER:
        assert check_text(f"{text}{owner} {{ page_someone }}\n{board}").findings == ()


def renamed(text: str) -> str:
    """The same in other words: every kind by another name."""
    return re.sub(rf"\b({'|'.join(sorted(vocabulary().kinds, key=len, reverse=True))})\b", r"my_\1", text)


@pytest.mark.parametrize("harm", ["", "clear_decisions\n", "ensure_participant_seat(role)\n", "requires_signal\n"])
def test_o4_the_standard_vocabulary_gets_no_special_treatment(harm: str, tmp_path: Path) -> None:
    """A board says the same to the checks with the standard words, and with a user's own that only look otherwise."""
    shutil.copytree(ROOT / "examples" / "prompts", tmp_path / "prompts")
    board = (ROOT / "examples" / "office.newel").read_text("utf-8").replace(harm or "\n", "\n")
    (tmp_path / "words.newel").write_text(f"use nothing\n{renamed(TEXT)}", "utf-8")
    (tmp_path / "plain.newel").write_text(f"# The standard\n# words.\n{board}", "utf-8")
    (tmp_path / "other.newel").write_text(f'use nothing\nuse "words.newel"\n{renamed(board)}', "utf-8")
    plain, other = (check_files([tmp_path / name], tmp_path).findings for name in ("plain.newel", "other.newel"))
    assert bool(plain) == bool(harm)
    assert [(f.rule.code, f.span.first.line, f.message) for f in plain] == [
        (f.rule.code, f.span.first.line, f.message) for f in other
    ]
    assert [f.advice for f in plain] == [f.advice.replace("my_", "") for f in other]


def test_o4_no_kind_is_named_by_the_checks_or_the_binder() -> None:
    """Texts that are a kind's name; the examples of the rules, whole files, are none."""
    kinds = set(vocabulary().kinds)
    for path in chain((ROOT / "compiler" / "checks").glob("*.py"), (ROOT / "compiler" / "bind").glob("*.py")):
        if path.name != "nw704_kind_never_run.py":  # its example's host has one handler
            named = {n.value for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Constant)}
            assert not named & kinds, path.name
