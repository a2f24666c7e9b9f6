"""The pages of a program: whole, linked, readable by everyone, and the same each time."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from newel.compiler import compile_files
from newel.compiler.docs import render_docs
from newel.compiler.errors import DocsError, LayoutError
from newel.compiler.program import Program
from tests.compiler.docs.pages import Page, alone, read, rendered
from tests.compiler.exports.boards import chain, office, program, step, workflow

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.newel") if "\nworkflow " in path.read_text())


def programs() -> list[tuple[str, Program]]:
    """The examples and two boards made by hand."""
    compiled = [(path.stem, compile_files([path]).require()) for path in EXAMPLES]
    return [*compiled, ("by-hand", program(office(), chain(8))), ("empty", program())]


@pytest.fixture(scope="module", params=programs(), ids=lambda pair: pair[0])
def compiled(request: pytest.FixtureRequest) -> Program:
    """One of the programs."""
    found: Program = request.param[1]
    return found


@pytest.fixture(scope="module")
def site(compiled: Program) -> dict[str, Page]:
    """All its pages."""
    return rendered(compiled)


def test_every_link_leads_somewhere(compiled: Program, site: dict[str, Page]) -> None:
    """To a page of the site or a picture beside it, and to an id on it that is there once."""
    site = site | alone(compiled)
    for name, page in site.items():
        assert len(set(page.ids)) == len(page.ids)
        for link in page.links:
            target, _, anchor = link.partition("#")
            assert (target or name) in site, link
            assert not anchor or anchor in site[target or name].ids, link


def test_a_page_is_whole_and_asks_the_network_for_nothing(site: dict[str, Page]) -> None:
    """Every element is closed, none loads anything but the search beside it, and the policy would stop both."""
    for page in site.values():
        assert page.open == []
        tags = {tag for tag, _ in page.elements}
        assert not tags & {"img", "iframe", "object", "embed", "base", "form", "image", "use"}
        for tag, attributes in page.elements:
            assert tag != "script" or attributes == {"src": "search.js", "defer": None}
            loads = ("srcset", "action") if tag == "script" else ("src", "srcset", "action")
            assert not [name for name in attributes if name.startswith("on") or name in loads]
            assert tag != "link" or attributes == {"rel": "icon", "href": "data:,"}
        assert "default-src 'none'" in page.text
        assert "url(" not in page.text
        assert "@import" not in page.text


def test_a_page_has_one_heading_and_no_level_is_left_out(site: dict[str, Page]) -> None:
    """As a reader steps through it."""
    for page in site.values():
        levels = [int(tag[1]) for tag, _ in page.elements if tag in {"h1", "h2", "h3", "h4"}]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_page_has_a_language_landmarks_and_a_way_past_the_links(site: dict[str, Page]) -> None:
    """Header, main and footer once each; navigation with names; the first link leads to the content."""
    for page in site.values():
        tags = [tag for tag, _ in page.elements]
        assert dict(page.elements)["html"] == {"lang": "en"}
        assert [tags.count(tag) for tag in ("header", "main", "footer")] == [1, 1, 1]
        names = [attributes.get("aria-label") for tag, attributes in page.elements if tag == "nav"]
        assert all(names)
        assert len(set(names)) == len(names)
        assert page.links[0] == "#content"
        assert page.text.index('<a class="skip"') < page.text.index("<header")


def test_what_scrolls_can_be_reached_by_keyboard(site: dict[str, Page]) -> None:
    """Pictures, tables and prompts take the focus and have a name; the focus is seen."""
    for page in site.values():
        for tag, attributes in page.elements:
            if attributes.get("class") in ("picture", "wide"):
                assert attributes["tabindex"] == "0"
                assert attributes["aria-label"]
            assert tag != "pre" or attributes["tabindex"] == "0"
        assert ":focus-visible { outline: 3px" in page.text


def test_pages_follow_dark_mode_print_and_phones(site: dict[str, Page]) -> None:
    """The rules are on each page."""
    for page in site.values():
        for rule in ("@media screen and (prefers-color-scheme: dark)", "@media print", "(max-width: 40rem)"):
            assert rule in page.text
        assert 'name="viewport" content="width=device-width, initial-scale=1"' in page.text


def test_the_picture_links_its_steps_to_their_sections() -> None:
    """Each box of the SVG that stands in the page."""
    page = rendered(program(office()))["office.html"]
    picture = Page(page.text[page.text.index("<svg") : page.text.index("</svg>") + 6])
    assert picture.links == [f"#step-{name}" for name in ("backlog", "work", "review", "approval", "done")]


def test_the_index_lists_the_workflows_and_the_vocabulary() -> None:
    """With what they are for, and from where to where they lead."""
    index = rendered(program(office(), chain(8)))["index.html"]
    assert [link for link in index.links if "#" not in link] == [
        "index.html",
        "vocabulary.html",
        "chain.html",
        "office.html",
        "vocabulary.html",
    ]
    assert "A primary agent does the work, others judge it. 5 steps, from Work to Done" in index.words


def test_the_same_program_gives_the_same_bytes(tmp_path: Path) -> None:
    """In another process, in another folder, with another hash seed."""
    code = (
        "import sys; from pathlib import Path; from newel.compiler.docs import render_docs;"
        "from tests.compiler.exports.boards import office, program; render_docs(program(office()), Path(sys.argv[1]))"
    )
    other = tmp_path / "other" / "folder"
    subprocess.run([sys.executable, "-c", code, str(other)], check=True, env=os.environ | {"PYTHONHASHSEED": "7"})
    written = render_docs(program(office()), tmp_path / "one")
    assert [path.name for path in written] == [
        "index.html",
        "office.html",
        "vocabulary.html",
        "search-index.js",
        "search.js",
        "office.svg",
    ]
    assert read(tmp_path / "one") == read(other)
    assert str(tmp_path) not in "".join(read(other).values())


def test_no_path_of_a_machine_is_on_a_page(tmp_path: Path) -> None:
    """Of the file a workflow was declared in there is the name."""
    path = tmp_path / "deep" / "board.newel"
    path.parent.mkdir()
    path.write_text('workflow w "W" {\n  step only "Only" { start }\n}\n')
    text = rendered(compile_files([path]).require())["w.html"].text
    assert "declared in <code>board.newel</code>" in text
    assert str(tmp_path) not in text


def test_a_large_workflow_has_an_overview_and_a_picture_of_each_stage() -> None:
    """The overview leads to them, and each of their steps to its section; every id is there once."""
    page = rendered(program(chain(200)))["chain.html"]
    stages = [name for name in page.ids if name.startswith("stage-") and name[6:].isdigit()]
    overview = Page(page.text[page.text.index("<svg") : page.text.index("</svg>") + 6])
    assert list(dict.fromkeys(overview.links)) == [f"#{name}" for name in stages]
    assert page.text.count("<svg") == len(stages) + 1
    assert len(set(page.ids)) == len(page.ids)
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    assert "drawn in another row or stage" in page.words


def test_a_picture_is_there_alone_in_full_size() -> None:
    """In one piece where the page has it stage by stage, too; what it shows leads to the page."""
    for board, boxes in ((office(), 5), (chain(60), 60)):
        made = program(board)
        page, picture = rendered(made)[f"{board.name}.html"], alone(made)[f"{board.name}.svg"]
        assert f"{board.name}.svg" in page.links
        assert picture.text.count("<svg") == 1
        assert 'xmlns="http://www.w3.org/2000/svg"' in picture.text
        steps = {link.partition("#")[2] for link in picture.links if "#step-" in link}
        assert len(steps) == boxes
        assert {link.partition("#")[0] for link in picture.links if "#step-" in link} == {f"{board.name}.html"}


def test_steps_are_listed_by_stage_where_the_picture_has_stages_of_its_own() -> None:
    """From 41 steps on; each step is in one list, and the stages are those of the pictures."""
    few, many = (rendered(program(chain(count)))["chain.html"].text for count in (40, 41))
    lists = [text.partition('<nav class="steps"')[2].partition("</nav>")[0] for text in (few, many)]
    assert [text.count("<details") for text in lists] == [0, many.count('<details class="stage"')]
    assert many.count('<details class="stage"') > 1
    assert [text.count("<li>") for text in lists] == [40, 41]
    assert [text.count("badge") for text in lists] == [2, 2]


@pytest.mark.slow
def test_five_thousand_steps_are_documented(tmp_path: Path) -> None:
    """In seconds and a few megabytes: nothing is listed once for each pair of steps."""
    render_docs(program(chain(5000)), tmp_path)
    assert (tmp_path / "chain.html").stat().st_size < 30_000_000


def test_names_that_would_clash_have_pages_of_their_own(tmp_path: Path) -> None:
    """With the pages of ours, with another in different case, with a device."""
    names = ["index", "Index", "vocabulary", "con", "office", "Office", "index-2"]
    boards = [workflow(name, name, [step("only", "Only", start=True)]) for name in names]
    written = {path.name.lower() for path in render_docs(program(*boards), tmp_path)}
    assert len(written) == 2 * len(names) + 4
    assert "con.html" not in written
    assert "<h1>Workflows</h1>" in (tmp_path / "index.html").read_text()
    for name, page in rendered(program(*boards)).items():
        assert all(
            link.partition("#")[0] in ("", *(path.name for path in tmp_path.iterdir())) for link in page.links
        ), name


@pytest.mark.parametrize(
    "name", ["../evil", "a/b", "a\\b", "", ".", "..", "C:evil", "a\0b", "\u00e9", "a b", "-", "/etc/x"]
)
def test_r15_a_name_that_is_no_name_is_refused(tmp_path: Path, name: str) -> None:
    """Before anything is written."""
    board = workflow(name, "W", [step("only", "Only", start=True)])
    with pytest.raises(DocsError, match="is no name of a workflow"):
        render_docs(program(board), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_layout_program_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    """Pages are written when all are made."""
    render_docs(program(office()), tmp_path)
    before = read(tmp_path)
    with pytest.raises(LayoutError, match="no layout program no-such-dot was found"):
        render_docs(program(office(), chain(3)), tmp_path, dot="no-such-dot")
    assert read(tmp_path) == before
