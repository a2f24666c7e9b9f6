"""Plain words of a document mean what they mean to the client's own reader, Go's yaml.v3."""

from __future__ import annotations

import math

import pytest

from newel.compiler.imports.document import Mapping, Node, Plain, Scalar, Sequence, kind_of, plain_value, scalars, shown

VALUES: list[tuple[str, Plain]] = [
    ("", None),
    ("~", None),
    ("null", None),
    ("nUll", "nUll"),
    ("true", True),
    ("False", False),
    ("yes", "yes"),
    ("no", "no"),
    ("on", "on"),
    ("off", "off"),
    ("y", "y"),
    ("0", 0),
    ("-0", 0),
    ("+7", 7),
    ("007", 7),
    ("0o17", 15),
    ("017", 15),
    ("0x1F", 31),
    ("-0b101", -5),
    ("1_000", 1000),
    ("08", 8.0),
    ("2.7", 2.7),
    (".5", 0.5),
    ("1e3", 1000.0),
    ("1e", "1e"),
    ("0x", "0x"),
    ("-", "-"),
    (".", "."),
    ("1:30", "1:30"),
    ("2026-08-01", "2026-08-01"),
    ("18446744073709551616", 18446744073709551616.0),
    ("-9223372036854775808", -9223372036854775808),
    (".inf", math.inf),
    ("-.INF", -math.inf),
    ("Backlog", "Backlog"),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_a_plain_word_is_the_value_it_is_to_the_client(text: str, value: Plain) -> None:
    assert plain_value(text) == value
    assert type(plain_value(text)) is type(value)


def test_not_a_number_is_a_number_that_is_not() -> None:
    found = plain_value(".nan")
    assert isinstance(found, float)
    assert math.isnan(found)


def test_a_word_of_endless_digits_is_left_a_text() -> None:
    assert isinstance(plain_value("9" * 5000), str)


def test_a_quoted_word_is_a_text_whatever_it_looks_like() -> None:
    assert Scalar(0, 0, "true", plain=False).value == "true"
    assert not Scalar(0, 0, "", plain=False).absent


def test_scalars_come_in_the_order_of_the_file() -> None:
    a, b, c = (Scalar(at, at + 1, name, plain=True) for at, name in enumerate("abc"))
    document = Mapping(0, 9, ((a, Sequence(1, 9, (b, c))),))
    assert [scalar.text for scalar in scalars(document)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("node", "words"),
    [
        (Mapping(0, 0, ()), "a map"),
        (Sequence(0, 0, ()), "a list"),
        (Scalar(0, 0, "", plain=True), "nothing"),
        (Scalar(0, 0, "1", plain=True), "`1`"),
        (Scalar(0, 0, "1", plain=False), "the text `1`"),
        (Scalar(0, 0, "a\nb", plain=False), "the text `a\\nb`"),
    ],
)
def test_a_node_is_named_in_the_words_of_a_reader(node: Mapping | Sequence | Scalar, words: str) -> None:
    assert isinstance(node, Node)
    assert kind_of(node) == words


def test_a_message_holds_no_long_text_and_nothing_that_does_not_print() -> None:
    assert shown("a\x1b[31m\u202eb") == "a\\x1b[31m\\u202eb"
    assert shown("x" * 300) == "x" * 199 + "…"
