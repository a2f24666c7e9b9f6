"""Examples of the rules of the export, and boards of `examples/`: beside each stands what is said of it, and what is
written. `pytest --update-goldens` writes it anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from newel.compiler import check_files
from newel.compiler.boards import EXPORT_RULES, Exported, export_checked, export_text
from newel.compiler.reports import report
from newel.dsl import Rule

Golden = Callable[[Path, str], None]

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests" / "cases" / "export"
SHOWN = [rule for rule in EXPORT_RULES if rule.wrong]


def hold(stem: str, exported: Exported, golden: Golden) -> None:
    """Compare the report in text and JSON, and the file where there is one."""
    golden(CASES / f"{stem}.txt", report("text", exported.findings, 1))
    golden(CASES / f"{stem}.json", report("json", exported.findings, 1))
    written = CASES / f"{stem}.yml"
    if exported.text is None:
        assert not written.exists()
    else:
        golden(written, exported.text)


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.code)
def test_what_is_said_of_the_example_of_a_rule_is_as_it_was(rule: Rule, golden: Golden) -> None:
    stem = f"{rule.code}-{rule.name}"
    golden(CASES / f"{stem}.newel", rule.wrong)
    hold(stem, export_text(rule.wrong, path=f"{stem}.newel"), golden)
    if rule.severity == "error":
        hold(f"{stem}-lossy", export_text(rule.wrong, path=f"{stem}.newel", lossy=True), golden)


@pytest.mark.parametrize("form", ["portable", "template"])
@pytest.mark.parametrize("name", ["kanban", "office"])
def test_a_board_of_the_examples_is_written_as_it_was(name: str, form: str, golden: Golden) -> None:
    checked = check_files([ROOT / "examples" / f"{name}.newel"], root=ROOT / "examples")
    exported = export_checked(checked, form=form, lossy=True)
    assert exported.text is not None
    golden(CASES / f"{name}-{form}.yml", exported.text)
