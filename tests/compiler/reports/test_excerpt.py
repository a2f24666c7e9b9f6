"""The lines of a file shown with marks under a place."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newel.compiler.reports.excerpt import WIDTH, Row, excerpt
from newel.dsl.source import Source, Span


def rows(text: str, start: int, end: int) -> list[Row]:
    return excerpt(Span(Source("x.newel", text), start, end))


def test_marks_stand_under_the_place() -> None:
    assert rows("one two\n", 4, 7) == [Row(1, "one two"), Row(None, "    ^^^")]


def test_a_place_without_length_has_one_mark() -> None:
    assert rows("one two\n", 4, 4) == [Row(1, "one two"), Row(None, "    ^")]


def test_the_end_of_the_file_can_be_a_place() -> None:
    assert rows("one\n", 4, 4) == [Row(2, ""), Row(None, "^")]
    assert rows("", 0, 0) == [Row(1, ""), Row(None, "^")]


def test_tabs_are_widened_to_stops_of_four() -> None:
    assert rows("a\tb\tc", 2, 5) == [Row(1, "a   b   c"), Row(None, "    ^^^^^")]


def test_wide_characters_take_two_columns_and_combining_ones_none() -> None:
    assert rows("步骤 x", 0, 2) == [Row(1, "步骤 x"), Row(None, "^^^^")]
    assert rows("e\u0301e\u0301 x", 5, 6) == [Row(1, "e\u0301e\u0301 x"), Row(None, "   ^")]


def test_a_place_on_two_lines_shows_both() -> None:
    assert rows("a {\n  b\n}", 2, 7) == [Row(1, "a {"), Row(None, "  ^"), Row(2, "  b"), Row(None, "  ^")]


def test_a_place_on_many_lines_leaves_out_the_middle() -> None:
    assert rows("a {\n  b\n  c\n}\n", 0, 14) == [
        Row(1, "a {"),
        Row(None, "^^^"),
        Row(None, "..."),
        Row(4, "}"),
        Row(None, "^"),
    ]


def test_a_long_line_is_cut_on_both_sides_of_the_place() -> None:
    text = "a" * 500 + "HERE" + "b" * 500
    (_, shown), (_, marks) = rows(text, 500, 504)
    assert shown.startswith("…aaa")
    assert shown.endswith("bbb…")
    assert len(shown) <= WIDTH + 2
    assert shown[marks.index("^") : marks.rindex("^") + 1] == "HERE"


def test_the_end_of_a_long_line_fills_the_width() -> None:
    (_, shown), _ = rows("a" * 500, 499, 500)
    assert shown == "…" + "a" * WIDTH


def test_carriage_returns_are_not_shown() -> None:
    assert rows("one\r\ntwo\r\n", 0, 3) == [Row(1, "one"), Row(None, "^^^")]


@given(st.text(st.characters(codec="utf-8"), max_size=300), st.data())
def test_any_place_in_any_text_is_shown_within_the_width(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for _, shown in rows(text * data.draw(st.integers(1, 3)), start, end):
        assert sum(unicodedata.east_asian_width(c) not in "WF" and c.isascii() for c in shown) <= WIDTH + 2
        assert not any(unicodedata.category(c) == "Cc" for c in shown)


@pytest.mark.parametrize("character", ["\t", "步", "\u0301", "\u200d", "x"])
def test_a_line_of_megabytes_costs_no_more_than_what_is_shown(character: str) -> None:
    text = character * 2_000_000
    (_, shown), (_, marks) = rows(text, 1_000_000, 1_900_000)
    assert len(shown) < 1000
    assert len(marks) < 1000
