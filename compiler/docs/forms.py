"""The forms of documentation. A new one is a line in `FORMS`, its escaping in `render`, and its templates."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """One form: its name on the command line, the ending of its pages, the page that is opened first, and how the last
    line of a file says that it was written by us."""

    name: str
    suffix: str
    index: str
    mark: str


_MARK = "<!-- written by newel docs -->"
HTML = Form("html", ".html", "index", _MARK)
MARKDOWN = Form("markdown", ".md", "README", _MARK)
SCRIPT = Form("script", ".js", "", "// written by newel docs")
"""The files beside the pages of HTML that make its search; nothing a user chooses."""

FORMS = (HTML, MARKDOWN)


def form(name: str) -> Form:
    """The form of a name. Raises KeyError."""
    return {each.name: each for each in FORMS}[name]


def of_file(name: str) -> Form:
    """The form of a file, by its ending. Raises KeyError for a file that no form has."""
    return {each.suffix: each for each in (*FORMS, SCRIPT)}[name[name.rindex(".") :] if "." in name else ""]
