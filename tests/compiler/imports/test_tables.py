"""The tables of the client's words fit the standard vocabulary: what they carry is declared there."""

from __future__ import annotations

import pytest

from newel.compiler.imports.arguments import ROLES
from newel.compiler.imports.draft import Time, Value, Word
from newel.compiler.imports.guards import THRESHOLDS
from newel.compiler.imports.importing import STANDARD_PLACEHOLDERS
from newel.compiler.imports.tables import GATES_UNDER, MOVES_UNDER, PORTABLE, TEMPLATE, TRIGGERS, Field, Form, Kind
from newel.compiler.program import Vocabulary
from tests.compiler.imports.boards import compiled

FORMS = (TEMPLATE, PORTABLE)


@pytest.fixture(scope="module")
def standard() -> Vocabulary:
    return compiled('workflow w "W" {\n  step a "A" { start }\n}\n')[0].vocabulary


def plain(value: Value | None) -> object:
    match value:
        case Word(text=text):
            return text
        case Time(seconds=seconds):
            return seconds
        case _:
            return value


def test_every_trigger_is_declared_and_every_declared_one_is_in_the_table(standard: Vocabulary) -> None:
    assert set(TRIGGERS.values()) == set(standard.triggers)


def test_moves_and_gates_stand_where_the_language_admits_them(standard: Vocabulary) -> None:
    assert {TRIGGERS[key] for key in MOVES_UNDER} == {each.name for each in standard.triggers.values() if each.moves}
    assert {TRIGGERS[key] for key in GATES_UNDER} == {each.name for each in standard.triggers.values() if each.guarded}


@pytest.mark.parametrize("kind", [*TEMPLATE.kinds.values(), *PORTABLE.kinds.values()], ids=lambda kind: kind.name)
def test_every_kind_is_declared_under_the_same_triggers_and_with_the_same_parameters(
    kind: Kind, standard: Vocabulary
) -> None:
    declared = standard.kinds[kind.name]
    assert {TRIGGERS[key] for key in kind.triggers} == set(declared.triggers)
    first, *_ = [*declared.parameters, None]
    given = {param.argument or (first.name if first else ""): param for param in kind.params}
    assert set(given) == {parameter.name for parameter in declared.parameters}
    for parameter in declared.parameters:
        assert given[parameter.name].required == parameter.required
        default = parameter.default
        word = default["case"] if isinstance(default, dict) else default
        assert plain(given[parameter.name].default) == word


def test_every_kind_of_the_vocabulary_can_be_imported(standard: Vocabulary) -> None:
    assert set(TEMPLATE.kinds) == set(PORTABLE.kinds) == set(standard.kinds)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_key_becomes_a_declared_setting_with_the_default_that_is_declared(
    form: Form, standard: Vocabulary
) -> None:
    rows: list[tuple[str, Field]] = [("workflow", row) for row in form.workflow] + [("step", row) for row in form.step]
    declared = {(setting.owner, setting.name): setting for setting in standard.settings}
    for owner, row in rows:
        setting = declared["workflow" if owner == "workflow" else "step", row.setting]
        assert plain(row.default) == (setting.default if setting.default is not None else plain(row.absent)), row.key


def test_roles_guards_and_placeholders_are_those_of_the_vocabulary(standard: Vocabulary) -> None:
    assert {case.name for case in standard.types["role"].cases} == set(ROLES)
    assert set(standard.guards) == {*THRESHOLDS, "n_approve"}
    assert set(standard.placeholders) == set(STANDARD_PLACEHOLDERS)
