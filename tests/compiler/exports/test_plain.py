"""What text of a user's becomes before it stands in a picture or page."""

from __future__ import annotations

import pytest

from newel.compiler.exports.plain import anchor, columns, line, lines, wrapped


def test_line_breaks_and_tabs_stay_and_what_acts_is_shown() -> None:
    """A text keeps its lines; an escape, a NUL and an override become signs."""
    assert lines("a\r\n\tb\x1b[0m\x00\u202e\uffff") == "a\n\tb\u241b[0m\u2400\ufffd\ufffd"


def test_joiners_and_other_scripts_stay() -> None:
    """What people write with is left alone."""
    text = "\u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f4bb Gr\u00fc\u00dfe \u65e5\u672c"
    assert lines(text) == text


def test_one_line_has_single_blanks() -> None:
    """White space of any kind is one blank."""
    assert line("  a\n\n b\t c ") == "a b c"


def test_anchors_differ_where_names_differ() -> None:
    """A name is its own anchor; any other text has one of its own, without a sign that means something."""
    assert anchor("handed-over_2") == "handed-over_2"
    names = ["a b", "a_b", "a.20.b", "a-b", "\u00e9", "", "."]
    assert len({anchor(name) for name in names}) == len(names)


def test_east_asian_signs_take_two_columns() -> None:
    """Width is counted as it is seen."""
    assert columns("ab\u65e5") == 4


@pytest.mark.parametrize("text", ["x" * 300, "\u65e5" * 90, "all_approve(reviewer) and not any_reject(reviewer) " * 4])
def test_wrapped_rows_are_never_too_wide_nor_too_many(text: str) -> None:
    """However long a text is, and with or without blanks; what is cut off is seen to be."""
    rows = wrapped(text, 20, 3)
    assert len(rows) == 3
    assert all(columns(row) <= 21 for row in rows)
    assert rows[-1].endswith("\u2026")


def test_a_long_word_is_cut_behind_a_joint() -> None:
    """Names are easier to read in their parts."""
    assert wrapped("queue_run_for_each_participant", 20, 3) == ["queue_run_for_each_", "participant"]
