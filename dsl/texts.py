"""A text as written - in quotes, or long between fences - to its value, and back to places in the file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from newel.dsl.findings import Rule
from newel.dsl.rules import BAD_ESCAPE, TEXT_MARGIN
from newel.dsl.tree import Text

BAD_CODE = re.compile(r"[\x00\ud800-\udfff]")
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|.)")
OPENER = re.compile(r'\n[^\n"]*[^\s"][ \t]*"{3,}[ \t]*\r?\n')
FENCE = re.compile(r'"{3,}')


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong inside a text that could be read all the same."""

    rule: Rule
    start: int
    end: int
    fields: Mapping[str, object] = field(default_factory=dict)
    hint: str | None = None


def read_text(source: str, start: int, end: int, faults: list[Fault]) -> Text:
    """The text between two places of a file; what is wrong with it is added to `faults`."""
    if source.startswith('"""', start):
        return _long(source, start, end, faults)
    value = source[start + 1 : end - 1]
    if "\\" in value:
        value = json.loads(source[start:end])
        if BAD_CODE.search(value):
            value = _without_bad_codes(source, start, end, value, faults)
    return Text(start, end, value, False, start + 1)


def _without_bad_codes(source: str, start: int, end: int, value: str, faults: list[Fault]) -> str:
    """The value with U+FFFD for what is no character: half a surrogate pair, or NUL."""
    half: re.Match[str] | None = None
    for escape in ESCAPE.finditer(source, start + 1, end - 1):
        code = int(escape[1], 16) if escape[1] else -1
        pair = half is not None and half.end() == escape.start() and 0xDC00 <= code <= 0xDFFF
        if half is not None and not pair:
            faults.append(_bad(half))
        half = escape if 0xD800 <= code <= 0xDBFF else None
        if code == 0 or (0xDC00 <= code <= 0xDFFF and not pair):
            faults.append(_bad(escape))
    if half is not None:
        faults.append(_bad(half))
    return BAD_CODE.sub("\ufffd", value)


def _bad(escape: re.Match[str]) -> Fault:
    hint = "leave it out" if int(escape[1], 16) == 0 else "write both halves of the pair, or the character itself"
    return Fault(BAD_ESCAPE, escape.start(), escape.end(), {"escape": escape[0]}, hint)


def _long(source: str, start: int, end: int, faults: list[Fault]) -> Text:
    """A long text: the lines between the fences, without the white space that stands before the closing one."""
    body = source.index("\n", start) + 1
    close = source.rfind("\n", start, end) + 1
    margin = source[close:end].rstrip('"')
    lines = []
    at = body
    while at < close:
        stop = source.index("\n", at)
        line = source[at:stop].removesuffix("\r")
        lines.append(_take_off(margin, line, at, faults))
        at = stop + 1
    return Text(start, end, "\n".join(lines), True, body)


def _take_off(margin: str, line: str, at: int, faults: list[Fault]) -> str:
    if line.startswith(margin):
        return line[len(margin) :]
    inner = line.lstrip(" \t")
    if inner and not faults:
        indent = len(line) - len(inner)
        mixed = "\t" in line[:indent] + margin and " " in line[:indent] + margin
        hint = "indent all lines alike: here tabs and spaces are mixed" if mixed else None
        faults.append(Fault(TEXT_MARGIN, at, at + max(indent, 1), {"width": len(margin), "found": indent}, hint))
    return inner


def runs_on(source: str, start: int, end: int) -> bool:
    """Whether a long text lacks its closing fence and has found that of a later one: another begins inside it, after
    a line that is indented no deeper than its first."""
    opener = OPENER.search(source, start + 3, end)
    if opener is None:
        return False
    line = source[source.rfind("\n", 0, start) + 1 : start]
    margin = len(line) - len(line.lstrip(" \t"))
    shallow = re.compile(rf'\n[ \t]{{0,{margin}}}[^\s"]').search(source, start, opener.end())
    return shallow is not None


def place_in(text: Text, index: int, source: str) -> int:
    """Where a character of a text's value stands in the file."""
    return _place_in_long(text, index, source) if text.long else _place_in_quotes(text, index, source)


def _place_in_quotes(text: Text, index: int, source: str) -> int:
    at = text.body
    while index > 0 and at < text.end - 1:
        escape = ESCAPE.match(source, at)
        width = len(escape[0]) if escape else 1
        if escape and escape[1] and 0xD800 <= int(escape[1], 16) <= 0xDBFF:
            width = 12
        at += width
        index -= 1
    return at


def _place_in_long(text: Text, index: int, source: str) -> int:
    fence = FENCE.match(source, text.start)
    closing = source.rfind("\n", text.start, text.end) + 1
    margin = source[closing : text.end - len(fence[0] if fence else "")]
    at = text.body
    for line in text.value[:index].split("\n")[:-1]:
        index -= len(line) + 1
        at = source.index("\n", at) + 1
    if source.startswith(margin, at):
        return at + len(margin) + index
    stop = source.find("\n", at)
    return at + len(source[at:stop]) - len(source[at:stop].lstrip(" \t")) + index
