"""Mends that are made without asking: each takes its finding away, brings no other, and is made once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from newel.compiler import check_text
from newel.compiler.files import Project
from newel.compiler.fixing import mend_files, mend_text, mended
from newel.compiler.judging import check_each
from newel.compiler.reports import report
from newel.compiler.units import Task, check_source
from newel.dsl import parse
from newel.dsl.findings import Edit, Finding, Fix, Rule
from newel.dsl.source import Source, Span

STEP = 'workflow w "W" {\n  step a "A" {\n    start\n%s\n  }\n  step b "B" { end }\n}\n'


def mend(text: str) -> tuple[str, list[str], int]:
    """The text mended, the codes left, and the number of mends."""
    task = Task(Project(Path().resolve()))
    after, left, count = mend_text(Source("x.newel", text), lambda source: check_source(source, "x.newel", task))
    return after.text, [finding.rule.code for finding in left], count


MENDS = {
    '    color = "red"': '    color "red"',
    '    color="red"': '    color "red"',
    '    color: "red"': '    color "red"',
    "    color 'red'": '    color "red"',
    "    color \u201cred\u201d": '    color "red"',
    '    color\u00a0"red"': '    color "red"',
    '    color "a\tb"': '    color "a\\tb"',
    "    manual_move true;": "    manual_move true",
    '    manual_move true; color "red"': '    manual_move true\n    color "red"',
    '    color "red";\n    on turn_complete { -> b }': '    color "red"\n    on turn_complete { -> b }',
    "    // said so": "    # said so",
    "    //# said so": "    # # said so",
    "    ## a stray word": "    # a stray word",
    "    on turn_complete { => b }": "    on turn_complete { -> b }",
    "    on turn_complete { \u2192 b }": "    on turn_complete { -> b }",
}
GUARDS = {
    "any_reject(reviewer) && any_reject(approver)": "any_reject(reviewer) and any_reject(approver)",
    "any_reject(reviewer)&&any_reject(approver)": "any_reject(reviewer) and any_reject(approver)",
    "any_reject(reviewer) || any_reject(approver)": "any_reject(reviewer) or any_reject(approver)",
    "!any_reject(reviewer)": "not any_reject(reviewer)",
}


@pytest.mark.parametrize("wrong", MENDS)
def test_a_slip_is_mended(wrong: str) -> None:
    after, left, count = mend(STEP % wrong)
    assert after == STEP % MENDS[wrong]
    assert (left, count) == ([], 1)


@pytest.mark.parametrize("wrong", GUARDS)
def test_a_sign_becomes_the_word_it_stands_for(wrong: str) -> None:
    before = STEP % f"    on turn_complete {{ -> b when {wrong} }}"
    after, left, _ = mend(before)
    assert after == STEP % f"    on turn_complete {{ -> b when {GUARDS[wrong]} }}"
    assert not [code for code in left if code < "NW1"]


def test_documentation_of_what_could_not_be_read_is_left_as_it_is() -> None:
    """Its declaration may only be misspelt; once nothing else is wrong with the form, what is stray is mended."""
    before = STEP % "    ## An agent works on it." + 'workflow v "V" {\n  ## So it is.\n  stp c "C" { start }\n}\n'
    after, left, count = mend(before)
    assert (after, count) == (before, 0)
    assert "NW003" in left
    after, left, _ = mend(before.replace("stp", "step"))
    assert "    # An agent works on it.\n" in after
    assert "  ## So it is.\n" in after
    assert "NW010" not in left
    after, left, count = mend(STEP % '    ## An agent works on it.\n    color = "red"')
    assert "    # An agent works on it.\n" in after, "a form that is mended is no obstacle"
    assert count == 2


def test_a_title_without_quotes_gets_them() -> None:
    after, _, _ = mend('workflow w "W" {\n  step a Being worked on { start }\n}\n')
    assert '  step a "Being worked on" { start }\n' in after


UNMENDED = [
    "    color =",  # a value is missing, and which one is not known
    "    color: # red",
    '    colour "red"',  # a name that is like another may still be another
    "    on turn_complet { -> b }",
    '    color "red',
    "    wo\u200brk true",
]


@pytest.mark.parametrize("wrong", UNMENDED)
def test_what_must_be_asked_is_left_as_it_is(wrong: str) -> None:
    text = STEP % wrong
    after, left, count = mend(text)
    assert (after, count) == (text, 0)
    assert left


LIST = "use nothing\n\naction one on enter\naction two on enter\n\ndispatch %s\n"


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("{ one, two, one }", "{ one, two }"),
        ("{ one, one, two }", "{ one, two }"),
        ("{ one, one, one, two }", "{ one, two }"),
        ("{\n  one, # the first\n  two,\n  one,\n}", "{\n  one, # the first\n  two,\n}"),
        ("{\n  one,\n  two, # the second\n  one\n}", "{\n  one,\n  two, # the second\n  \n}"),
    ],
)
def test_a_kind_that_is_listed_twice_is_listed_once(written: str, left: str) -> None:
    after, codes, _ = mend(LIST % written)
    assert (after, codes) == (LIST % left, [])


ALLOWED = STEP % '    color "red"'


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ('    # newel: allow NW504 because of that\n    color "red"', '    color "red"'),
        ('    color "red"  # newel: allow NW504 because of that', '    color "red"'),
    ],
)
def test_a_comment_that_allows_nothing_goes(comment: str, left: str) -> None:
    after, codes, count = mend(STEP % comment)
    assert (after, codes, count) == (STEP % left, [], 1)


DEAD = """\
workflow desk "Desk" {
  every step { manual_move false }
  step open "Open" {
    start
    on turn_complete { -> refused }
    on comment       { -> done }
  }
%s  step refused "Refused" {}
  step done "Done" { end }
}
"""


def test_of_a_comment_that_allows_too_much_the_rest_stays() -> None:
    text = DEAD % "  # newel: allow NW504, NW505, NW507 because it is the last\n"
    after, codes, count = mend(text)
    assert after == text.replace("NW504, NW505, NW507", "NW505")
    assert (codes, count) == ([], 2)


def test_two_mends_that_touch_are_made_one_after_the_other() -> None:
    source = Source("x", "abc")
    rule = Rule("NW999", "x", "error", "x", "", "", "", "")

    def finding(start: int, end: int, text: str) -> Finding:
        span = Span(source, start, end)
        return Finding(rule, span, fix=Fix("x", (Edit(span, text),)))

    after, count = mended(source, [finding(0, 1, "x"), finding(1, 2, "y"), finding(2, 3, "z")])
    assert (after.text, count) == ("xbz", 2)


def test_an_edit_of_another_file_is_not_made_here() -> None:
    one, other = Source("x", "a"), Source("y", "a")
    rule = Rule("NW999", "x", "error", "x", "", "", "", "")
    elsewhere = Finding(rule, Span(other, 0, 1), fix=Fix("x", (Edit(Span(other, 0, 1), "b"),)))
    after, count = mended(one, [elsewhere])
    assert (after.text, count) == ("a", 0)


CASES = sorted((Path(__file__).parents[1] / "cases").rglob("*.newel"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_mending_a_case_takes_faults_of_form_away_and_makes_none(path: Path) -> None:
    """And a text that is mended is not mended again."""
    text = path.read_bytes().decode("utf-8", "replace")
    before = [f for f in parse(text)[1] if f.fix is None]
    after, _, _ = mend(text)
    assert len([f for f in parse(after)[1] if f.fix is None]) <= len(before)
    assert mend(after)[::2] == (after, 0)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_mend_changes_nothing_of_a_file_that_has_none(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    if not any(finding.fix for finding in check_text(text, "x.newel").findings):
        assert mend(text)[0] == text


def test_every_fix_says_what_it_does_and_stays_in_one_file() -> None:
    seen = 0
    for path in CASES:
        for finding in check_text(path.read_bytes(), path.name).findings:
            if finding.fix is not None:
                seen += 1
                assert re.match(r"[a-z]", finding.fix.message)
                assert {edit.span.source for edit in finding.fix.edits} == {finding.span.source}
    assert seen > 10


def test_only_the_files_that_are_named_are_mended(tmp_path: Path) -> None:
    (tmp_path / "words.newel").write_text("use nothing\n\naction one on enter\n\ndispatch { one, one }\n")
    (tmp_path / "board.newel").write_text('use "words.newel"\n\n## stray\n')
    task = Task(Project(tmp_path.resolve()))
    result = mend_files([tmp_path / "board.newel"], task, tick=lambda _: None)
    assert [path.name for path in result.changed] == ["board.newel"]
    assert [f.rule.code for f in result.judged.findings] == ["NW303"]
    both = mend_files(sorted(tmp_path.glob("*.newel")), task, tick=lambda _: None)
    assert [path.name for path in both.changed] == ["board.newel", "words.newel"]
    assert both.judged.findings == ()
    assert check_each([tmp_path / "board.newel"], task, tick=lambda _: None).findings, "nothing was written"


def test_the_report_of_a_mended_file_has_its_own_places() -> None:
    """What is left is told of the text as it is after the mends."""
    task = Task(Project(Path().resolve()))
    text = STEP % "    manual_move true; colour 1"
    _, left, _ = mend_text(Source("x.newel", text), lambda source: check_source(source, "x.newel", task))
    assert report("concise", left, 1).startswith("x.newel:5:5: error NW105")
