"""What people write out of habit from other languages: one finding each, which says what to write."""

from __future__ import annotations

import pytest

from newel.compiler.pipeline import check_text
from newel.dsl.findings import Finding

BOARD = """\
workflow w "W" {
  step a "A" {
    start
    requires_signal
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      auto_start_agent
    }
    on turn_complete {
      -> b when all_approve(reviewer)
      -> c
    }
  }
  step b "B" {
    color "red"
    on enter { clear_decisions }
    on turn_complete { -> c }
  }
  step c "C" { end }
}
"""

HABITS = [
    ("b when all", "b if all", "write `when`"),
    ("b when all", "b unless all", "write `when not`"),
    ("all_approve(reviewer)", "all_approve reviewer", "arguments stand in brackets: `all_approve(reviewer)`"),
    ("when all", "when not not all", "write one `not`, or none, and only before a guard"),
    ("when all", "when !all", "write `not`"),
    ("{ -> c }", "{ goto c }", "a move is written `-> c`"),
    ("{ -> c }", "{ move c }", "a move is written `-> c`"),
    ("{ -> c }", "{ transition to c }", "a move is written `-> c`"),
    ("{ -> c }", '{ -> "c" }', "a name has no quotes: write `c`"),
    ("{ -> c }", "-> c", "put it in braces: `{ -> c }`"),
    ("turn_complete { -> c }", "turn_complete: -> c", "write `{` for the `:`, and `}` at the end"),
    ("turn_complete { -> c }", "turn_complete: { -> c }", "remove the `:`"),
    ("      -> c\n", "      else -> c\n", "leave `else` out: of the moves the first that holds is taken"),
    ('step c "C"', 'step "c" "C"', "a name has no quotes: write `c`"),
    ('step c "C"', 'step "The end"', 'a name comes first: `step NAME "The end"`'),
    ('step c "C"', 'step c: "C"', "remove the `:`"),
    ('step c "C"', 'state c "C"', "write `step`"),
    ('step c "C" {', "column c {", "write `step`"),
    ('step c "C" { end }', 'step c "C"', "write `{}` at the end of the line: a body may be empty"),
    ('step b "B" {', 'step b "B"', "write `{` at the end of the line"),
    ('color "red"', 'color = "red"', "a setting has no `=`: write `color VALUE`"),
    ('color "red"', 'color: "red"', "a setting has no `:`: write `color VALUE`"),
    ('color "red"', 'color "red",', "leave the `,` out: a line ends by itself"),
    ("    start\n", "    start,\n", "leave the `,` out: a line ends by itself"),
    ("-> c }\n  }", "-> c }\n  },", "leave the `,` out: a line ends by itself"),
    ("  step c", "  ,\n  step c", "leave the `,` out: a line ends by itself"),
    ("{ clear_decisions }", "{ clear_decisions, queue_run }", "write a line for each, without `,`"),
    ("{ clear_decisions }", '{ queue_run reason="x" }', "arguments stand in brackets: `queue_run(reason=...)`"),
    ("{ clear_decisions }", "{ clear_decisions queue_run }",
     "one statement a line; arguments stand in brackets: `clear_decisions(...)`"),
    ("on enter { clear_decisions }", "on_enter { clear_decisions }", "write `on enter`"),
    ("on enter { clear_decisions }", "onEnter { clear_decisions }", "write `on enter`"),
    ("on enter { clear_decisions }", "when enter { clear_decisions }", "write `on enter`"),
    ("on enter { clear_decisions }", "on entry { clear_decisions }", "did you mean `enter`?"),
    ("all_approve(reviewer)", "nott all_approve(reviewer)", "write `not`"),
]  # fmt: skip

FULL = """\
trigger paid(order: text) operation "paid:{order}" means person

action ship(to: text) on paid

dispatch {}

fragment gate(role: role) {
  on comment { queue_run(reason="x") }
}

workflow w "W" {
  every step { color "red" }
  step a "A" {
    start
    on turn_complete {
      -> b requires approval when all_decide(reviewer) and not any_reject(reviewer)
    }
    include gate(reviewer)
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
    }
    on paid { ship(to="x") }
  }
  step b "B" { end }
}

scenario "through" for w {
  create
  decide ada approved role=reviewer
}
"""

