"""Whole files: beside each stands what it becomes (`.newel`, where it has no error) and what is said of it (`.txt`).

The examples of the rules are among them. `pytest --update-goldens` writes what stands beside them anew.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from newel.compiler.imports import IMPORT_RULES, Imported, import_text
from newel.compiler.reports import report
from newel.dsl import Rule
from tests.compiler.imports.boards import ROOT, compiled

Golden = Callable[[Path, str], None]

CASES = ROOT / "tests" / "cases" / "import"
FILES = sorted(path.name for path in CASES.iterdir() if path.suffix in {".yml", ".json"} and path.name[:2] != "NW")
SHOWN = [rule for rule in IMPORT_RULES if rule.wrong]


def hold(stem: str, result: Imported, golden: Golden) -> None:
    golden(CASES / f"{stem}.txt", report("text", result.findings, 1))
    written = CASES / f"{stem}.newel"
    if result.text is None:
        assert not written.exists()
    else:
        golden(written, result.text)
        compiled(result.text)


@pytest.mark.parametrize("name", FILES)
def test_a_file_becomes_what_stands_beside_it(name: str, golden: Golden) -> None:
    path = CASES / name
    hold(path.stem, import_text(path.read_bytes(), name), golden)


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.code)
def test_what_is_said_of_the_example_of_a_rule_is_as_it_was(rule: Rule, golden: Golden) -> None:
    stem = f"{rule.code}-{rule.name}"
    golden(CASES / f"{stem}.yml", rule.wrong)
    hold(stem, import_text(rule.wrong, f"{stem}.yml"), golden)
