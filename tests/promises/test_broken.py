"""Every promise of the contract has a test, and an edit of the source that it catches (`make torture` makes them)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.promises.edits import ROOT, Edit, edits

# the lines of the contract that this version keeps; the others come later
LINES = [
    *(f"C{n}" for n in range(1, 6)),
    *(f"O{n}" for n in range(1, 5)),
    *(f"SL{n}" for n in range(1, 9)),
    *(f"SE{n}" for n in (1, 2, 3, "3a", *range(4, 12))),
    *(f"EN{n}" for n in (1, 2, 3, "3a", *range(4, 18))),
    *(f"OL{n}" for n in range(1, 13)),
    *(f"K{n}" for n in range(1, 5)),
    *(f"Q{n}" for n in (1, 2, "2a", 3, 4, 5, 6)),
    *(f"ST{n}" for n in range(1, 4)),
    *(f"LM{n}" for n in range(1, 4)),
    *(f"OB{n}" for n in range(1, 5)),
]


def _tests() -> set[str]:
    names: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        names.update(re.findall(r"^\s*(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE))
    return names


@pytest.mark.parametrize("line", LINES)
def test_every_line_has_a_test_and_an_edit_that_breaks_it(line: str) -> None:
    assert any(name.startswith(f"test_{line.lower()}_") for name in _tests()), f"no test is named after {line}"
    assert any(edit.line == line for edit in edits()), f"no edit in broken.toml breaks {line}"


@pytest.mark.parametrize("edit", edits(), ids=lambda edit: edit.line)
def test_every_edit_fits_the_source_as_it_is(edit: Edit) -> None:
    assert edit.line in LINES
    text = Path(ROOT / edit.file).read_text("utf-8")
    assert text.count(edit.find) == 1, f"stands {text.count(edit.find)} times in {edit.file}"
    assert edit.find != edit.replace
