"""Nothing of a user's acts on a page, whatever it says (R13), and templates reach nothing but their data (R14)."""

from __future__ import annotations

import re
from functools import cache

import pytest
from jinja2 import TemplateError

from newel.compiler.docs import pictures, render
from newel.compiler.docs.view import site
from newel.compiler.exports.plain import line, lines
from tests.compiler.docs.pages import Page, rendered
from tests.compiler.exports.boards import office, program
from tests.compiler.exports.hostile import TEXTS, board, large
from tests.compiler.exports.test_hostile import ACTIVE

HREF = re.compile(r"hostile\.svg|(?:(?:index|vocabulary|hostile)\.html)?(?:#[\w.-]+)?", re.ASCII)


def shape(page: Page) -> set[tuple[str, str]]:
    """The elements of a page with the names of their attributes."""
    return {(tag, name) for tag, attributes in page.elements for name in (*attributes, "")}


@pytest.fixture(scope="module")
def harmless() -> set[tuple[str, str]]:
    """The elements and attributes of pages that hold nothing hostile."""
    boards = (program(office()), board("harmless `code` text"), board("a\nb\n\nc"))
    return {each for shown in boards for page in rendered(shown).values() for each in shape(page)}


@pytest.mark.parametrize("text", TEXTS)
def test_r13_a_hostile_page_has_the_elements_of_a_harmless_one(text: str, harmless: set[tuple[str, str]]) -> None:
    """No element, no attribute, no address comes out of a text; and the text is there to be read."""
    pages = rendered(board(text))
    for page in pages.values():
        assert page.open == []
        assert shape(page) <= harmless
        assert all(HREF.fullmatch(link) for link in page.links)
        assert not ACTIVE.search(page.text.replace("\t", " "))
        page.text.encode()
    assert line(text) in pages["hostile.html"].words or "`" in text
    assert lines(text).replace("\t", " ") in "".join(pages["hostile.html"].said).replace("\t", " ")


@cache
def usual() -> frozenset[tuple[str, str]]:
    """The elements of a large workflow's page that holds nothing hostile, its stages in pictures of their own."""
    return frozenset(each for text in ("harmless", "a\nb") for each in shape(rendered(large(text))["hostile.html"]))


@pytest.mark.parametrize("text", TEXTS)
def test_r13_a_large_hostile_page_has_no_element_of_a_text(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its stages are called by the text, in headings of the page and in the names of its pictures."""
    monkeypatch.setattr(pictures, "FULL_EFFORT", 50)
    page = rendered(large(text))["hostile.html"]
    assert page.open == []
    assert shape(page) <= usual()
    assert all(HREF.fullmatch(link) for link in page.links)
    assert not ACTIVE.search(page.text.replace("\t", " "))
    assert page.text.count("<svg") == 4


def test_r13_a_text_is_no_template() -> None:
    """Braces are braces."""
    page = rendered(board("{{7*7}}{% if 1 %}{{ site }}{% endif %}"))["hostile.html"]
    assert "<bdi>{{7*7}}{% if 1 %}{{ site }}{% endif %}</bdi>" in page.text


ESCAPES = (
    "{{ ''.__class__ }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ ''['__class__'] }}",
    "{{ ''|attr('__class__') }}",
    "{{ ()|attr('__class__')|attr('__base__') }}",
    "{{ ''|attr('\\x5f\\x5fclass\\x5f\\x5f') }}",
    "{{ [].__class__.__base__ }}",
    "{{ {}.__class__.__init__.__globals__ }}",
    "{{ site.__class__ }}",
    "{{ site.__init__.__globals__ }}",
    "{{ site['__class__'] }}",
    "{{ site.workflows.__class__ }}",
    "{{ site.workflows.append(1) }}",
    "{{ site.clear() }}",
    "{{ site.update({'x': 1}) }}",
    "{{ site.pop('version') }}",
    "{{ site.setdefault('x', 1) }}",
    "{{ site.workflows.clear() }}",
    "{{ site.workflows.sort() }}",
    "{{ self.__class__ }}",
    "{{ self._TemplateReference__context }}",
    "{{ self.__init__.__globals__ }}",
    "{{ cycler.__init__.__globals__ }}",
    "{{ joiner.__init__.__globals__ }}",
    "{{ namespace.__init__.__globals__ }}",
    "{{ lipsum.__globals__ }}",
    "{{ lipsum.__globals__['os'].popen('id') }}",
    "{{ range.__class__ }}",
    "{{ range(10000000)|list }}",
    "{{ dict.__base__ }}",
    "{{ dict.mro() }}",
    "{{ '{0.__class__}'.format(1) }}",
    "{{ '{0.__class__.__init__.__globals__}'.format(site) }}",
    "{{ '{x.__class__}'.format_map({'x': 1}) }}",
    "{{ ('{0.__cl' ~ 'ass__}').format(1) }}",
    "{{ url_for.__globals__ }}",
    "{{ request.application }}",
    "{{ config }}",
    "{{ get_flashed_messages }}",
    "{% include '/etc/passwd' %}",
    "{% include '../render.py' %}",
    "{% import 'os' as os %}{{ os }}",
    "{% extends '../../../../etc/passwd' %}",
    "{{ nothing.of.that.name }}",
    "{% set x = site.__class__ %}{{ x }}",
    "{{ site|map(attribute='__class__')|join }}",
    "{{ site.workflows|map(attribute='__class__')|join }}",
    "{{ (1).__class__ }}",
    "{{ True.__class__.__base__ }}",
    "{{ site.workflows[0].title.__class__.__mro__ }}",
)


@pytest.mark.parametrize("source", ESCAPES)
def test_r14_a_template_cannot_get_out_of_its_data(source: str) -> None:
    """Forty known ways and more: refused, by an error and not by an empty text."""
    data = site(program(office()))
    with pytest.raises((TemplateError, OverflowError)):
        render.environment().from_string(source).render(site=data)
    assert data == site(program(office()))


def test_r14_the_data_is_plain() -> None:
    """Dictionaries, lists, texts, numbers, flags and nothing else."""

    def look(data: object) -> None:
        assert type(data) in (dict, list, str, int, bool, type(None))
        for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
            look(inner)

    look(site(program(office())))


def test_r14_texts_are_escaped_without_being_asked() -> None:
    """Also in a template of somebody else's."""
    shown = render.environment().from_string("{{ text }}").render(text="<b>")
    assert shown == "&lt;b&gt;"


def test_a_call_stays_whole_where_it_fits_and_may_break_behind_its_joints() -> None:
    """Between calls a line may break; brackets and texts inside of one hold it together. It is escaped."""
    whole = '<span class="whole">{}</span>'.format
    assert render.breakable("queue_run(<b>, a=1)") == whole("queue_<wbr>run(&lt;b&gt;, a=<wbr>1)")
    assert render.breakable("not any(r) and n(r, c=2)") == (
        f"not {whole('any(<wbr>r)')} and {whole('n(<wbr>r, c=<wbr>2)')}"
    )
    assert render.breakable('f(g("a ( b"), { x: 1 }) or h') == f"{whole('f(<wbr>g(&#34;a ( b&#34;), { x: 1 })')} or h"
    assert render.breakable(") a (") == ") a ("


def test_prose_has_paragraphs_and_code() -> None:
    """Backticks that have no partner stay what they are."""
    assert render.prose("a `b<` c\n\nd `e") == '<p dir="auto">a <code>b&lt;</code> c</p>\n<p dir="auto">d `e</p>'
