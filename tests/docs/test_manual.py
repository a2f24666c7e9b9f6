"""The manual as a site: every page, heading and link of the Markdown is there, and nothing from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePosixPath

import pytest
from docs.manual import EXAMPLE, build, entries
from docs.names import slug
from docs.written import FOLDER, HOME, page_of, written

from newel.compiler.docs.marks import is_ours, signed
from tests.compiler.docs.pages import Page
from tests.docs.pages import headings


def sources() -> list[Path]:
    return sorted(FOLDER.rglob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    """The pages, by their names."""
    folder = tmp_path_factory.mktemp("manual")
    build(folder)
    return {path.name: Page(path.read_text("utf-8")) for path in sorted(folder.glob("*.html"))}


def test_every_page_of_the_manual_is_there_with_all_its_headings(site: dict[str, Page]) -> None:
    """And so every name, option and code: `test_reference.py` finds them among the headings of the Markdown."""
    assert len(site) == len(sources()) + 1
    for source in sources():
        page = site[page_of(PurePosixPath(source.relative_to(FOLDER).as_posix()))]
        wanted = [slug(heading) for heading in headings(source)]
        assert [name for name in page.ids if name in set(wanted)] == wanted, source


def test_no_link_is_dead(site: dict[str, Page]) -> None:
    """To a page of the site and an id on it, to the example, or to another site by its whole address."""
    for name, page in site.items():
        assert len(set(page.ids)) == len(page.ids), name
        for link in page.links:
            target, _, anchor = link.partition("#")
            if target.startswith("https://") or target == f"{EXAMPLE}/index.html":
                continue
            assert (target or name) in site, f"{name}: {link}"
            assert not anchor or anchor in site[target or name].ids, f"{name}: {link}"


def test_a_page_is_whole_and_asks_the_network_for_nothing(site: dict[str, Page]) -> None:
    for name, page in site.items():
        assert page.open == [], name
        assert "default-src 'none'" in page.text
        tags = {tag for tag, _ in page.elements}
        assert not tags & {"img", "iframe", "object", "embed", "base", "form", "video", "audio"}
        for tag, attributes in page.elements:
            assert not [each for each in attributes if each.startswith("on") or each in ("srcset", "action", "data")]
            assert "src" not in attributes or (tag, attributes["src"]) == ("script", "search.js")
            assert tag != "link" or attributes["href"] == "data:,"


def test_every_page_can_be_reached_from_the_first(site: dict[str, Page]) -> None:
    reached, new = set(), {HOME}
    while new:
        reached |= new
        found = {link.partition("#")[0] for name in new for link in site[name].links}
        new = {name for name in found if name in site} - reached
    assert reached == set(site)


def test_the_search_finds_every_heading(tmp_path: Path) -> None:
    """Each entry leads to a place that is there."""
    written_ = {path.name: path for path in build(tmp_path) if path.parent == tmp_path}
    index = json.loads(written_["search-index.js"].read_text("utf-8").partition("=")[2].rpartition(";")[0])
    count = sum(len(headings(source)) for source in sources())
    assert len(index) == count + 1
    pages = {name: set(Page(path.read_text("utf-8")).ids) for name, path in written_.items() if name.endswith(".html")}
    for _, _, _, href, _, _ in index:
        name, _, anchor = href.partition("#")
        assert not anchor or anchor in pages[name]
    assert len([entry for entry in index if entry[0].startswith("NW301 ")]) == 1


def test_the_same_manual_gives_the_same_bytes(tmp_path: Path) -> None:
    """Also where an earlier one stands, whose left over pages go."""
    one, other = (build(tmp_path / name) for name in ("one", "other"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]
    (tmp_path / "one" / "gone.html").write_text(signed("gone.html", "x"))
    (tmp_path / "one" / "mine.js").write_text("mine\n")
    build(tmp_path / "one")
    assert not (tmp_path / "one" / "gone.html").exists()
    assert (tmp_path / "one" / "mine.js").exists()
    assert is_ours(tmp_path / "one" / "search.js")


def test_what_is_adapted_of_markdown() -> None:
    """Headings lead to themselves, blocks name their file, tables scroll, a file that is no page is not linked."""
    text = "# A `b`\n\n[x](limits.md#c) [y](../../grammars/standard.newel) [z](https://z.example)\n\n"
    text += "```newel title=a.newel\n<&\n```\n\n| a |\n|---|\n| `b` |\n"
    page = written(PurePosixPath("how-to/a.md"), text)
    assert (page.page, page.title) == ("how-to-a.html", "A b")
    assert '<h1 id="a-b"><a href="#a-b" class="self">A <code>b</code></a></h1>' in page.body
    assert '<a href="how-to-limits.html#c">x</a> y <a href="https://z.example">z</a>' in page.body
    assert '<code>a.newel</code></p>\n<pre tabindex="0"><code>&lt;&amp;\n</code></pre>' in page.body
    assert re.search(
        r'<div class="wide" role="group" aria-label="Table" tabindex="0">\n<table>.*</table>\n</div>', page.body, re.S
    )


def test_every_word_of_a_page_is_searched() -> None:
    """Of a long section to its end, and those of two sections together, in the entry of the page."""
    text = "\n".join(["# Page", "", "start " * 1000, "Last words.", "", "## One", "", "Undo", "", "## Two", "", "it."])
    (entry, one, two) = entries(written(PurePosixPath("how-to/page.md"), text))
    assert entry[4].endswith("Last words.")
    assert {"page", "start", "last", "words", "one", "undo", "two", "it"} == set(entry[5].split())
    assert [each[4:] for each in (one, two)] == [("Undo", ""), ("it.", "")]


def test_a_page_goes_by_one_name() -> None:
    """The first page, the list beside each page and the heading call it the same."""
    listed = dict(re.findall(r"^- \[(.+?)\]\((.+?\.md)\)", (FOLDER / "index.md").read_text("utf-8"), re.MULTILINE))
    assert len(listed) > 20
    for name, source in listed.items():
        assert headings(FOLDER / source)[0] == name
