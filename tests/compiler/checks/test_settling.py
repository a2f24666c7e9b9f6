"""Findings made ready to be shown: each once, in order, without those allowed, with the severities asked for."""

from __future__ import annotations

import pytest

from newel.compiler.checks.selection import Selection, SelectionError
from newel.compiler.pipeline import check_text
from newel.dsl.findings import Finding

DEAD = """\
workflow desk "Desk" {
  every step { manual_move false }
  step open "Open" {
    start
    on turn_complete { -> refused }
    on comment       { -> done }
  }
%s
  step refused "Refused" {}%s
  step done "Done" { end }
}
"""


def checked(text: str, **options: object) -> list[Finding]:
    return list(check_text(text, "x.newel", selection=Selection(**options)).findings)  # type: ignore[arg-type] # a test's shorthand


def codes(text: str, **options: object) -> list[str]:
    return [finding.rule.code for finding in checked(text, **options)]


def test_a_comment_on_the_line_before_allows_a_finding() -> None:
    assert codes(DEAD % ("", "")) == ["NW505"]
    assert codes(DEAD % ("  # newel: allow NW505 because refused tasks stay", "")) == []


def test_a_comment_on_the_line_itself_allows_a_finding() -> None:
    assert codes(DEAD % ("", " # newel: allow NW505 because refused tasks stay")) == []


def test_a_comment_two_lines_before_allows_nothing() -> None:
    assert codes(DEAD % ("  # newel: allow NW505 because refused tasks stay\n", "")) == ["NW706", "NW505"]


def test_a_comment_allows_only_its_code() -> None:
    assert codes(DEAD % ("  # newel: allow NW504 because refused tasks stay", "")) == ["NW706", "NW505"]


def test_a_comment_that_gives_no_reason_is_a_finding_itself() -> None:
    assert codes(DEAD % ("  # newel: allow NW505", "")) == ["NW707"]


def test_a_comment_that_names_no_code_gets_a_suggestion() -> None:
    first, _ = checked(DEAD % ("  # newel: allow NW55 because refused tasks stay", ""))
    assert (first.message, first.advice) == (
        "this comment allows nothing: there is no code `NW55`",
        "did you mean `NW505`?",
    )


def test_a_comment_that_cannot_be_read_is_a_finding() -> None:
    assert codes(DEAD % ("  # newel: ignore NW505", "")) == ["NW706", "NW505"]


LOOP = """\
workflow desk "Desk" {
  step work "Work" {
    start
    # newel: allow %s because it is so
    on turn_complete { -> %s }
  }
  step done "Done" { end }
}
"""


def test_an_error_in_what_a_file_says_cannot_be_allowed() -> None:
    found = checked(LOOP % ("NW503", "work"))
    assert [finding.rule.code for finding in found] == ["NW706", "NW503"]
    assert "can only be mended" in found[0].message


def test_while_a_file_has_errors_it_is_not_said_that_a_comment_allows_nothing() -> None:
    assert codes(LOOP % ("NW505", "dome")) == ["NW103"]


def test_an_idle_loop_is_an_error_that_may_be_allowed() -> None:
    text = """\
workflow desk "Desk" {
  step write "Write" {
    start
    requires_signal
    on enter         { auto_start_agent }
    # newel: allow NW508 because the agents' budget ends it
    on turn_complete { -> check }
  }
  step check "Check" {
    requires_signal
    on enter         { auto_start_agent }
    on turn_complete { -> write }
  }
}
"""
    assert codes(text) == []


def test_a_severity_can_be_raised() -> None:
    (finding,) = checked(DEAD % ("", ""), severity={"NW505": "error"})
    assert finding.rule.severity == "error"


def test_the_longest_beginning_of_a_code_gives_the_severity() -> None:
    (finding,) = checked(DEAD % ("", ""), severity={"NW505": "note", "NW50": "error"})
    assert finding.rule.severity == "note"


def test_a_severity_turns_a_finding_on_that_is_off() -> None:
    body = "start\n    on enter {\n      auto_start_agent\n      clear_decisions\n    }\n"
    text = f'workflow w "W" {{\n  step a "A" {{\n    {body}  }}\n}}\n'
    assert codes(text) == []
    assert codes(text, severity={"NW409": "warning"}) == ["NW409"]
    assert codes(text, select=("NW409",)) == ["NW409"]
    assert codes(text, select=("NW4",)) == ["NW409"]


def test_only_what_is_selected_is_shown_and_what_is_ignored_is_not() -> None:
    text = DEAD % ("", "") + 'text unused "x"\n'
    assert codes(text) == ["NW505", "NW705"]
    assert codes(text, select=("NW7",)) == ["NW705"]
    assert codes(text, ignore=("NW7",)) == ["NW505"]
    assert codes(text, select=("NW5", "NW7"), ignore=("NW505",)) == ["NW705"]


@pytest.mark.parametrize("options", [{"select": ("NW550",)}, {"ignore": ("E501",)}, {"severity": {"NW999": "note"}}])
def test_a_code_that_is_none_is_a_mistake_of_the_call(options: dict[str, object]) -> None:
    with pytest.raises(SelectionError, match="there is no code"):
        Selection(**options)  # type: ignore[arg-type] # wrong on purpose


@pytest.mark.parametrize("code", ["NW101", "NW503", "NW5"])
def test_a_firm_error_cannot_be_made_less(code: str) -> None:
    with pytest.raises(SelectionError, match="is an error and cannot be a warning"):
        Selection(severity={code: "warning"})


def test_an_idle_loop_can_be_made_a_warning() -> None:
    assert Selection(severity={"NW508": "warning"}).severity


TWICE = """\
fragment gate(back: step) {
  on turn_complete { -> back when any_rejekt(reviewer) }
}
workflow desk "Desk" {
  step a "A" {
    start
    include gate(b)
  }
  step b "B" { include gate(a) }
}
"""


def test_a_fault_in_a_piece_included_twice_is_told_once() -> None:
    assert codes(TWICE) == ["NW106"]


def test_findings_stand_in_the_order_of_the_text() -> None:
    steps = '  step a "A" { colour "x" }\n  step b "B" { on enter { nothing_such } }\n'
    text = f'workflow w "W" {{\n{steps}}}\ndispatch {{ what }}\n'
    assert codes(text) == ["NW501", "NW105", "NW101", "NW305"]


def test_a_line_that_could_not_be_read_whole_is_one_finding() -> None:
    assert codes('workflow w "W" {\n  step a "A" {\n    start\n    auto_archive 2weeks\n  }\n}\n') == ["NW008"]
