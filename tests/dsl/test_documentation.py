"""Comments that document the declaration on the next line."""

from __future__ import annotations

from typing import Any

import pytest

from newel.dsl import parse


def docs(text: str) -> list[str | None]:
    """The documentation of every item and of every step of a text without fault."""
    file, findings = parse(text)
    assert [each.message for each in findings] == []
    found = []
    for item in file.items:
        node: Any = item
        found.append(node.doc)
        found += [each.doc for each in getattr(node, "body", []) if hasattr(each, "doc")]
    return found


def test_a_block_documents_the_declaration_on_the_next_line() -> None:
    assert docs("## One.\n##   Two.\n##\n##Three.\nplaceholder x\nplaceholder y\n") == ["One.\n  Two.\n\nThree.", None]


def test_steps_and_every_step_are_documented_inside_a_workflow() -> None:
    text = "## W\nworkflow w {\n  ## E\n  every step { a }\n  ## S\n  step s {}\n  step t {}\n}\n"
    assert docs(text) == ["W", "E", "S", None]


def test_a_plain_comment_may_stand_between() -> None:
    assert docs("## Said.\n# newel: allow NW705 because of the host\nplaceholder x\n") == ["Said."]


def test_a_line_of_signs_is_no_documentation() -> None:
    assert docs("#### Part two ####\n########\nplaceholder x\n") == [None]


def test_windows_line_breaks_do_not_matter() -> None:
    assert docs("## A\r\n## B\r\nplaceholder x\r\n") == ["A\nB"]


@pytest.mark.parametrize(
    "text",
    [
        "## At the end.",
        "## Before an empty line.\n\nplaceholder x\n",
        "placeholder x ## behind\n",
        "workflow w {\n  ## Before a setting.\n  hidden\n}\n",
        "workflow w {\n  step s {\n    ## Before a block.\n    on enter { a }\n  }\n}\n",
        "workflow w {\n  step s {}\n  ## Before the end.\n}\n",
        "type t = a\n  ## Before a case.\n  | b\n",
    ],
)
def test_one_that_stands_before_nothing_is_found_once(text: str) -> None:
    file, findings = parse(text)
    assert [each.rule.code for each in findings] == ["NW010"]
    assert not file.broken


def test_one_before_a_broken_declaration_is_no_second_finding() -> None:
    _, findings = parse("## Said.\ntypo x = y\nplaceholder z\n")
    assert [each.rule.code for each in findings] == ["NW003"]
