"""The forms of documentation. A new one is a line in `FORMS`, its escaping in `render`, and its templates."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """One form: its name on the command line, the ending of its pages, the page that is opened first, and between what
    the last line of a file says that it was written by us."""

    name: str
    suffix: str
    index: str
    comment: tuple[str, str]


_COMMENT = ("<!-- ", " -->")
HTML = Form("html", ".html", "index", _COMMENT)
MARKDOWN = Form("markdown", ".md", "README", _COMMENT)
SCRIPT = Form("script", ".js", "", ("// ", ""))
PICTURE = Form("picture", ".svg", "", _COMMENT)

BESIDE = (SCRIPT, PICTURE)
"""The files beside the pages of HTML: its search, and the pictures alone; nothing a user chooses."""

FORMS = (HTML, MARKDOWN)


def form(name: str) -> Form:
    """The form of a name. Raises KeyError."""
    return {each.name: each for each in FORMS}[name]


def of_file(name: str) -> Form:
    """The form of a file, by its ending. Raises KeyError for a file that no form has."""
    return {each.suffix: each for each in (*FORMS, *BESIDE)}[name[name.rindex(".") :] if "." in name else ""]
