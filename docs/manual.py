"""The pages of this manual to a site of HTML that opens from disk: `make docs` writes it.

The frame, the style and the search are those of `newel docs`; an example of what that writes stands beside the manual.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from docs.written import FOLDER, HOME, Written, page_of, written

from newel.compiler import compile_files
from newel.compiler.counting import counted
from newel.compiler.docs import render_docs
from newel.compiler.docs.forms import HTML
from newel.compiler.docs.marks import signed
from newel.compiler.docs.render import environment
from newel.compiler.docs.search import Entry, searching
from newel.compiler.docs.writing import write
from newel.compiler.version import __version__

EXAMPLE = "example"
_EXAMPLES = [FOLDER.parent / "examples" / f"{name}.newel" for name in ("office", "release")]


@dataclass(frozen=True)
class Section:
    """Pages that are for one purpose, as the first page lists them."""

    title: str
    pages: Sequence[Written]


def pages() -> Mapping[str, Written]:
    """Every page of the manual by its file, and one that lists the decisions."""
    sources = [PurePosixPath(path.relative_to(FOLDER).as_posix()) for path in sorted(FOLDER.rglob("*.md"))]
    texts = {source: (FOLDER / source).read_text("utf-8") for source in sources}
    listed = "".join(f"- [{_title(text)}]({source})\n" for source, text in texts.items() if source.parent == _DECISIONS)
    texts[_DECISIONS] = f"# Decisions\n\nWhy it was built so.\n\n{listed}"
    found = (written(source, text) for source, text in texts.items())
    return {each.page: each for each in found}


def _title(text: str) -> str:
    return next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))


def sections(found: Mapping[str, Written]) -> list[Section]:
    """The pages in the order of the first one, the decisions after them."""
    text = (FOLDER / "index.md").read_text("utf-8")
    listed = [
        Section(title, [found[page_of(PurePosixPath(name))] for name in _LINKS.findall(body) if name.endswith(".md")])
        for title, body in _SECTIONS.findall(text)
    ]
    decided = page_of(_DECISIONS)
    rest = [page for page in sorted(found) if page.startswith(f"{_DECISIONS}-")]
    listed.append(Section(found[decided].title, [found[page] for page in (decided, *rest)]))
    told = {HOME, *(each.page for section in listed for each in section.pages)}
    more = [found[page] for page in sorted(found) if page not in told]
    return [*listed, Section("More", more)] if more else listed


_SECTIONS = re.compile(r"^## (.+)\n\n((?:.+\n?)+)", re.MULTILINE)
_LINKS = re.compile(r"^- \[.+?\]\((.+?)\)", re.MULTILINE)
_DECISIONS = PurePosixPath("decisions")


def rendered() -> Mapping[str, str]:
    """The text of every file of the site, by its name."""
    found = pages()
    listed = sections(found)
    turns = list(dict.fromkeys([HOME, *(each.page for section in listed for each in section.pages)]))
    template = environment(own=FOLDER / "templates").get_template("manual.html.jinja")
    shared = {"sections": listed, "home": HOME, "example": f"{EXAMPLE}/index.html", "version": __version__}
    files = {
        page: template.render(
            shared,
            page=page,
            shown=found[page],
            before=found[turns[at - 1]] if at else None,
            after=found[turns[at + 1]] if at + 1 < len(turns) else None,
        )
        for at, page in enumerate(turns)
    }
    files |= searching(entry for page in turns for entry in entries(found[page]))
    return {name: signed(name, text) for name, text in files.items()}


def entries(page: Written) -> Iterator[Entry]:
    for part in page.headings:
        first = part.level == 1
        sort = "page" if first else page.title
        href = page.page if first else f"{page.page}#{part.anchor}"
        yield part.text, part.anchor, sort, href, " ".join(part.words), _rest(page) if first else ""


def _rest(page: Written) -> str:
    """The words of a whole page, each once: what is looked for may stand in two of its sections."""
    words = (word for part in page.headings for word in _WORDS.findall(f"{part.text} {' '.join(part.words)}".lower()))
    return " ".join(dict.fromkeys(words))


_WORDS = re.compile(r"[\w.-]*\w")


def build(out: Path) -> list[Path]:
    """The files written under a folder: the manual, and the documentation of the examples in a folder of its own."""
    compiled = compile_files(_EXAMPLES)
    return [*write(rendered(), out, HTML), *render_docs(compiled.require(), out / EXAMPLE, pieces=compiled.pieces)]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    made = [path for path in build(folder) if path.suffix == HTML.suffix]
    print(f"wrote {counted(len(made), 'page')}; open {folder / HOME}")  # noqa: T201 - what the command is for
