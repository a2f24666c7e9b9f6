"""What is said of broken files, word for word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from newel.dsl import SYNTAX_RULES, parse
from newel.dsl.findings import Finding, Rule
from newel.dsl.source import Source

CASES = Path(__file__).parents[1] / "cases" / "syntax"


def said(finding: Finding) -> str:
    """A finding as the golden files hold it: place, code, message, hint, and the other places."""
    place = f"{finding.span.first.line}:{finding.span.first.column}-{finding.span.last.line}:{finding.span.last.column}"
    lines = [f"{place} {finding.rule.code} {finding.message}", f"  {finding.advice}"]
    lines += [f"  {each.span.first.line}:{each.span.first.column} {each.message}" for each in finding.related]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", sorted(CASES.glob("*.newel")), ids=lambda path: path.stem)
def test_the_findings_of_a_broken_file_are_as_they_were(path: Path, golden: Callable[[Path, str], None]) -> None:
    _, findings = parse(Source(path.name, path.read_text(encoding="utf-8")))
    golden(path.with_suffix(".txt"), "".join(map(said, findings)))


@pytest.mark.parametrize("rule", SYNTAX_RULES, ids=lambda rule: rule.name)
def test_the_example_of_a_rule_gives_exactly_its_finding(rule: Rule) -> None:
    assert [finding.rule for finding in parse(rule.wrong)[1]] == [rule]
    assert parse(rule.right)[1] == []


def test_the_rules_are_in_the_order_of_their_codes() -> None:
    listed = [rule.code for rule in SYNTAX_RULES]
    assert listed == sorted(set(listed))


SLIPS = {
    'workflow w "W" {\n  color = "red"\n}\n': "a setting has no `=`: write `color VALUE`",
    'workflow w "W" {\n  color: "red"\n}\n': "a setting has no `:`: write `color VALUE`",
    'workflow w "W" {\n  hidden; start\n}\n': "one statement a line",
    "workflow w \"W\" {\n  color 'red'\n}\n": 'write "red"',
    'workflow w "W" { step a "A" { on t { -> b when x && y } } }\n': "write `and`",
    'workflow w "W" { step a "A" { on t { -> b when x || y } } }\n': "write `or`",
    'workflow w "W" { step a "A" { on t { -> b when !x } } }\n': "write `not`",
    '// a comment\nworkflow w "W" {}\n': "comments begin with `#`",
    'workflow w "W" { step a "A" { on t { => b } } }\n': "write `->`",
    'workflow w "W" { step a Being worked on { } }\n': 'put it in quotes: "Being worked on"',
}


@pytest.mark.parametrize("text", SLIPS)
def test_a_common_slip_has_words_of_its_own(text: str) -> None:
    """One finding each, with a hint that says what to write."""
    (finding,) = parse(text)[1]
    assert finding.advice == SLIPS[text]


@pytest.mark.parametrize("text", [text for text in SLIPS if "//" not in text])
def test_a_common_slip_is_read_as_what_was_meant(text: str) -> None:
    (workflow,) = parse(text)[0].items
    assert type(workflow).__name__ == "Workflow"


def test_every_finding_says_what_to_do() -> None:
    for path in CASES.glob("*.newel"):
        for finding in parse(path.read_text(encoding="utf-8"))[1]:
            assert finding.advice, (path.name, finding.message)


@pytest.mark.parametrize(
    ("text", "called"),
    [
        (
            'scenario "a rejection sends it back, an approval lets it go" for board {\n  create\n',
            'scenario "a rejection sends it back, an approval lets it ...',
        ),
        ('workflow w "W" {\n  step a "{ A }" { on enter {\n', "on enter"),
        ('workflow w "W" { step a "A" {\n', 'step a "A"'),
        ('workflow w "W" {\n', 'workflow w "W"'),
    ],
)
def test_a_block_that_is_never_closed_is_called_by_how_it_begins(text: str, called: str) -> None:
    (finding,) = parse(text)[1]
    assert finding.message == f"the `{{` of `{called}` is never closed"
