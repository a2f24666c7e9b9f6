"""Every promise of the contract has a test, and an edit of the source that it catches (`make torture` makes them)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.promises.edits import ROOT, Edit, edits
from tests.promises.lines import NAMED, all_lines, shown


@pytest.mark.parametrize("line", all_lines())
def test_every_line_has_a_test_and_an_edit_that_breaks_it(line: str) -> None:
    assert shown().get(line.lower()), f"no test is named after {line}"
    assert any(edit.line == line for edit in edits()) == all_lines()[line].edits, f"edits in broken.toml of {line}"


def test_every_test_that_is_named_after_a_line_is_named_after_one_there_is() -> None:
    known = {line.lower() for line in all_lines()}
    assert {line: tests for line, tests in shown().items() if line not in known} == {}


@pytest.mark.parametrize("name", ["xx9", "se3z", "q7", "c10"])
def test_a_test_that_is_named_after_no_line_is_seen(name: str) -> None:
    assert [line for _, line in NAMED.findall(f"    def test_{name}_does(self) -> None:\n")] == [name]
    assert name not in {line.lower() for line in all_lines()}


@pytest.mark.parametrize("edit", edits(), ids=lambda edit: edit.line)
def test_every_edit_fits_the_source_as_it_is(edit: Edit) -> None:
    assert edit.line in all_lines()
    text = Path(ROOT / edit.file).read_text("utf-8")
    assert text.count(edit.find) == 1, f"stands {text.count(edit.find)} times in {edit.file}"
    assert edit.find != edit.replace
