"""Markdown of the manual to the HTML of a page: headings with anchors, links between the pages of one flat folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from docs.names import slug
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

FOLDER = Path(__file__).parent
HOME = "index.html"


@dataclass(frozen=True)
class Part:
    """A heading with its anchor, and the words below it."""

    level: int
    text: str
    anchor: str
    words: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Written:
    """A page: its file in the manual, its title, what stands in it."""

    page: str
    title: str
    body: Markup
    headings: Sequence[Part]

    @property
    def parts(self) -> Sequence[Part]:
        """The headings of its first level below the title."""
        return [each for each in self.headings if each.level == 2]


def page_of(source: PurePosixPath) -> str:
    """The page of a file of the manual: all pages stand in one folder, as the search does."""
    return "-".join(source.with_suffix(".html").parts)


def written(source: PurePosixPath, text: str) -> Written:
    """The page of a file of Markdown."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = reader.parse(text)
    headings = list(_headings(tokens))
    for token in tokens:
        _adapt(token, source)
    body = Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704 - our own pages, not a user's
    return Written(page_of(source), headings[0].text, body, headings)


def _headings(tokens: Sequence[Token]) -> Iterator[Part]:
    """Each heading gets its anchor, and a link to itself where it holds none."""
    part: Part | None = None
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            inline = tokens[index + 1]
            anchor = slug(inline.content)
            token.attrSet("id", anchor)
            part = Part(int(token.tag[1]), _plain(inline), anchor)
            _link_to_itself(inline, anchor)
            yield part
        elif part and token.type in ("inline", "fence") and tokens[index - 1].type != "heading_open":
            part.words.append(_plain(token))


def _plain(token: Token) -> str:
    if token.children is None:
        return " ".join(token.content.split())
    return "".join(child.content or " " for child in token.children)


def _link_to_itself(inline: Token, anchor: str) -> None:
    children = inline.children or []
    if not any(child.type == "link_open" for child in children):
        opened = Token("link_open", "a", 1, attrs={"href": f"#{anchor}", "class": "self"})
        inline.children = [opened, *children, Token("link_close", "a", -1)]


def _adapt(token: Token, source: PurePosixPath) -> None:
    if token.type == "fence":
        _block(token)
    elif token.type in ("table_open", "table_close"):
        _scrolling(token)
    elif token.type == "th_open":
        token.attrSet("scope", "col")
    for index, child in enumerate(token.children or ()):
        if child.type == "link_open":
            _lead(child, (token.children or [])[index:], source)


def _block(token: Token) -> None:
    """A block of code that the keyboard can scroll, below the name of its file where it has one."""
    title = next((word.removeprefix("title=") for word in token.info.split() if word.startswith("title=")), "")
    head = Markup('<p class="file"><code>{}</code></p>\n').format(title) if title else Markup("")
    token.type, token.content = "html_block", f'{head}<pre tabindex="0"><code>{escape(token.content)}</code></pre>\n'


def _scrolling(token: Token) -> None:
    """A table that scrolls by itself where the screen is narrow."""
    opens = '<div class="wide" role="group" aria-label="Table" tabindex="0">\n<table>\n'
    token.type, token.content = "html_block", opens if token.type == "table_open" else "</table>\n</div>\n"


def _lead(link: Token, rest: Sequence[Token], source: PurePosixPath) -> None:
    """A link to the page of its target. A file of the repository that is no page is named and not linked."""
    path, sign, anchor = str(link.attrs.get("href", "")).partition("#")
    if "://" in path or not path:
        return
    target = (FOLDER / source.parent / path).resolve()
    if target.is_relative_to(FOLDER) and (target.suffix == ".md" or target.is_dir()):
        link.attrSet("href", f"{page_of(PurePosixPath(target.relative_to(FOLDER).as_posix()))}{sign}{anchor}")
        return
    close = next(token for token in rest if token.type == "link_close")
    for part in (link, close):
        part.type, part.tag, part.attrs = "html_inline", "", {}
        part.content = ""
