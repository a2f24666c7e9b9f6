"""The files of `tests/cases/ok`: right in everything, compiled, written down and read back."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]  # it has no types of its own
import pytest

from newel.compiler import Program, compile_files, json_schema

OK = Path(__file__).parents[1] / "cases" / "ok"


@pytest.mark.parametrize("path", sorted(OK.glob("*.newel")), ids=lambda path: path.stem)
def test_a_right_file_has_no_finding_and_a_program(path: Path) -> None:
    compiled = compile_files([path])
    assert [(finding.rule.code, finding.message) for finding in compiled.findings] == []
    program = compiled.require()
    assert Program.from_json(program.to_json()) == program
    jsonschema.validate(json.loads(program.to_json()), json_schema(program.vocabulary))
