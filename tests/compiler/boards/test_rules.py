"""Every rule of the export is shown by its own example, and gone in the mended one."""

from __future__ import annotations

import re

import pytest

from newel.compiler.boards import EXPORT_RULES, export_text
from newel.compiler.checks import rules
from newel.compiler.imports import IMPORT_RULES
from newel.dsl import Rule

BY_SIZE = {"NW953"}
"""What no short file can show; it has a test of its own."""


@pytest.mark.parametrize("rule", EXPORT_RULES, ids=lambda rule: rule.code)
def test_the_wrong_example_gives_the_finding_and_the_right_one_gives_none(rule: Rule) -> None:
    right = export_text(rule.right)
    assert right.findings == ()
    assert right.text is not None
    if rule.code not in BY_SIZE:
        wrong = export_text(rule.wrong)
        assert {finding.rule.code for finding in wrong.findings} == {rule.code}
        assert (wrong.text is None) == (rule.severity == "error")


def test_codes_and_names_are_found_nowhere_else_and_stand_in_their_order() -> None:
    codes = [rule.code for rule in EXPORT_RULES]
    assert codes == sorted(codes)
    assert all(re.fullmatch(r"NW95\d", code) for code in codes)
    others = [*IMPORT_RULES, *rules().values()]
    assert not {rule.code for rule in others}.intersection(codes)
    assert not {rule.name for rule in others}.intersection(rule.name for rule in EXPORT_RULES)
