"""Every example of the README and the manual does what the page says, in an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks, pages, runs, walk

SHOWN = [page for page in pages() if any(runs(block) for block in blocks(page))]


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_does_what_it_shows(page: Path, tmp_path: Path) -> None:
    assert not (wrong := walk(page, tmp_path)), "\n\n".join(wrong)


def test_a_page_that_shows_something_else_is_caught(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ echo one\ntwo\n```\n\n```python\nprint(3)\n```\n\n```text\n4\n```\n", "utf-8")
    assert [text.splitlines()[0] for text in walk(page, tmp_path)] == [
        "line 1: $ echo one",
        "line 6: the script prints:",
    ]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{target} is nowhere"
