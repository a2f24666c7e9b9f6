"""Nothing that changes is silent: a program is changed in every field of the model, and each time something is told.

`changing` makes the other programs, each sound in itself, from a board that uses every part there is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from newel.compiler import compile_files, compile_text, program
from newel.compiler.diff import compare
from newel.compiler.program import Model, Program
from tests.compiler.diff.changing import Changed, Field, changed, fields

EVERYTHING = Path(__file__).with_name("everything.newel")

NAMED = ("Declared", "Marked", "TypeDef", "TriggerDef", "KeyDef", "GuardDef", "KindDef", "Step", "Workflow")
WITHOUT_MEANING = {
    ("Program", "format_version"): "the form of the file, the same for both programs of one Newel",
    ("Program", "revision"): "worked out from the rest",
    ("Action", "kind"): "says which class the statement is of: another kind is another statement, in `Step.on`",
    ("Guard", "kind"): "the same for guards, in `Move.guard`",
    ("Move", "kind"): "always `->`",
    ("Negated", "kind"): "always `!`",
    ("Step", "start"): "goes with `Workflow.start`: the test of a start that moves",
    ("Workflow", "start"): "goes with `Step.start`: the test of a start that moves",
    **{(name, "name"): "a name is the key it stands under too, and is changed there" for name in NAMED},
}
"""Fields that are not changed alone, with the reason."""


@pytest.fixture(scope="module")
def old() -> Program:
    return compile_files([EVERYTHING]).require()


@pytest.fixture(scope="module")
def others(old: Program) -> list[Changed]:
    return list(changed(old))


def test_whatever_changes_the_revision_is_told_in_both_directions(old: Program, others: list[Changed]) -> None:
    silent = [
        (other.field, other.path)
        for other in others
        if other.program.revision != old.revision and not (compare(old, other.program) and compare(other.program, old))
    ]
    assert not silent, f"{len(silent)} of {len(others)}: {silent[:10]}"


def test_every_field_of_the_model_has_been_changed(others: list[Changed], old: Program) -> None:
    """By itself, or by something in it."""
    paths = {other.path for other in others if other.program.revision != old.revision}
    inside = {path[:length] for path in paths for length in range(len(path) + 1)}
    touched = {field for field, path, _ in fields(old) if path in inside}
    assert sorted(_fields() - touched - WITHOUT_MEANING.keys()) == []
    assert len(paths) > 250


def test_documentation_is_told_although_the_revision_is_the_same(others: list[Changed], old: Program) -> None:
    documented = [other.program for other in others if other.field[1] == "doc"]
    assert documented
    for new in documented:
        assert new.revision == old.revision
        assert [change.rule.code for change in compare(old, new)] == ["NW809"]


def test_a_start_that_moves_is_told() -> None:
    text = EVERYTHING.read_text("utf-8")
    moved = text.replace("    start\n    color", "    color").replace(
        "    asks_signal\n", "    start\n    asks_signal\n"
    )
    found = compare(compile_text(text).require(), compile_text(moved).require())
    assert [change.rule.code for change in found] == ["NW807"]


# What stands in a program only as one of its heirs.
_BASES = ("Model", "Declared", "Marked")


def _fields() -> set[Field]:
    models = [each for each in vars(program).values() if isinstance(each, type) and issubclass(each, Model)]
    meaning = {
        (model.__name__, name) for model in models for name in model.model_fields if name not in ("place", "doc")
    }
    return {(name, field) for name, field in meaning if name not in (*_BASES, "Place")}