KEYWORDS = [
    ('step a "A"', 'stp a "A"', "write `step`"),
    ('step a "A"', 'setp a "A"', "write `step`"),
    ('step a "A"', "stp a", "write `step`"),
    ('step b "B" { end }', 'Step b "B" { end }', "write `step`"),
    ("every step", "evry step", "write `every`"),
    ("every step", "every stp", "write `step`"),
    ("on turn_complete {", "onn turn_complete {", "write `on`"),
    ("on turn_complete {", "no turn_complete {", "write `on`"),
    ("include gate", "includ gate", "did you mean `include`?"),
    ("    start\n", "    strat\n", "did you mean `start`?"),
    ("{ end }", "{ edn }", "did you mean `end`?"),
    ("when all", "wen all", "write `when`"),
    ("requires", "requries", "write `requires`"),
    ("approval when", "aproval when", "write `approval`"),
    ("and not", "an not", "write `and`"),
    ("and not", "and nott", "write `not`"),
    ("for w", "fro w", "write `for`"),
    ("scenario", "scenaro", "write `scenario`"),
    ("workflow", "workflw", "write `workflow`"),
    ("fragment", "fragmnt", "write `fragment`"),
    ("dispatch {}", "dispach {}", "write `dispatch`"),
    ("trigger", "triger", "write `trigger`"),
    ("action", "acton", "write `action`"),
    ("means", "mean", "write `means`"),
    ("operation", "opertion", "write `operation`"),
    (" on paid\n", " onn paid\n", "write `on`"),
]
"""A keyword with a letter wrong: what follows from it is not said."""

MISPLACED = [
    ('workflow w "W" {', 'step x "X" {\n  start\n}\n\nworkflow w "W" {', "`step` stands in a workflow"),
    ('workflow w "W" {', 'step x { }\nworkflow w "W" {', "`step` stands in a workflow"),
    ('workflow w "W" {', 'on enter { clear_decisions }\nworkflow w "W" {', "`on` stands in a step"),
    ("  every step", "  on enter { clear_decisions }\n  every step", "`on` stands in a step"),
    ("  every step", "  include gate(reviewer)\n  every step", "`include` stands in a step"),
    ("    start\n", '    start\n    step x "X" { }\n', "`step` stands in a workflow"),
    ("    start\n", "    start\n    every step { }\n", "`every` stands in a workflow"),
    ("    start\n", "    start\n    guard x\n", "`guard` stands at the top of a file"),
    ("      -> b", "      on enter { }\n      -> b", "`on` stands in a step"),
    ("      -> b", "      include gate(reviewer)\n      -> b", "`include` stands in a step"),
]


@pytest.mark.parametrize(("right", "wrong", "advice"), KEYWORDS + MISPLACED, ids=lambda each: each[:24])
def test_a_keyword_that_is_misspelt_or_misplaced_has_one_finding(right: str, wrong: str, advice: str) -> None:
    assert check_text(FULL, "board.newel").findings == ()
    (finding,) = check_text(FULL.replace(right, wrong, 1), "board.newel").findings
    assert finding.advice == advice


def findings(right: str, wrong: str) -> list[Finding]:
    assert right in BOARD
    return list(check_text(BOARD.replace(right, wrong, 1), "board.newel").findings)


@pytest.mark.parametrize(("right", "wrong", "advice"), HABITS, ids=[wrong for _, wrong, _ in HABITS])
def test_a_habit_has_one_finding_that_says_what_to_write(right: str, wrong: str, advice: str) -> None:
    (finding,) = findings(right, wrong)
    assert finding.advice == advice


def test_tabs_are_as_good_as_blanks() -> None:
    assert (
        check_text(BOARD.replace("  ", "\t"), "board.newel").findings == check_text(BOARD, "board.newel").findings == ()
    )


def test_a_long_text_that_mixes_tabs_and_blanks_is_told_in_one_finding() -> None:
    (finding,) = findings('color "red"', 'prompt """\n\t\thello\n      """')
    assert finding.advice == "indent all lines alike: here tabs and spaces are mixed"


SAFE = (" if ", '"c"', "state", ",")
MENDED = [(right, wrong) for right, wrong, _ in HABITS if any(part in wrong for part in SAFE)]


@pytest.mark.parametrize(("right", "wrong"), MENDED, ids=[wrong for _, wrong in MENDED])
def test_what_can_only_be_meant_so_is_mended_so(right: str, wrong: str) -> None:
    """The edits of the finding give a board that has no error."""
    (finding,) = findings(right, wrong)
    assert finding.fix is not None
    text = finding.span.source.text
    for edit in sorted(finding.fix.edits, key=lambda edit: -edit.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert [each for each in check_text(text, "board.newel").findings if each.rule.severity == "error"] == []
