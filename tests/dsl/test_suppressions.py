"""What comments allow."""

from __future__ import annotations

import pytest

from newel.dsl import parse
from newel.dsl.source import Source
from newel.dsl.suppressions import Suppression, suppressions


def read(text: str) -> list[Suppression]:
    return suppressions(parse(Source("x.newel", text))[0])


def test_a_comment_alone_allows_on_its_line_and_the_next() -> None:
    (found,) = read("# newel: allow NW505 because tasks stay\nplaceholder x\n")
    assert (found.code, found.reason, found.lines) == ("NW505", "tasks stay", (1, 2))
    assert found.span.text == "# newel: allow NW505 because tasks stay"


def test_a_comment_behind_something_allows_on_its_line() -> None:
    (found,) = read("placeholder x # newel: allow NW705 because the host asks for it\n")
    assert found.lines == (1,)


def test_other_comments_may_stand_between() -> None:
    (found,) = read("# newel: allow NW705 because of the host\n# Another.\n## A word.\nplaceholder x\n")
    assert found.lines == (1, 4)


def test_all_lines_of_a_declaration_are_meant_but_not_of_a_block() -> None:
    (found,) = read('# newel: allow NW406 because it is so\ntrigger t\n  operation "t"\n  means person\ngroup g = t\n')
    assert found.lines == (1, 2, 3, 4)
    (found,) = read('# newel: allow NW501 because it is so\nworkflow w "W" {\n}\n')
    assert found.lines == (1, 2)


def test_several_codes_share_a_reason() -> None:
    found = read("# newel: allow NW505, NW504 because tasks stay\nplaceholder x\n")
    assert [(each.code, each.reason) for each in found] == [("NW505", "tasks stay"), ("NW504", "tasks stay")]


@pytest.mark.parametrize("text", ["allow NW505", "allow NW505 because", "allow NW505 because  "])
def test_a_reason_may_be_missing(text: str) -> None:
    (found,) = read(f"# newel: {text}\nplaceholder x\n")
    assert (found.code, found.reason) == ("NW505", "")


@pytest.mark.parametrize("text", ["", "NW505", "alow NW505 because x", "allow", "allow NW505 since it is so"])
def test_what_cannot_be_read_has_no_code(text: str) -> None:
    (found,) = read(f"# newel: {text}\nplaceholder x\n")
    assert found.code == ""


@pytest.mark.parametrize("text", ["# a newel: comment", '# "newel: allow NW505 because x"', "# see newel:"])
def test_other_comments_allow_nothing(text: str) -> None:
    assert read(f"{text}\nplaceholder x\n") == []


def test_the_last_line_of_a_file_can_be_such_a_comment() -> None:
    (found,) = read("placeholder x\n# newel: allow NW505 because x")
    assert found.lines == (2,)
