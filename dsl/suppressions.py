"""The comments of a file turned into what they allow: `# newel: allow NW505 because refused tasks stay`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from newel.dsl.findings import Edit, Fix
from newel.dsl.source import Span
from newel.dsl.tree import Broken, Comment, File, Fragment, Scenario, Workflow

_OURS = re.compile(r"#+[ \t]*newel:[ \t]*", re.IGNORECASE)
_ALLOW = re.compile(r"allow[ \t]+(?P<codes>[\w-]+(?:[ \t]*,[ \t]*[\w-]+)*)(?:[ \t]+because\b[ \t]*(?P<reason>.*))?\s*")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One code that a comment allows, "" where the comment cannot be read; `reason` is "" where it gives none.

    `lines` are those on which it is allowed: the comment's own, and for a comment that stands alone the next line that
    is no comment, or all of the declaration that begins there.
    """

    code: str
    reason: str
    span: Span
    lines: tuple[int, ...]

    def removed(self) -> Fix | None:
        """What takes the code out of the comment, or the comment out of the file where it allows no other."""
        source, start, end = self.span.source, self.span.start, self.span.end
        allow = _ALLOW.search(source.text, start, end)
        codes = _codes(allow["codes"]) if allow else []
        if allow is None or codes.count(self.code) != 1:
            return None
        if len(codes) > 1:
            left = ", ".join(code for code in codes if code != self.code)
            return Fix(f"remove `{self.code}`", (Edit(Span(source, *allow.span("codes")), left),))
        margin = source.text.rfind("\n", 0, start) + 1
        if source.text[margin:start].strip():  # behind a statement
            start = margin + len(source.text[margin:start].rstrip())
        elif (stop := source.text.find("\n", end)) >= 0:
            start, end = margin, stop + 1
        return Fix("remove the comment", (Edit(Span(source, start, end), ""),))


def suppressions(file: File) -> list[Suppression]:
    """What the comments of a file allow, in the order of the text."""
    if "newel:" not in file.source.text.lower():
        return []
    return [suppression for comment in file.comments for suppression in _read(comment, file)]


def _read(comment: Comment, file: File) -> Iterator[Suppression]:
    ours = _OURS.match(comment.text)
    if ours is None:
        return
    allow = _ALLOW.fullmatch(comment.text, ours.end())
    codes = _codes(allow["codes"]) if allow else [""]
    reason = (allow["reason"] or "").strip() if allow else ""
    lines = tuple(_lines(comment, file))
    for code in codes:
        yield Suppression(code, reason, file.span(comment), lines)


def _codes(written: str) -> list[str]:
    return re.split(r"[ \t]*,[ \t]*", written)


def _lines(comment: Comment, file: File) -> Iterator[int]:
    source = file.source
    line = source.line_of(comment.start)
    yield line
    if comment.own_line:
        line += 1
        while line < source.lines and source.line(line).lstrip().startswith("#"):
            line += 1
        if line <= source.lines:
            yield from range(line, _end(line, file) + 1)


def _end(line: int, file: File) -> int:
    """The last line of the declaration that begins on a line; the line itself where none does, or a block."""
    source = file.source
    for item in file.items:
        if source.line_of(item.start) == line and not isinstance(item, Workflow | Fragment | Scenario | Broken):
            return source.line_of(item.end)
    return line
