"""Bytes or a path to a Source, or to the one finding that says why there is none."""

from __future__ import annotations

from pathlib import Path

from newel.dsl.findings import Finding
from newel.dsl.limits import DEFAULT, Limits
from newel.dsl.rules import NOT_UTF8, OVER_LIMIT
from newel.dsl.source import Source, Span

BOM = b"\xef\xbb\xbf"
OTHER_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def read_source(path: Path, shown: str, limits: Limits = DEFAULT) -> Source | Finding:
    """The text of a file, under the path it is shown by. Raises OSError where the file cannot be read."""
    with path.open("rb") as file:
        return decode(file.read(limits.bytes + 1), shown, limits)


def decode(data: bytes, shown: str, limits: Limits = DEFAULT) -> Source | Finding:
    """The text of bytes: UTF-8, a byte order mark skipped. The place of the finding is that of the first wrong byte."""
    if len(data) > limits.bytes:
        fields = {"what": "file", "limit": limits.bytes, "unit": "bytes"}
        return Finding(OVER_LIMIT, Span(Source(shown, ""), 0, 0), fields)
    for mark, name in OTHER_MARKS:
        if data.startswith(mark):
            return _refused(shown, "", 0, f"it is {name}")
    bom = len(BOM) if data.startswith(BOM) else 0
    try:
        text = data[bom:].decode("utf-8")
    except UnicodeDecodeError as error:
        good = data[bom : bom + error.start].decode("utf-8")
        return _refused(shown, good, bom, f"the byte 0x{data[bom + error.start]:02X} is none")
    nul = text.find("\0")
    return Source(shown, text, bom) if nul < 0 else _refused(shown, text[:nul], bom, "it holds a NUL character")


def _refused(shown: str, good: str, bom: int, what: str) -> Finding:
    source = Source(shown, good + "\ufffd", bom)
    return Finding(NOT_UTF8, Span(source, len(good), len(good) + 1), {"what": what})
