"""Pages for repositories and wikis: read with a parser of Markdown, nothing in them acts (R13)."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markupsafe import Markup

from newel.compiler.docs import markdown, render_docs, stale_docs
from newel.compiler.docs.forms import MARKDOWN
from newel.compiler.docs.render import environment, pages
from newel.compiler.docs.view import site
from newel.compiler.exports import mermaid
from newel.compiler.exports.plain import line, lines
from newel.compiler.program import Move, Program
from tests.compiler.docs.pages import Page, read
from tests.compiler.exports.boards import asked, chain, office, program, step, workflow
from tests.compiler.exports.hostile import TEXTS, board, large

HREF = re.compile(r"(?:(?:README|vocabulary|hostile|chain|office)\.md)?(?:#[\w.-]+)?", re.ASCII)
READER = MarkdownIt("commonmark", {"html": True}).enable("table")


def shown(compiled: Program) -> dict[str, Page]:
    """All pages as a reader of Markdown makes them."""
    return {name: Page(READER.render(text)) for name, text in pages(site(compiled, form=MARKDOWN), MARKDOWN).items()}


def shape(page: Page) -> set[tuple[str, str]]:
    return {(tag, name) for tag, attributes in page.elements for name in (*attributes, "")}


@cache
def harmless() -> frozenset[tuple[str, str]]:
    """The elements and attributes of pages that hold nothing hostile."""
    boards = (program(office(), chain(3)), board("harmless `code` text"), board("a\nb\n\nc"), board("a | `b`"))
    return frozenset(each for compiled in boards for page in shown(compiled).values() for each in shape(page))


@pytest.mark.parametrize("text", TEXTS)
def test_r13_hostile_markdown_has_the_elements_of_harmless_markdown(text: str) -> None:
    """No element, no attribute, no address comes out of a text; and the text is there to be read."""
    found = shown(board(text))
    for page in found.values():
        assert page.open == []
        assert shape(page) <= harmless()
        assert all(HREF.fullmatch(link) for link in page.links)
    words = found["hostile.md"].words
    assert line(text) in words or "`" in text


@pytest.mark.parametrize("text", TEXTS)
def test_r13_stages_with_hostile_names_have_the_elements_of_harmless_ones(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the names of pictures of their own, which are written where GitHub would not draw the whole."""
    monkeypatch.setattr(mermaid, "_MOST_EDGES", 20)
    page, *usual = (shown(large(each))["hostile.md"] for each in (text, "harmless", "a\nb"))
    assert page.open == []
    assert shape(page) <= {each for other in usual for each in shape(other)}
    assert [name for name in page.ids if name.startswith("stage-")] == ["stage-1", "stage-2", "stage-3"]
    assert all(HREF.fullmatch(link) for link in page.links)


@pytest.mark.parametrize("text", TEXTS)
def test_r13_a_hostile_text_is_one_paragraph_of_text(text: str) -> None:
    """By itself, at the beginning of a line, in a cell of a table and as code."""
    text = lines(text)  # as every text of the data is
    flat = " ".join(text.split())
    assert Page(READER.render(markdown.escaped(text))).words == flat
    assert [tag for tag, _ in Page(READER.render(markdown.escaped(text))).elements] in (["p"], [])
    cell = READER.render(f"| a | b |\n| --- | --- |\n| {markdown.code(text)} | {markdown.escaped(text)} |")
    assert [tag for tag, _ in Page(cell).elements].count("td") == 2
    assert Page(READER.render(f"x {markdown.code(text)}")).words == f"x {flat}".strip()


@pytest.mark.parametrize(
    "text", ["- a", "+ a", "1. a", "12) a", "# a", "> a", "=== a", "---", "* a", "www.x.example", "http://x"]
)
def test_no_text_begins_a_block(text: str) -> None:
    """A list, a heading, a quotation, a rule."""
    page = Page(READER.render(markdown.escaped(text)))
    assert [tag for tag, _ in page.elements] == ["p"]
    assert page.words == text


