"""Our own manual in a real browser, opened from disk: search, dark mode, a phone, accessibility."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from docs.manual import build
from playwright.sync_api import Browser

from tests.browser.browsing import DESK, PHONE, chromium, started, visit

pytestmark = [
    pytest.mark.skipif(chromium() is None, reason="no Chromium is installed here"),
    pytest.mark.xdist_group("browser"),
]
PAGES = ("index", "tutorial", "reference-language", "how-to-ci", "decisions-0095-stages")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as running:
        yield running


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manual")
    build(folder)
    return folder


@pytest.mark.parametrize(
    ("size", "dark"), [(DESK, False), (DESK, True), (PHONE, False)], ids=["light", "dark", "phone"]
)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_violation(browser: Browser, manual: Path, name: str, size: tuple[int, int], dark: bool) -> None:
    """And nothing is asked of the network, as of every visit."""
    with visit(browser, size, dark=dark) as shown:
        shown.open(manual / f"{name}.html")
        assert shown.violations() == []


def test_no_page_is_wider_than_a_phone(browser: Browser, manual: Path) -> None:
    """Tables scroll by themselves, blocks of code break."""
    with visit(browser, PHONE) as shown:
        for path in sorted(manual.glob("*.html")):
            page = shown.open(path)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], path.name


def test_the_search_leads_to_a_heading(browser: Browser, manual: Path) -> None:
    """An option, a code and a name are found by the keyboard alone."""
    with visit(browser) as shown:
        page = shown.open(manual / "index.html")
        for word, place in (
            ("NW301", "reference-findings.html#nw301-"),
            ("--statistics", "reference-command-line.html#newel-check---statistics"),
            ("queue_run", "reference-vocabulary.html#queue_run"),
        ):
            page.keyboard.press("/")
            page.keyboard.type(word)
            page.locator("#found [role=option]").first.wait_for()
            page.keyboard.press("Enter")
            page.wait_for_url(f"**/{place}*")


def test_on_a_phone_the_list_of_pages_is_reached_from_the_top(browser: Browser, manual: Path) -> None:
    """It stands below the page there; on a desk beside it, and nothing leads to it."""
    with visit(browser, PHONE) as shown:
        page = shown.open(manual / "reference-findings.html")
        page.get_by_role("link", name="Pages", exact=True).click()
        page.wait_for_function("document.querySelector('#pages').getBoundingClientRect().top < innerHeight")
        assert page.locator("#pages summary").first.is_visible()
    with visit(browser) as shown:
        page = shown.open(manual / "reference-findings.html")
        assert page.get_by_role("link", name="Pages", exact=True).count() == 0


def test_one_reads_on_from_page_to_page(browser: Browser, manual: Path) -> None:
    """From the first to the tutorial, and on; the example is documentation as `newel docs` writes it."""
    with visit(browser) as shown:
        page = shown.open(manual / "index.html")
        page.get_by_role("link", name="Tutorial", exact=True).last.click()
        page.wait_for_url("**/tutorial.html")
        page.get_by_role("navigation", name="Before and after").get_by_role("link").last.click()
        page.wait_for_url("**/how-to-*.html")
        page.get_by_role("link", name="Example", exact=True).click()
        page.wait_for_url("**/example/index.html")
        page.get_by_role("link", name="Office", exact=True).click()
        assert page.locator("svg.newel-picture").is_visible()
