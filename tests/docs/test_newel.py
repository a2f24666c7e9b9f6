"""The Newel of the manual: whole files have no finding, a `fragment` can be read, `wrong=` says what is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from newel.compiler import check_text
from newel.dsl.layout import format_source
from newel.dsl.source import Source
from tests.docs.pages import ROOT, Block, blocks, pages

WRITTEN = [
    (page, block)
    for page in pages()
    for block in blocks(page)
    if block.language == "newel" and block.title is None and "example" not in block.info
]


def codes(block: Block) -> list[str]:
    return sorted({finding.rule.code for finding in check_text(block.body, "page.newel").findings})


def name(value: object) -> str | None:
    if isinstance(value, Path):
        return str(value.relative_to(ROOT))
    return str(value.line) if isinstance(value, Block) else None


@pytest.mark.parametrize(("page", "block"), WRITTEN, ids=name)
def test_a_piece_of_newel_is_what_the_page_says(page: Path, block: Block) -> None:
    found = codes(block)
    if "fragment" in block.info:
        assert not [code for code in found if code < "NW1"]
    else:
        said = re.search(r"wrong=(\S+)", block.info)
        assert found == (said[1].split(",") if said else [])


@pytest.mark.parametrize("page", [page for page in pages() if page.name != "format.md"], ids=name)
def test_the_newel_of_a_page_is_in_the_one_layout(page: Path) -> None:
    """But for the page that shows how to bring it there, and what says `unformatted`."""
    for block in blocks(page):
        if block.language == "newel" and not {"example", "unformatted"} & set(block.info.split()):
            assert format_source(Source("page.newel", block.body))[0] == block.body, f"line {block.line}"


def test_the_pages_of_findings_alone_leave_their_examples_to_the_tests_of_the_checks() -> None:
    """tests/compiler/checks/test_examples.py runs them."""
    assert {page.name for page in pages() for block in blocks(page) if "example" in block.info} == {"findings.md"}