def test_a_block_of_code_ends_where_it_ends() -> None:
    """Whatever fences stand in the text."""
    text = "a\n```\n# b\n````\n\n\n\n<b>c</b>"
    page = READER.render(markdown.tidy(f"{markdown.fenced(text)}\n\n\n\nend"))
    assert Page(page).said[0] == f"{text}\n"
    assert [tag for tag, _ in Page(page).elements] == ["pre", "code", "p"]


def test_blanks_around_code_stay() -> None:
    """And backticks without a partner are signs."""
    assert markdown.said("a `b` c") == "a `b` c"
    assert markdown.said("- `b`- c") == "\\- `b`- c"
    assert markdown.said("a `b") == "a \\`b"


def test_a_template_of_anybodys_is_escaped_for_markdown_without_being_asked() -> None:
    """What a filter of ours made is left as it is."""
    made = environment(MARKDOWN).from_string("{{ text }} {{ text | code }} {{ 3 }}")
    assert made.render(text="<b>*x*</b>") == r"&lt;b&gt;\*x\*&lt;/b&gt; `<b>*x*</b>` 3"
    assert markdown.escaped("a'b") == Markup("a'b")


def test_every_link_leads_somewhere() -> None:
    """To a page of the folder, and to an id on it that is there once."""
    found = shown(program(office(), chain(8)))
    for name, page in found.items():
        assert len(set(page.ids)) == len(page.ids)
        for link in page.links:
            target, _, anchor = link.partition("#")
            assert (target or name) in found, link
            assert not anchor or anchor in found[target or name].ids, link


def test_the_picture_is_a_block_that_github_renders() -> None:
    """Where it is not too large; else an overview, and a block for each stage that it leads to."""
    text = pages(site(program(office(), chain(300)), form=MARKDOWN), MARKDOWN)
    assert text["office.md"].count("\n```mermaid\nflowchart LR\n") == 1
    overview, *stages = re.findall(r"^```mermaid\nflowchart LR\n(.*?)^```$", text["chain.md"], re.MULTILINE | re.DOTALL)
    assert re.findall(r"^  stage_(\d+)[(\[]", overview, re.MULTILINE) == [str(n + 1) for n in range(len(stages))]
    assert sum(len(re.findall(r"^  step_step_\d+[(\[]", stage, re.MULTILINE)) for stage in stages) == 300
    assert '<a id="stage-2"></a>' in text["chain.md"]


def test_what_is_too_much_for_any_picture_is_told() -> None:
    """Sixteen steps that each lead to every other, by three looks of an arrow."""
    names = [f"s{number}" for number in range(16)]
    looks: tuple[dict[str, Any], ...] = ({}, {"guard": asked("all_approve", role="reviewer")}, {"approval": True})
    moves = {n: tuple(Move(to=m, **look) for m in names for look in looks if m != n) for n in names}
    dense = workflow("w", "W", [step(name, name, on={"comment": moves[name]}) for name in names])
    assert (
        "16 steps and 720 arrows are more than GitHub draws of Mermaid."
        in pages(site(program(dense), form=MARKDOWN), MARKDOWN)["w.md"]
    )


def test_no_layout_program_is_needed(tmp_path: Path) -> None:
    """Mermaid is laid out by whoever shows it."""
    render_docs(program(office()), tmp_path, format="markdown", dot="no-such-dot")
    assert set(read(tmp_path)) == {"README.md", "office.md", "vocabulary.md"}


def test_a_change_of_one_workflow_changes_its_page_and_the_index(tmp_path: Path) -> None:
    """The revision stands on the index alone, so that a commit shows what it is about."""
    one = program(office(), workflow("w", "W", [step("a", "A", start=True)]))
    two = program(office(), workflow("w", "W", [step("a", "Another", start=True)])).model_copy(
        update={"revision": "1" * 64}
    )
    render_docs(one, tmp_path, format="markdown")
    assert stale_docs(one, tmp_path, format="markdown") == []
    assert [each.name for each in stale_docs(two, tmp_path, format="markdown")] == ["README.md", "w.md"]
