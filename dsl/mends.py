"""Slips of the form to fixes: what stands where, instead of what was written.

Each is what the reader took the slip for, so that the mended text means what the text was read as.
"""

from __future__ import annotations

import re

from newel.dsl.findings import Edit, Fix
from newel.dsl.skip import indent, line_end
from newel.dsl.source import Source, Span

BLANKS = re.compile(r"[ \t]*")


def replaced(source: Source, start: int, end: int, text: str, message: str) -> Fix:
    """One stretch, and what stands there instead."""
    return Fix(message, (Edit(Span(source, start, end), text),))


def word_for_sign(source: Source, start: int, end: int, meant: str, message: str) -> Fix:
    """`a&&b` to `a and b`: a word needs the blanks that a sign does without."""
    if meant.isalpha():
        before, after = source.text[max(0, start - 1) : start], source.text[end : end + 1]
        meant = f"{' ' if before.isalnum() or before in ('_', ')') else ''}{meant}{'' if after.isspace() else ' '}"
    return replaced(source, start, end, meant, message)


def sign_left_out(source: Source, start: int, end: int, message: str) -> Fix | None:
    """`color = "x"` to `color "x"`; none where no value follows on the line."""
    rest = BLANKS.match(source.text, end)
    stop = rest.end() if rest else end
    if stop >= line_end(source.text, end) or source.text[stop] in "#}\r":
        return None
    blank = source.text[max(0, start - 1) : start] in (" ", "\t")
    return replaced(source, start, stop, "" if blank else " ", message)


def line_broken(source: Source, start: int) -> Fix:
    """`hidden; start` to two lines; a `;` at the end of a line, or of a block, goes."""
    rest = BLANKS.match(source.text, start + 1)
    stop = rest.end() if rest else start + 1
    if stop >= line_end(source.text, start) or source.text[stop] in "#}\r":
        return replaced(source, start, start + 1, "", "remove it")
    margin = source.line(source.line_of(start))[: indent(source.text, start)]
    return replaced(source, start, stop, f"\n{margin}", "break the line here")


def comments_demoted(source: Source, starts: list[int]) -> Fix:
    """`##` to `#`."""
    return Fix("write `#`", tuple(Edit(Span(source, start, start + 2), "#") for start in starts))


def comment_sign(source: Source, start: int) -> Fix:
    """`// so` to `# so`."""
    end = start
    while source.text[end : end + 1] == "/":
        end += 1
    blank = " " if source.text[end : end + 1] == "#" else ""
    return replaced(source, start, end, f"#{blank}", "write `#`")
