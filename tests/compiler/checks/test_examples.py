"""Every rule's examples are run: the wrong one gives that finding and no other, the right one nothing.

What is said of each is golden, as text and as JSON, in `tests/cases/err/`; `pytest --update-goldens` writes it anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from newel.compiler.checks.examples import NAME, findings_of
from newel.compiler.checks.registry import rules
from newel.compiler.pipeline import check_files
from newel.compiler.reports import report
from newel.dsl.findings import Rule

CASES = Path(__file__).parents[2] / "cases" / "err"
RULES = list(rules().values())
Golden = Callable[[Path, str], None]


def stem(rule: Rule) -> str:
    return f"{rule.code}-{rule.name}"


@pytest.fixture(params=RULES, ids=stem)
def rule(request: pytest.FixtureRequest) -> Rule:
    assert isinstance(request.param, Rule)
    return request.param


def test_the_wrong_example_gives_its_finding_and_no_other(rule: Rule) -> None:
    found = findings_of(rule, rule.wrong)
    assert found
    assert {finding.rule.code for finding in found} == {rule.code}


def test_the_right_example_gives_nothing(rule: Rule) -> None:
    assert findings_of(rule, rule.right) == ()


def test_what_is_said_of_the_wrong_example_is_as_it_was(rule: Rule, golden: Golden) -> None:
    """The file of the case is the example itself, so that it can be given to the program; its report is beside it."""
    folder = CASES / stem(rule) if rule.extra else CASES
    golden(folder / NAME if rule.extra else CASES / f"{stem(rule)}.newel", rule.wrong)
    for path, text in rule.extra.items():
        golden(folder / path, text)
    found = findings_of(rule, rule.wrong)
    golden(CASES / f"{stem(rule)}.txt", report("text", found, 1))
    golden(CASES / f"{stem(rule)}.json", report("json", found, 1))


BOARDS = sorted(path.name for path in CASES.glob("*.newel") if not path.name.startswith("NW"))


@pytest.mark.parametrize("name", BOARDS)
def test_what_is_said_of_a_board_with_several_faults_is_as_it_was(name: str, golden: Golden) -> None:
    found = check_files([CASES / name], CASES).findings
    assert found
    golden(CASES / f"{name.removesuffix('.newel')}.txt", report("text", found, 1))
    golden(CASES / f"{name.removesuffix('.newel')}.json", report("json", found, 1))


def test_no_case_is_left_without_its_rule() -> None:
    stems = {stem(rule) for rule in RULES} | {name.removesuffix(".newel") for name in BOARDS}
    assert {path.stem for path in CASES.iterdir()} == stems


def test_the_prose_of_a_rule_has_one_form(rule: Rule) -> None:
    """Messages and hints: lower case, no full stop, one line; names kebab-case; pages end without an empty line."""
    assert re.fullmatch(r"NW\d{3}", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    for text in (rule.message, *([rule.hint] if rule.hint else [])):
        assert not text.endswith((".", "!", " "))
        assert not re.match(r"[A-Z][a-z]", text)
        assert "\n" not in text
        assert text.count("`") % 2 == 0
    assert rule.why.strip().endswith(".")
    assert rule.wrong != rule.right


def test_every_finding_says_what_to_do(rule: Rule) -> None:
    for finding in findings_of(rule, rule.wrong):
        assert finding.advice
        assert "{" not in finding.message + finding.advice or "`" in finding.message + finding.advice
