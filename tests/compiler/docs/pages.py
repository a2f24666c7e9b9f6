"""A page as a browser takes it in: its elements, ids and links, read with the parser of the standard library."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from newel.compiler.docs.render import pages
from newel.compiler.docs.view import site
from newel.compiler.program import Program

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}
BLOCKS = {"li", "p", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "summary", "pre"}
SVG_OPEN = {"rect", "path", "polygon", "circle"}


@dataclass
class Page(HTMLParser):
    """What stands on a page. `open` is not empty where an element was not closed."""

    text: str
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), (tag, attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SVG_OPEN
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag in BLOCKS:
            self.said.append(" ")

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["script"]):
            self.said.append(data)

    @property
    def ids(self) -> list[str]:
        """All ids, in order."""
        return [attributes["id"] or "" for _, attributes in self.elements if "id" in attributes]

    @property
    def links(self) -> list[str]:
        """Where its links lead."""
        return [attributes["href"] or "" for tag, attributes in self.elements if tag == "a" and "href" in attributes]

    @property
    def words(self) -> str:
        """Its text on one line."""
        return " ".join("".join(self.said).split())

    def part(self, anchor: str) -> Page:
        """The part that has an id, up to the end of its article."""
        begin = self.text.index(f'id="{anchor}"')
        start = self.text.rindex("<article", 0, begin)
        return Page(self.text[start : self.text.index("</article>", start) + len("</article>")])


def rendered(program: Program) -> dict[str, Page]:
    """All pages of a program by the names of their files."""
    return {name: Page(text) for name, text in pages(site(program)).items()}


def alone(program: Program) -> dict[str, Page]:
    """The pictures beside the pages by the names of their files."""
    found = (each["picture"] for each in site(program)["workflows"])
    return {each["file"]: Page(each["whole"]) for each in found}


def read(folder: Path) -> dict[str, str]:
    """The files of a folder."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
