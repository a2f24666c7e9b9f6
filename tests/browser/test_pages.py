"""The pages in a real browser, opened from disk: links, search, keyboard, dark mode, a phone, print, accessibility."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from newel.compiler import compile_files
from newel.compiler.docs import render_docs
from newel.compiler.program import Move
from tests.browser.browsing import DESK, LABELS, PHONE, chromium, crossing, started, visit
from tests.compiler.exports.boards import chain, office, program, step, workflow
from tests.compiler.exports.hostile import TEXTS, board

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.skipif(chromium() is None, reason="no Chromium is installed here"),
    pytest.mark.xdist_group("browser"),
]
PAGES = ("index", "office", "vocabulary")
CHAINS = ("chain60", "chain200", "chain1000")
OPENED = "for (const each of document.querySelectorAll('details')) each.open = true"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the Office."""
    folder = tmp_path_factory.mktemp("site")
    render_docs(compile_files([ROOT / "examples" / "office.newel"]).require(), folder)
    return folder


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of boards made by hand: with every look of an arrow, and of 60, 200 and 1,000 steps."""
    folder = tmp_path_factory.mktemp("boards")
    render_docs(program(office(), *(chain(count, f"chain{count}") for count in (60, 200, 1000))), folder)
    return folder


def test_a_step_in_the_picture_leads_to_its_section(browser: Browser, site: Path) -> None:
    """By the mouse and by the keyboard; the section stands below what stays at the top."""
    with visit(browser) as shown:
        page = shown.open(site / "office.html")
        page.locator("svg a[href='#step-review'] text").first.click()
        assert page.url.endswith("office.html#step-review")
        assert 0 <= page.locator("#step-review").bounding_box()["y"] < DESK[1] / 2  # type: ignore[index] # it is shown
        page.locator("svg a[href='#step-done']").focus()
        page.keyboard.press("Enter")
        assert page.url.endswith("#step-done")


def test_links_lead_from_page_to_page(browser: Browser, site: Path) -> None:
    """From the index to a workflow, from there to a word, and back to a step that uses it."""
    with visit(browser) as shown:
        page = shown.open(site / "index.html")
        page.get_by_role("link", name="Office").first.click()
        assert page.title() == "Office"
        page.locator("#step-done a.call").first.click()
        assert page.url.endswith("vocabulary.html#kind-queue_run")
        page.locator("#kind-queue_run").get_by_role("link", name="Office: Work").click()
        assert page.url.endswith("office.html#step-work")


def test_the_search_is_used_by_keyboard_alone(browser: Browser, site: Path) -> None:
    """`/` goes there, words find, arrows choose, Enter goes, Esc leaves."""
    with visit(browser) as shown:
        page = shown.open(site / "index.html")
        assert not any("search-index" in url for url in shown.asked)
        page.keyboard.press("/")
        page.keyboard.type("REVIEW judge")
        options = page.locator("#found [role=option]")
        options.first.wait_for()
        assert page.get_by_role("combobox").get_attribute("aria-expanded") == "true"
        page.get_by_role("combobox").fill("What does queue_run do for the")
        assert page.locator("[aria-selected=true] .hit").inner_text() == "queue_run"
        page.get_by_role("combobox").fill("queue_run")
        assert options.count() > 1
        first = page.get_by_role("combobox").get_attribute("aria-activedescendant")
        page.keyboard.press("ArrowDown")
        assert page.get_by_role("combobox").get_attribute("aria-activedescendant") != first
        page.keyboard.press("ArrowUp")
        assert page.locator("[aria-selected=true] .hit").inner_text() == "queue_run"
        page.keyboard.press("Enter")
        page.wait_for_url("**/vocabulary.html#kind-queue_run")
        page.keyboard.press("/")
        page.keyboard.type("no such thing anywhere")
        page.get_by_text("nothing found").wait_for()
        page.keyboard.press("Escape")
        assert page.get_by_role("combobox").input_value() == ""
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement === document.body")


def test_a_result_is_chosen_by_the_mouse(browser: Browser, site: Path) -> None:
    with visit(browser, PHONE) as shown:
        page = shown.open(site / "vocabulary.html")
        page.get_by_role("combobox").fill("Approval")
        page.locator("#found [role=option]", has_text="step of Office").first.click()
        page.wait_for_url("**/office.html#step-approval")


def test_without_scripts_everything_but_the_search_is_there(browser: Browser, site: Path) -> None:
    with visit(browser, scripts=False) as shown:
        page = shown.open(site / "office.html")
        assert not page.get_by_role("combobox").is_visible()
        page.get_by_role("link", name="Vocabulary").click()
        assert page.title() == "Vocabulary"


@pytest.mark.parametrize(
    ("name", "size", "dark"),
    [
        *((name, DESK, dark) for name in PAGES for dark in (False, True)),
        ("index", PHONE, False),
        ("office", PHONE, False),
    ],
)
def test_axe_finds_no_violation(browser: Browser, site: Path, name: str, size: tuple[int, int], dark: bool) -> None:
    with visit(browser, size, dark=dark) as shown:
        shown.open(site / f"{name}.html")
        assert shown.violations() == []


def test_axe_finds_no_violation_while_searching_or_in_a_page_of_every_kind(browser: Browser, boards: Path) -> None:
    """Arrows of all looks, approvals, folded prompts opened, the list of what was found."""
    with visit(browser) as shown:
        page = shown.open(boards / "office.html")
        page.evaluate(OPENED)
        page.get_by_role("combobox").fill("step")
        page.locator("#found [role=option]").first.wait_for()
        assert shown.violations() == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_no_violation_in_pictures_of_stages(browser: Browser, boards: Path, dark: bool) -> None:
    """An overview, two stages of it unfolded."""
    with visit(browser, dark=dark) as shown:
        page = shown.open(boards / "chain200.html")
        for number in (0, 1):
            page.locator("details.stage summary").nth(number).click()
        assert shown.violations("figure", ".stages") == []


def test_pages_follow_dark_mode(browser: Browser, site: Path) -> None:
    """The page and its picture."""
    look = "(name) => getComputedStyle(document.querySelector(name))"
    found = []
    for dark in (False, True):
        with visit(browser, dark=dark) as shown:
            page = shown.open(site / "office.html")
            paper = page.evaluate(f"({look})('body').backgroundColor")
            found.append((paper, page.evaluate(f"({look})('svg .paper').fill")))
    assert found == [("rgb(255, 255, 255)",) * 2, ("rgb(13, 17, 23)",) * 2]


@pytest.mark.parametrize("name", [*PAGES, *CHAINS[:2]])
def test_nothing_but_pictures_and_tables_is_wider_than_a_phone(
    browser: Browser, site: Path, boards: Path, name: str
) -> None:
    with visit(browser, PHONE) as shown:
        page = shown.open((boards if name in CHAINS else site) / f"{name}.html")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


LONG = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichenverleihung"


def test_a_word_longer_than_a_phone_is_broken_wherever_it_stands(browser: Browser, tmp_path: Path) -> None:
    """In a title, a text, the list of steps, the navigation, a way."""
    steps = [
        step("a", LONG, start=True, on={"comment": (Move(to="b"),)}),
        step("b", f"{LONG} again", doc=LONG, end=True),
    ]
    render_docs(program(workflow("w", LONG, steps, settings={"about": LONG})), tmp_path)
    with visit(browser, PHONE) as shown:
        for name in ("w", "index", "vocabulary"):
            page = shown.open(tmp_path / f"{name}.html")
            page.evaluate(OPENED)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


@pytest.mark.parametrize("size", [DESK, PHONE, (320, 640)], ids=["desk", "phone", "small"])
def test_a_long_title_leaves_the_navigation_on_the_screen(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    """It is shortened, with a sign that it is; whatever comes behind it is there to be seen."""
    title = "Customer onboarding and compliance review" * 3
    render_docs(program(workflow("w", title, [step("a", "A", start=True)])), tmp_path)
    with visit(browser, size) as shown:
        page = shown.open(tmp_path / "w.html")
        last = page.locator(".top .last").bounding_box()
        assert last is not None
        assert last["x"] + last["width"] <= size[0]
        here = page.locator(".top a[aria-current]")
        assert here.evaluate("(link) => getComputedStyle(link).textOverflow") == "ellipsis"
        assert here.evaluate("(link) => link.scrollWidth > link.clientWidth && link.clientWidth >= 64")


def test_a_picture_behind_an_edge_has_a_shadow_there_and_is_there_alone(browser: Browser, boards: Path) -> None:
    """What covers the shadows scrolls along with the picture, whose paper lets them be seen; the picture alone is as
    wide as it was drawn, and leads back to the sections of the page."""
    with visit(browser, PHONE) as shown:
        page = shown.open(boards / "office.html")
        box = page.locator(".picture").first
        assert box.evaluate("(box) => box.scrollWidth > box.clientWidth")
        held = box.evaluate("(box) => getComputedStyle(box).backgroundAttachment").split(", ")
        assert held[:8] == ["local"] * 4 + ["scroll"] * 4
        assert page.locator(".picture .paper").first.evaluate("(paper) => getComputedStyle(paper).fillOpacity") == "0"
        wide = page.locator(".picture svg").first.get_attribute("width")
        page.locator("figcaption a").click()
        assert page.url.endswith("/office.svg")
        full = page.evaluate("document.documentElement.getBoundingClientRect().width")
        assert full == pytest.approx(float(wide or 0), abs=0.1)
        page.locator("a").first.click()
        assert "/office.html#step-" in page.url


LINES = """(cells) => cells.map((cell) => {
  const range = document.createRange();
  const words = [];
  for (const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT); walk.nextNode();) {
    for (const found of walk.currentNode.data.matchAll(/[^\\s]+/g)) {
      range.setStart(walk.currentNode, found.index);
      range.setEnd(walk.currentNode, found.index + found[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) words.push(found[0]);
    }
  }
  return words;
}).flat()"""
"""The words in some elements that are broken over lines inside of themselves."""


@pytest.mark.parametrize("name", ["office", "vocabulary"])
def test_no_word_in_a_table_is_broken_on_a_phone(browser: Browser, site: Path, name: str) -> None:
    """Of its head, of names and of values; a text with hyphens may be broken behind one."""
    with visit(browser, PHONE) as shown:
        page = shown.open(site / f"{name}.html")
        page.evaluate(OPENED)
        assert page.locator("th, td").evaluate_all(LINES) == []


def test_a_table_of_a_template_of_the_users_keeps_its_words_and_the_width_of_the_page(
    browser: Browser, tmp_path: Path
) -> None:
    """It scrolls by itself where it must."""
    (tmp_path / "own" / "pages").mkdir(parents=True)
    row = "".join(f"<td>Review {LONG}</td>" for _ in range(4))
    (tmp_path / "own" / "pages" / "mine.html.jinja").write_text(
        "{% extends 'base.html.jinja' %}{% block body %}<main id='content'><table><tr>"
        + row
        + "</tr></table></main>{% endblock %}"
    )
    render_docs(program(office()), tmp_path / "out", templates=tmp_path / "own")
    with visit(browser, PHONE) as shown:
        page = shown.open(tmp_path / "out" / "mine.html")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        assert page.locator("td").evaluate_all(LINES) == []


def test_a_call_that_fits_a_line_is_not_broken(browser: Browser, site: Path) -> None:
    """Guards break between calls."""
    with visit(browser, PHONE) as shown:
        page = shown.open(site / "office.html")
        whole = page.locator(".when .whole")
        assert whole.count() > 3
        heights = "(all) => all.flatMap((each) => [...each.getClientRects()].map((box, at) => at ? 99 : box.height))"
        assert max(whole.evaluate_all(heights)) < 30


def test_a_jump_to_a_stage_shows_its_title(browser: Browser, boards: Path) -> None:
    """Below what stays at the top."""
    for size in (DESK, PHONE):
        with visit(browser, size) as shown:
            page = shown.open(boards / "chain200.html", "#stage-3")
            page.locator("#stage-3 svg").wait_for()
            top = page.locator("details.stage:has(#stage-3) summary").bounding_box()
            head = page.locator(".top").bounding_box()
            assert top is not None
            assert head is not None
            assert head["y"] + head["height"] <= top["y"] < size[1] / 2


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", ["example", "office", *CHAINS])
def test_labels_can_be_read(browser: Browser, site: Path, boards: Path, name: str, size: tuple[int, int]) -> None:
    """In each picture: none overlaps another or a box, none leaves the picture, none is below ten pixels."""
    with visit(browser, size) as shown:
        page = shown.open(site / "office.html" if name == "example" else boards / f"{name}.html")
        page.evaluate(OPENED)
        pictures = page.evaluate(LABELS)
    assert len(pictures) == {"chain60": 5, "chain200": 11, "chain1000": 23}.get(name, 1)
    for drawn in pictures:
        texts, frame = drawn["texts"], drawn["frame"]
        assert len(texts) > 10
        assert [text["said"] for text in texts if text["size"] < 10] == []
        assert [text["said"] for text in texts if text["left"] < frame["left"] or text["right"] > frame["right"]] == []
        assert [text["said"] for text in texts if text["top"] < frame["top"] or text["bottom"] > frame["bottom"]] == []
        assert [(a["said"], b["said"]) for a, b in crossing(texts)] == []
        assert crossing(drawn["outlines"]) == []


@pytest.mark.parametrize("name", CHAINS)
def test_a_large_picture_fits_a_desk(browser: Browser, boards: Path, name: str) -> None:
    """It is folded, so that it is read by scrolling down as the page is."""
    with visit(browser) as shown:
        page = shown.open(boards / f"{name}.html")
        page.evaluate(OPENED)
        widths = [drawn["frame"]["right"] - drawn["frame"]["left"] for drawn in page.evaluate(LABELS)]
        assert max(widths) <= DESK[0]


def test_the_overview_of_a_large_workflow_leads_to_its_stages(browser: Browser, boards: Path) -> None:
    """Which unfolds, and from there to the section of a step; by the mouse and by the keyboard."""
    with visit(browser) as shown:
        page = shown.open(boards / "chain200.html")
        assert not page.locator("#stage-2 svg").is_visible()
        page.locator("figure a[href='#stage-2']:not(:has(.elsewhere))").focus()
        page.keyboard.press("Enter")
        page.locator("#stage-2 svg").wait_for()
        assert 0 <= page.locator("#stage-2").bounding_box()["y"] < DESK[1] / 2  # type: ignore[index] # it is shown
        page.locator("#stage-2 a[href='#step-step-30'] text").first.click()
        assert page.url.endswith("#step-step-30")


def test_prompts_are_printed(browser: Browser, site: Path) -> None:
    """Though they are folded on the screen; and the search is not."""
    with visit(browser) as shown:
        page = shown.open(site / "office.html")
        assert not page.locator("#step-work details.prompt pre").is_visible()
        page.emulate_media(media="print")
        assert page.locator("#step-work details.prompt pre").bounding_box()["height"] > 20  # type: ignore[index] # it is shown
        assert not page.locator(".find").is_visible()


def test_r13_no_hostile_text_acts_in_a_browser(browser: Browser, tmp_path: Path) -> None:
    """No dialog, no request, no complaint of the console; found by the search and shown as text."""
    with visit(browser) as shown:
        for number, text in enumerate(text for text in TEXTS if "<" in text):
            folder = tmp_path / str(number)
            render_docs(board(text), folder)
            page = shown.open(folder / "hostile.html")
            page.get_by_role("combobox").fill("step")
            page.locator("#found [role=option]").first.wait_for()
            assert page.locator("#found :not(li, span)").count() == 0
