"""K, K1, K2: each operation id has one declared constructor, its shape is fixed, and a blank part is refused."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newel.compiler import BlankOperation, Program, UnknownTrigger, compile_text
from newel.compiler.standard import Child

BOARD = 'workflow w "W" { step a "A" { start } }'.replace("{ step", "{\n  step").replace(" } }", " }\n}")
HEX = "[0-9a-f]{64}"
ROWS: list[dict[str, Any]] = [
    {"task": "T-1", "step": "done", "finished": True, "entry": 7},
    {"task": "T-2", "step": None, "finished": False, "entry": None},
]

SHAPES: dict[str, tuple[str, dict[str, Any], str]] = {
    "children": ("children_completed", {"task": "P", "children": ROWS}, f"on_children_completed:P:{HEX}"),
    "wake": ("wake", {"parent": "P", "children": "K"}, "wake:P:K"),
    "error of a run": ("agent_error", {"run_id": "R", "session_id": "S", "message": "m"}, "agent_error:R"),
    "error of a session": ("agent_error", {"session_id": "S", "message": "m"}, "agent_error:session:S"),
    "error of an execution": (
        "agent_error",
        {"session_id": "S", "execution_id": "E", "message": "m"},
        "agent_error:session:S:E",
    ),
    "comment": ("comment", {"comment_id": "C", "author_id": "ada"}, "task_comment:C"),
    "blockers": ("blocker_resolved", {"task": "T", "resolved": ["B"]}, "blockers_resolved:T"),
    "approval": ("approval_resolved", {"approval_id": "A", "status": "approved"}, "approval_resolved:A"),
    "heartbeat": ("heartbeat", {"task": "T", "step": "s", "at": 1700000000}, "heartbeat:T:s:1700000000"),
    "budget": (
        "budget_alert",
        {"pct": 80, "workspace": "W", "scope": "agent", "scope_id": "I", "period_start": 1700000000},
        "budget:W:agent:I:80:1700000000",
    ),
    "decision": ("decision", {"task": "T", "step": "s", "decision": "D"}, "decision:T:s:D"),
    "exit of a switch": ("switch_exit", {"parent": "op"}, "op:switch_workflow:on_exit"),
}
"""One line for each producer of the contract."""

VARYING = {
    "children": ("task",),
    "wake": ("parent", "children"),
    "error of a run": ("run_id",),
    "error of a session": ("session_id",),
    "error of an execution": ("session_id", "execution_id"),
    "comment": ("comment_id",),
    "blockers": ("task",),
    "approval": ("approval_id",),
    "heartbeat": ("task", "step", "at"),
    "budget": ("workspace", "scope", "scope_id", "pct", "period_start"),
    "decision": ("task", "step", "decision"),
    "exit of a switch": ("parent",),
}
"""The parts of each, so that none is forgotten below."""


@pytest.fixture(scope="module")
def program() -> Program:
    return compile_text(BOARD).require()


@pytest.mark.parametrize(("name", "fields", "shape"), SHAPES.values(), ids=SHAPES)
def test_ol9_every_producer_has_its_shape(program: Program, name: str, fields: dict[str, Any], shape: str) -> None:
    assert re.fullmatch(shape, program.operation_id(name, **fields))


def test_k_the_shapes_above_are_all_the_standard_vocabulary_declares(program: Program) -> None:
    triggers = {name for name, trigger in program.vocabulary.triggers.items() if trigger.operations}
    assert {name for name, _, _ in SHAPES.values()} == triggers | set(program.vocabulary.keys)


def test_k_only_the_heartbeat_is_edge_keyed_and_four_triggers_have_no_id(program: Program) -> None:
    shapes = {name: each.operations for name, each in program.vocabulary.triggers.items()}
    assert [name for name, operations in shapes.items() if any(each.edge for each in operations)] == ["heartbeat"]
    assert [name for name, operations in shapes.items() if not operations] == [
        "enter",
        "exit",
        "turn_complete",
        "turn_start",
    ]
    assert program.operation_id("turn_complete", task="T") == ""


def test_k_a_name_that_is_neither_trigger_nor_key_is_unknown(program: Program) -> None:
    with pytest.raises(UnknownTrigger, match="no_such"):
        program.operation_id("no_such", task="T")


# ---------------------------------------------------------------- K1


def children(program: Program, rows: Sequence[Any]) -> str:
    return program.operation_id("children_completed", task="P", children=rows)


def test_k1_the_same_rows_give_the_same_key_however_they_are_made(program: Program) -> None:
    turned = [dict(reversed(row.items())) for row in ROWS]
    models = [Child.model_validate(row) for row in ROWS]
    bare = [{name: value for name, value in row.items() if value is not None} for row in ROWS]
    every: list[Sequence[Any]] = [ROWS, turned, models, bare, tuple(ROWS)]
    assert len({children(program, rows) for rows in every}) == 1


@pytest.mark.parametrize(
    "change",
    [{"task": "T-9"}, {"step": "review"}, {"step": None}, {"finished": False}, {"entry": 8}, {"entry": None}],
    ids=str,
)
def test_k1_any_change_of_a_row_gives_another_key(program: Program, change: dict[str, Any]) -> None:
    changed = [{**ROWS[0], **change}, ROWS[1]]
    assert children(program, changed) != children(program, ROWS)


def test_k1_their_order_counts_and_so_does_each_of_them(program: Program) -> None:
    keys = [children(program, rows) for rows in (ROWS, ROWS[::-1], ROWS[:1], [*ROWS, ROWS[0]], [])]
    assert len(set(keys)) == len(keys)


def test_k1_texts_that_only_look_alike_are_other_rows(program: Program) -> None:
    one = [{"task": "a", "step": "b:c", "finished": True}]
    other = [{"task": "a:b", "step": "c", "finished": True}]
    assert children(program, one) != children(program, other)


def test_k1_the_key_is_the_same_in_any_process(program: Program) -> None:
    code = (
        "import sys, newel.compiler as c; p = c.compile_text(sys.argv[1]).require();"
        f"print(p.operation_id('children_completed', task='P', children={ROWS!r}))"
    )
    for seed in ("0", "77"):
        made = subprocess.run(
            [sys.executable, "-c", code, BOARD],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        )
        assert made.stdout.strip() == children(program, ROWS)


# ---------------------------------------------------------------- K2

PARTS = [(case, part) for case, parts in VARYING.items() for part in parts]


@pytest.mark.parametrize("blank", ["", "  ", "\t\n"], ids=repr)
@pytest.mark.parametrize(("case", "part"), PARTS)
def test_k2_a_blank_part_is_an_error_and_no_shared_key(program: Program, case: str, part: str, blank: str) -> None:
    name, fields, _ = SHAPES[case]
    with pytest.raises(BlankOperation, match=part):
        program.operation_id(name, **{**fields, part: blank})


@pytest.mark.parametrize("case", [case for case in SHAPES if not case.startswith("error")])
def test_k2_a_part_that_is_not_given_is_an_error_where_no_shape_does_without(program: Program, case: str) -> None:
    name, fields, _ = SHAPES[case]
    for part in VARYING[case]:
        rest = {each: value for each, value in fields.items() if each != part}
        for too_few in (rest, {**rest, part: None}):
            with pytest.raises(BlankOperation):
                program.operation_id(name, **too_few)


def test_k2_an_error_without_run_and_session_has_no_key(program: Program) -> None:
    with pytest.raises(BlankOperation, match="run_id or session_id"):
        program.operation_id("agent_error", message="m", execution_id="E")


# ---------------------------------------------------------------- one key, one delivery

TEXTS = st.text(st.sampled_from("ab:%35A/"), min_size=1, max_size=6).filter(str.strip)
"""Parts that might be taken for something else: for two of them, or for what one is written as."""


@given(data=st.data(), case=st.sampled_from([case for case in SHAPES if case != "children"]))
def test_ol9_other_parts_give_another_key(program: Program, data: st.DataObject, case: str) -> None:
    name, fields, _ = SHAPES[case]
    one, other = (tuple(data.draw(TEXTS) for _ in VARYING[case]) for _ in range(2))
    keys = [program.operation_id(name, **{**fields, **dict(zip(VARYING[case], t, strict=True))}) for t in (one, other)]
    assert (keys[0] == keys[1]) == (one == other)


@given(run=TEXTS, session=TEXTS, execution=TEXTS, other=TEXTS)
def test_ol9_the_shapes_of_one_trigger_never_give_one_key(
    program: Program, run: str, session: str, execution: str, other: str
) -> None:
    errors = [{"run_id": run}, {"session_id": session}, {"session_id": other, "execution_id": execution}]
    assert len({program.operation_id("agent_error", message="m", **parts) for parts in errors}) == 3


@pytest.mark.parametrize(
    ("name", "fields", "key"),
    [
        ("comment", {"comment_id": "a-1 %3A"}, "task_comment:a-1 %3A"),
        ("comment", {"comment_id": "a:1%"}, "task_comment:a:1%"),
        ("agent_error", {"run_id": "session:S"}, "agent_error::session%3AS"),
        ("agent_error", {"session_id": "S:E"}, "agent_error:session::S%3AE"),
        ("heartbeat", {"task": "T:s", "step": "s", "at": 17}, "heartbeat::T%3As:s:17"),
        ("switch_exit", {"parent": "task_comment::a%3A1"}, "task_comment::a%3A1:switch_workflow:on_exit"),
        ("heartbeat", {"task": "T:1%", "step": "s", "at": 17}, "heartbeat::T%3A1%25:s:17"),
    ],
)
def test_ol9_only_a_part_that_holds_a_colon_is_written_otherwise(
    program: Program, name: str, fields: dict[str, Any], key: str
) -> None:
    assert program.operation_id(name, message="m", **fields) == key
