"""Every example of the README and the manual does what the page says, in an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.names import slug

from tests.docs.pages import FENCE, ROOT, anchors, blocks, headings, pages, runs, walk

SHOWN = [page for page in pages() if any(runs(block) for block in blocks(page))]


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_does_what_it_shows(page: Path, tmp_path: Path) -> None:
    assert not (wrong := walk(page, tmp_path)), "\n\n".join(wrong[:2])


def test_a_page_that_shows_something_else_is_caught(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ echo one\ntwo\n```\n\n```python\nprint(3)\n```\n\n```text\n4\n```\n", "utf-8")
    assert [text.splitlines()[0] for text in walk(page, tmp_path)] == [
        "line 1: $ echo one",
        "line 6: the script prints:",
    ]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    """To a file that is there, and to a heading that it has."""
    for target in re.findall(r"\]\(([^)\s]+)", FENCE.sub("", page.read_text("utf-8"))):
        path, _, place = target.partition("#")
        if "://" not in target:
            file = page.parent / path if path else page
            assert file.exists(), f"{target} is nowhere"
            assert not place or place in anchors(file), f"{target}: the page has no such heading"


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_no_two_headings_of_a_page_have_one_address(page: Path) -> None:
    addresses = [slug(heading) for heading in headings(page)]
    assert sorted(addresses) == sorted(set(addresses))


def test_every_page_of_the_manual_can_be_reached_from_the_index() -> None:
    linked = set(re.findall(r"\]\(([\w/.-]+\.md)", (ROOT / "docs" / "index.md").read_text("utf-8")))
    manual = {str(page.relative_to(ROOT / "docs")) for page in pages()[1:]}
    assert sorted(page for page in manual - linked if page != "index.md" and not page.startswith("decisions/")) == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: page.name)
def test_what_a_page_says_is_shown_by_a_test_is_shown_by_one(page: Path) -> None:
    """A test that a page names is there, in a file that the page names."""
    text = page.read_text("utf-8")
    files = {path.removeprefix("tests/") for path in re.findall(r"`([\w/]+/test_\w+\.py)`", text)}
    shown = "\n".join((ROOT / "tests" / file).read_text("utf-8") for file in files)
    assert [test for test in re.findall(r"`(test_\w+)`", text) if f"def {test}(" not in shown] == []
