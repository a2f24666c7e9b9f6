"""Every board in `examples/` is clean, compiles, is documented and drawn, and is walked through every step."""

from __future__ import annotations

from pathlib import Path

import pytest

from newel.compiler import check_files
from newel.compiler.docs import render_docs
from newel.compiler.exports import EXPORTS, graph
from newel.dsl import parse, tree
from newel.dsl.source import Source
from newel.runtime import OutcomeKind
from tests.examples.support import BOARDS, EXAMPLES, WITH_WORKFLOWS, Desk, program, service

board = pytest.mark.parametrize("path", WITH_WORKFLOWS, ids=lambda path: path.name)


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.name)
def test_a_board_is_clean(path: Path) -> None:
    assert check_files([path], root=EXAMPLES).findings == ()


@board
def test_a_board_is_documented_and_drawn(path: Path, tmp_path: Path) -> None:
    made = program(path)
    render_docs(made, tmp_path)
    for workflow in made.workflows.values():
        page = (tmp_path / f"{workflow.name}.html").read_text("utf-8")
        assert all(f'id="step-{name}"' in page for name in workflow.steps)
        for export in EXPORTS:
            drawn = graph(made, workflow.name, export.name)
            assert all(step.title in drawn for step in workflow.steps.values() if len(step.title) < 12)


@board
def test_a_board_is_walked_through_every_step(path: Path, tmp_path: Path) -> None:
    """A task arrives at each step by itself and from each other one: nothing fails, and the ledger proves itself."""
    desk = Desk()
    with service(path, tmp_path / "walk.db", desk) as made:
        for workflow in made.program.workflows.values():
            steps = list(workflow.steps)
            for number, step in enumerate(steps):
                name = f"{workflow.name}-{number}"
                assert made.create(name, workflow=workflow.name, step=step).kind is OutcomeKind.MOVED
                for other in steps:
                    if made.task(name).step == other:
                        continue
                    outcome = made.move(name, other, route="agent_move")
                    assert outcome.kind is OutcomeKind.MOVED
                    assert outcome.entry is not None
                    failures = [a for a in outcome.entry.actions if a.status == "failed"]
                    assert not failures
                    expected = [a.kind for _, a in made.program.dispatched(workflow.name, other)]
                    assert [a.kind for a in outcome.entry.actions] == expected
                    session = [a.kind for _, a in made.program.excluded(workflow.name, other)]
                    assert [a.kind for a in outcome.entry.session_actions] == session
        audit = made.audit()
        assert audit.clean
        assert not audit.notes


# ---------------------------------------------------------------- together they use everything there is


def _nodes(value: object) -> list[tree.Node]:
    found: list[tree.Node] = []
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, (list, tuple)):
            todo.extend(item)
        elif isinstance(item, tree.Node):
            found.append(item)
            todo.extend(getattr(item, name) for cls in type(item).__mro__ for name in getattr(cls, "__slots__", ()))
    return found


def _all_nodes() -> list[tree.Node]:
    return [node for path in BOARDS for node in _nodes(parse(Source(path.name, path.read_text("utf-8")))[0].items)]


def test_together_the_boards_use_every_form_of_the_language() -> None:
    forms = {
        cls
        for cls in vars(tree).values()
        if isinstance(cls, type) and issubclass(cls, tree.Node) and cls not in (tree.Node, tree.Broken, tree.Comment)
    }
    assert forms - {type(node) for node in _all_nodes()} == set()


def test_together_the_boards_use_the_whole_standard_vocabulary() -> None:
    standard = program(EXAMPLES / "office.newel").vocabulary
    nodes = _all_nodes()
    called = {node.name.text for node in nodes if isinstance(node, tree.Call)}
    fired = {node.trigger.text for node in nodes if isinstance(node, tree.On)}
    said = {node.name.text for node in nodes if isinstance(node, tree.Setting)}
    assert set(standard.kinds) - called == set()
    assert set(standard.guards) - called == set()
    assert set(standard.triggers) - fired == set()
    assert {setting.name for setting in standard.settings} - said == set()
