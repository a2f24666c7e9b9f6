"""The way of a file: what each phase loads, and what a caller gets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from newel.compiler import CompileError, check_text, compile_text
from newel.compiler.limits import Limits

ROOT = Path(__file__).parents[2]
GOOD = 'workflow w "W" {\n  step a "A" { start }\n}\n'
BAD = 'workflow w "W" {\n  step a "A" { strat }\n}\n'
HEAVY = ("pydantic", "jinja2", "transitions", "sqlite3", "rich", "click", "yaml", "lark", "newel.runtime")


def test_checking_loads_nothing_heavy() -> None:
    check = "import sys, newel.compiler as c; c.check_files(sys.argv[1:])"
    code = f"{check}; print([each for each in {HEAVY!r} if each in sys.modules])"
    warm = [sys.executable, "-c", code, "examples/office.newel"]
    # A measured process loads what its measuring needs.
    alone = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    subprocess.run(warm, cwd=ROOT, check=True, capture_output=True)  # the parsing table may have to be made first
    said = subprocess.run(warm, cwd=ROOT, check=True, capture_output=True, text=True, env=alone).stdout
    assert said.strip() == "[]"


def test_a_good_text_has_a_program_and_a_bad_one_has_findings() -> None:
    good, bad = compile_text(GOOD), compile_text(BAD)
    assert good.program is not None
    assert good.require() is good.program
    assert bad.program is None
    with pytest.raises(CompileError, match=r"<text>:2: NW105 a step has no setting `strat`") as error:
        bad.require()
    assert error.value.findings == bad.findings


def test_warnings_do_not_keep_a_program_back() -> None:
    compiled = compile_text(GOOD + "placeholder unused\n")
    assert [finding.rule.severity for finding in compiled.findings] == ["warning"]
    assert compiled.program is not None


def test_the_bound_model_is_there_whatever_is_wrong() -> None:
    checked = check_text(BAD)
    assert not checked.good
    assert list(checked.model.workflows["w"].steps) == ["a"]
    assert checked.model.workflows["w"].steps["a"].incomplete


def test_findings_are_reported_under_the_path_that_is_given() -> None:
    finding, *_ = check_text(BAD, "<stdin>").findings
    assert finding.span.source.path == "<stdin>"


def test_a_file_without_workflows_is_a_program_without_workflows() -> None:
    assert not compile_text("").require().workflows


PLAYED = GOOD + '\nscenario "one" for w {\n  create\n  expect at a\n}\n'


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("expect at dune", "NW103"),
        ("expct at a", "NW126"),
        ("decide ada approved role=nobody", "NW206"),
        ("move", "NW202"),
        ("expect queued many", "NW201"),
    ],
)
def test_what_is_wrong_in_a_scenario_alone_takes_nothing_from_the_program(line: str, code: str) -> None:
    faulty = PLAYED + f'\nscenario "two" for w {{\n  create\n  {line}\n}}\n'
    compiled = compile_text(faulty)
    assert compiled.sound is not None
    assert compiled.sound.revision == compile_text(GOOD).require().revision
    with pytest.raises(CompileError, match=code):
        compiled.require()  # who compiles a file is told of all that is wrong with it
    assert [finding.rule.severity for finding in compiled.findings] == ["error"]
    assert [script.title for script in compiled.scenarios] == ["one"]  # the other would be played without its line
    assert check_text(faulty).good is False


def test_a_scenario_of_a_workflow_that_is_not_there_takes_nothing_from_the_program() -> None:
    assert compile_text(PLAYED.replace("for w", "for v")).sound is not None


def test_what_is_wrong_beside_a_scenario_does() -> None:
    for text in (BAD, BAD + '\nscenario "two" for w {\n  create\n  expect at dune\n}\n'):
        assert compile_text(text).sound is None
        assert compile_text(text).scenarios == ()


@pytest.mark.parametrize("line", ["expect at (", '"'])
def test_text_in_a_scenario_that_cannot_be_read_could_be_anything(line: str) -> None:
    assert compile_text(PLAYED + f'\nscenario "two" for w {{\n  create\n  {line}\n}}\n').sound is None


def test_no_number_of_faults_in_scenarios_hides_one_of_the_program() -> None:
    lines = "\n".join("  expect at dune" for _ in range(50))
    faulty = f'scenario "two" for w {{\n  create\n{lines}\n}}\n{BAD}'
    assert compile_text(faulty, limits=Limits(shown=10)).sound is None
