"""Every rule of the import is shown by its own example, and gone in the mended one."""

from __future__ import annotations

import re

import pytest

from newel.compiler.checks import rules
from newel.compiler.imports import IMPORT_RULES, import_text
from newel.dsl import SYNTAX_RULES, Rule

BY_SIZE_OR_BYTES = {"NW901", "NW903", "NW904", "NW917"}
"""What no short text can show; each has a test of its own."""


@pytest.mark.parametrize("rule", IMPORT_RULES, ids=lambda rule: rule.code)
def test_the_wrong_example_gives_the_finding_and_the_right_one_gives_none(rule: Rule) -> None:
    wrong, right = import_text(rule.wrong), import_text(rule.right)
    assert right.findings == ()
    assert right.text is not None
    if rule.code not in BY_SIZE_OR_BYTES:
        assert {finding.rule.code for finding in wrong.findings} == {rule.code}
        assert (wrong.text is None) == (rule.severity == "error")


def test_codes_and_names_are_unique_also_among_the_other_families() -> None:
    everything = [*IMPORT_RULES, *SYNTAX_RULES, *(rule for rule in rules().values() if rule not in IMPORT_RULES)]
    distinct = {id(rule): rule for rule in everything}.values()
    for key in ("code", "name"):
        values = [getattr(rule, key) for rule in distinct]
        assert len(values) == len(set(values)), key


def test_the_rules_stand_in_the_order_of_their_codes_and_all_are_of_one_family() -> None:
    codes = [rule.code for rule in IMPORT_RULES]
    assert codes == sorted(codes)
    assert all(re.fullmatch(r"NW9\d\d", code) for code in codes)


@pytest.mark.parametrize("rule", IMPORT_RULES, ids=lambda rule: rule.code)
def test_every_page_says_why_in_lines_that_fit_a_terminal(rule: Rule) -> None:
    assert rule.why.strip() == rule.why
    assert rule.why.endswith(".")
    assert max(map(len, rule.why.split("\n"))) <= 118
    assert not rule.message.endswith(".")
