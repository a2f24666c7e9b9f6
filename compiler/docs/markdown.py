"""Text of a user's to text that can stand in Markdown: every sign that acts there, or in HTML inside it, is escaped."""

from __future__ import annotations

import re
from urllib.parse import quote

from markupsafe import Markup, escape

_ACTS = re.compile(r"[\\`*_\[\]#|~!$@{}^]|:(?=\S)|(?<=www)\.|^(?:[-+=]|\d+[.)])", re.IGNORECASE)
_TICKS = re.compile(r"`+")


def escaped(text: str) -> Markup:
    """The text on one line, as text."""
    flat = " ".join(text.split())
    return Markup(str(escape(_ACTS.sub(_backslashed, flat))).replace("&#39;", "'"))  # noqa: S704 - escaped just here


def _backslashed(found: re.Match[str]) -> str:
    """The sign behind a backslash; of a number that would begin a list, its last sign."""
    return f"{found[0][:-1]}\\{found[0][-1]}"


def code(text: str) -> Markup:
    """The text as code, on one line. In a span of Markdown where that takes it as it is, also in a table."""
    flat = " ".join(text.split())
    if not flat:
        return Markup("")
    if "`" in flat or "|" in flat:
        return Markup("<code>{}</code>").format(escaped(flat))
    return Markup(f"`{flat}`")  # noqa: S704 - nothing acts in a span, and no sign of it ends it


def html(text: str) -> Markup:
    """The text on one line inside of an element that begins a line: there nothing of Markdown is read."""
    return escape(" ".join(text.split()))


def fenced(text: str, language: str = "text") -> Markup:
    """The text as a block of code, every line as it is."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markup("\n").join(map(Markup, (f"{fence}{language}", text.rstrip("\n"), fence)))


def prose(text: str) -> Markup:
    """A text in paragraphs, what stands between backticks as code."""
    paragraphs = (part for part in text.split("\n\n") if part.strip())
    return Markup("\n\n").join(map(said, paragraphs))


def said(text: str) -> Markup:
    """A text on one line, what stands between backticks as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escaped(text)
    return Markup("").join(_spaced(part, index % 2 == 1, index == 0) for index, part in enumerate(parts))


def _spaced(part: str, is_code: bool, first: bool) -> Markup:
    """A part of a line, with the blanks at its ends."""
    if is_code:
        return code(part)
    before = "" if first or not part[:1].isspace() else " "
    after = " " if part.strip() and part[-1:].isspace() else ""
    shown = escaped(part) if first else escaped(f"x{part.lstrip()}")[1:]  # only a line's beginning can begin a list
    return Markup(before) + shown + Markup(after)  # noqa: S704 - only blanks are added


def address(href: str) -> Markup:
    """An address of ours as it may stand in a link."""
    return Markup(quote(href, safe="/#.-_~"))  # noqa: S704 - no sign that acts is left


def tidy(page: str) -> str:
    """A page without blank lines after blank lines, outside of blocks of code."""
    kept: list[str] = []
    fence = ""
    for row in page.lstrip("\n").split("\n"):
        if fence:
            fence = "" if row == fence else fence
        elif row.startswith("```"):
            fence = row[: len(row) - len(row.lstrip("`"))]
        elif not row.strip() and kept and not kept[-1].strip():
            continue
        kept.append(row)
    return "\n".join(kept)
