"""The JSON Schema of programs, held against programs by a validator that is not ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it has no types of its own
import pytest

from newel.compiler import Program, compile_files, json_schema

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.newel"))
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda path: path.name)
def program(request: pytest.FixtureRequest) -> Program:
    return compile_files([request.param]).require()


def test_every_program_fits_the_schema_of_all_and_that_of_its_vocabulary(program: Program) -> None:
    for schema in (json_schema(), json_schema(program.vocabulary)):
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(json.loads(program.to_json()), schema)


def entry(plain: dict[str, Any]) -> list[dict[str, Any]]:
    return plain["workflows"]["office"]["steps"]["review"]["on"]["enter"]  # type: ignore[no-any-return]  # plain JSON


WRONG: dict[str, Change] = {
    "no revision": lambda plain: plain.pop("revision"),
    "an unknown field": lambda plain: plain.update(extra=1),
    "a step without settings": lambda plain: plain["workflows"]["office"]["steps"]["review"].pop("settings"),
    "an action without a kind": lambda plain: entry(plain)[0].pop("kind"),
}
WRONG_FOR_THE_VOCABULARY: dict[str, Change] = {
    **WRONG,
    "an unknown kind": lambda plain: entry(plain)[0].update(kind="nothing"),
    "an unknown parameter": lambda plain: entry(plain)[0].update(nothing=1),
    "a case that is none": lambda plain: entry(plain)[1].update(role="nobody"),
}


@pytest.mark.parametrize("change", WRONG_FOR_THE_VOCABULARY.values(), ids=WRONG_FOR_THE_VOCABULARY)
def test_what_is_no_program_does_not_fit(change: Change) -> None:
    office = next(path for path in EXAMPLES if path.name == "office.newel")
    program = compile_files([office]).require()
    plain = json.loads(program.to_json())
    change(plain)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain, json_schema(program.vocabulary))
    if change in WRONG.values():
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(plain, json_schema())
