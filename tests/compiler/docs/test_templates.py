"""Templates of the user's own: they go before ours, get plain data, and reach nothing else (R14)."""

from __future__ import annotations

from pathlib import Path

import pytest

from newel.compiler import compile_files
from newel.compiler.docs import render_docs
from newel.compiler.docs.forms import MARKDOWN
from newel.compiler.docs.render import pages
from newel.compiler.docs.view import site
from newel.compiler.errors import DocsError
from tests.compiler.docs.pages import Page
from tests.compiler.docs.test_hostile import ESCAPES
from tests.compiler.exports.boards import office, program
from tests.compiler.exports.hostile import board

ROOT = Path(__file__).parents[3]


def with_page(folder: Path, source: str, name: str = "pages/own.html.jinja") -> str:
    """The page that a template of the user's becomes."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(source)
    return pages(site(program(office())), own=folder)["own.html"]


@pytest.mark.parametrize("source", ESCAPES)
def test_r14_a_template_of_the_users_cannot_get_out_of_its_data(source: str, tmp_path: Path) -> None:
    """Each is an error that says in which template."""
    with pytest.raises(DocsError, match=r"^template .*own\.html\.jinja"):
        with_page(tmp_path, source)


OUTSIDE = (
    "../secret.txt",
    "/secret.txt",
    "pages/../../secret.txt",
    "..\\secret.txt",
    "./../secret.txt",
    "link.txt",
    "folder/secret.txt",
)


@pytest.mark.parametrize("verb", ["include '%s'", "extends '%s'", "import '%s' as x", "from '%s' import x"])
@pytest.mark.parametrize("path", OUTSIDE)
def test_r14_nothing_outside_of_the_folder_is_read(path: str, verb: str, tmp_path: Path) -> None:
    """Not by a path, and not by a link in the folder to a file or a folder."""
    own = tmp_path / "own"
    own.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (own / "link.txt").symlink_to(tmp_path / "secret.txt")
    (own / "folder").symlink_to(tmp_path)
    with pytest.raises(DocsError, match=r"own\.html\.jinja"):
        with_page(own, "{% " + verb % path.replace("\\", "\\\\") + " %}")


def test_r14_a_page_that_is_itself_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "own" / "pages").mkdir(parents=True)
    (tmp_path / "own" / "pages" / "own.html.jinja").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(DocsError, match="a link that leads out of the folder"):
        pages(site(program(office())), own=tmp_path / "own")


@pytest.mark.parametrize(
    "source", ["{{ 'a' * 100000000 }}", "{{ 9 ** 9999999 }}", "{{ [0] * 99999999 }}", "{{ 1 / 0 }}", "{{ 'a' * 'b' }}"]
)
def test_r14_no_expression_makes_something_of_any_size(source: str, tmp_path: Path) -> None:
    with pytest.raises(DocsError, match=r"own\.html\.jinja"):
        with_page(tmp_path, source)


def test_r14_texts_are_escaped_in_templates_of_the_users(tmp_path: Path) -> None:
    """In both forms."""
    (tmp_path / "pages").mkdir()
    for ending in ("html", "md"):
        (tmp_path / "pages" / f"own.{ending}.jinja").write_text("{{ site.workflows[0].title }}")
    hostile = board("<b>*x*</b>")
    assert pages(site(hostile), own=tmp_path)["own.html"] == "&lt;b&gt;*x*&lt;/b&gt;"
    assert pages(site(hostile, form=MARKDOWN), MARKDOWN, tmp_path)["own.md"] == r"&lt;b&gt;\*x\*&lt;/b&gt;"


def test_a_template_may_calculate(tmp_path: Path) -> None:
    assert with_page(tmp_path, "{{ 2 * 3 }} {{ 'ab' * 2 }} {{ 2 ** 8 }}") == "6 abab 256"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "{% extends 'base.html.jinja' %}{% block title %}On &amp; {{ site.workflows[0].title }}{% endblock %}",
            "On & Office",
        ),
        ("{% extends 'base.html.jinja' %}", "My own"),
        ("{% extends 'base.html.jinja' %}{% block title %} {% endblock %}", "My own"),
    ],
)
def test_a_page_of_the_users_goes_by_its_title(source: str, said: str, tmp_path: Path) -> None:
    """In the navigation of every page; without one by the name of its file."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "my-own.html.jinja").write_text(source)
    for text in pages(site(program(office())), own=tmp_path).values():
        page = Page(text)
        assert 'href="my-own.html"' in text
        assert f"{said} Vocabulary" in page.words


def test_one_block_is_changed_and_the_rest_stays(tmp_path: Path) -> None:
    """By extending the shipped template of the same name; another template takes the changed one."""
    (tmp_path / "base.html.jinja").write_text(
        '{% extends "newel/base.html.jinja" %}{% block here %}<b>of ours</b>{% endblock %}'
    )
    found = pages(site(program(office())), own=tmp_path)
    shipped = pages(site(program(office())))
    assert "<b>of ours</b>" in found["index.html"]
    assert found["index.html"].replace("<b>of ours</b>", "") == shipped["index.html"]


@pytest.mark.parametrize("name", ["index.html.jinja", "Office.html.jinja", "vocabulary.html.jinja"])
def test_a_page_of_the_users_takes_no_page_of_ours(name: str, tmp_path: Path) -> None:
    with pytest.raises(DocsError, match="a page that is there already"):
        with_page(tmp_path, "x", f"pages/{name}")


@pytest.mark.parametrize("name", ["a b.html.jinja", ".html.jinja", "x.jinja", "-.html.jinja"])
def test_a_page_has_a_plain_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(DocsError, match="is no name of a page"):
        with_page(tmp_path, "x", f"pages/{name}")


def test_a_mistake_says_where_it_is(tmp_path: Path) -> None:
    """Of grammar and of names, in a page and in what it includes."""
    with pytest.raises(DocsError, match=r"template pages/own\.html\.jinja, line 2: "):
        with_page(tmp_path, "fine\n{% if %}")
    (tmp_path / "part.jinja").write_text("\n\n{{ nothing }}")
    with pytest.raises(DocsError, match=r"\(part\.jinja, line 3\): 'nothing' is undefined"):
        with_page(tmp_path, '{% include "part.jinja" %}')


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(DocsError, match="there is no folder"):
        pages(site(program(office())), own=tmp_path / "none")


def test_a_template_that_fails_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "own" / "pages").mkdir(parents=True)
    (tmp_path / "own" / "pages" / "x.html.jinja").write_text("{{ nothing }}")
    with pytest.raises(DocsError):
        render_docs(program(office()), tmp_path / "out", templates=tmp_path / "own")
    assert [path.name for path in tmp_path.iterdir()] == ["own"]


def test_the_runbook_of_the_examples_is_one_page_of_all_steps(tmp_path: Path) -> None:
    """With its place in the navigation of every page, and links that lead somewhere."""
    compiled = compile_files([ROOT / "examples" / "office.newel"]).require()
    written = render_docs(compiled, tmp_path, templates=ROOT / "examples" / "runbook")
    found = {path.name: Page(path.read_text()) for path in written if path.suffix == ".html"}
    assert all("runbook.html" in page.links for page in found.values())
    assert "The only step in which the primary agent writes." in found["runbook.html"].words
    words = found["runbook.html"].words
    assert "then to Approval on turn_complete when all_approve(reviewer)" in words
    for link in found["runbook.html"].links:
        target, _, anchor = link.partition("#")
        assert not anchor or anchor in found[target or "runbook.html"].ids
    assert "On call?" in found["office.html"].words
