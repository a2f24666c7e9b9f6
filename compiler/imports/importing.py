"""The file of another program to the text of a `.newel` file, with a report of all that is not the same in it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from newel.compiler.imports.document import Document, Mapping, Node
from newel.compiler.imports.document_rules import IMPORT_TOO_LARGE, NOT_UTF8, UNKNOWN_FORMAT
from newel.compiler.imports.draft import Draft
from newel.compiler.imports.formats import Format
from newel.compiler.imports.kandev_portable import KANDEV_PORTABLE
from newel.compiler.imports.kandev_template import KANDEV_TEMPLATE
from newel.compiler.imports.layout import layout
from newel.compiler.imports.loading import Stop, load
from newel.compiler.imports.reading import Reading
from newel.dsl.findings import Finding
from newel.dsl.limits import BYTES, LINES
from newel.dsl.source import Source, Span

IMPORTS: tuple[Format, ...] = (
    KANDEV_PORTABLE,
    KANDEV_TEMPLATE,
)
"""Every format that can be imported; the first that recognises a document reads it."""

STANDARD_PLACEHOLDERS = ("task_prompt", "task_id")
"""Those that the standard vocabulary declares; a test compares."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import: the text of a file, None where there are errors, and the findings in the order of the
    source. `format` is the name of the format, None where none was recognised."""

    text: str | None
    findings: tuple[Finding, ...]
    format: str | None = None


def import_file(path: str | Path) -> Imported:
    """The file at a path, imported. Raises `OSError` where it cannot be read."""
    file = Path(path)
    with file.open("rb") as stream:
        data = stream.read(BYTES + 1)
    if len(data) > BYTES:
        source = Source(file.as_posix(), "")
        fields = {"what": f"more than {BYTES} bytes", "most": f"{BYTES} bytes"}
        return Imported(None, (Finding(IMPORT_TOO_LARGE, Span(source, 0, 0), fields),))
    return import_text(data, file.as_posix())


def import_text(text: str | bytes, path: str = "<text>") -> Imported:
    """A text, or the bytes of one, imported; `path` is what findings name it by."""
    if isinstance(text, bytes):
        return _decoded(text, path)
    return _imported(Source(path, text.removeprefix("\ufeff"), 3 if text.startswith("\ufeff") else 0))


def _decoded(data: bytes, path: str) -> Imported:
    bom = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    try:
        text = data[bom:].decode("utf-8")
    except UnicodeDecodeError as error:
        readable = data[bom : bom + error.start].decode("utf-8")
        source = Source(path, readable + data[bom + error.start :].decode("latin-1"), bom)
        at = len(readable)
        return Imported(None, (Finding(NOT_UTF8, Span(source, at, at + 1)),))
    return _imported(Source(path, text, bom))


def _imported(source: Source) -> Imported:
    document, findings = load(source)
    reading = Reading(source, STANDARD_PLACEHOLDERS, findings)
    failed = any(finding.rule.severity == "error" for finding in findings)
    chosen = None if failed else _format(reading, document)
    text = None
    if chosen and isinstance(document, Mapping):
        with suppress(Stop):
            draft = Draft(workflows=chosen.read(reading, document), placeholders=list(reading.placeholders))
            text = _within_limits(reading, layout(draft))
    return _reported(reading, text, chosen)


def _format(reading: Reading, document: Document | None) -> Format | None:
    if isinstance(document, Mapping):
        found = next((format_ for format_ in IMPORTS if format_.matches(document)), None)
        if found:
            return found
    other = "it is no map" if document else "the file is empty"
    why = "it has neither `steps` nor `workflows`" if isinstance(document, Mapping) else other
    reading.report(UNKNOWN_FORMAT, document or Node(0, 0), why=why)
    return None


def _within_limits(reading: Reading, text: str) -> str:
    size, lines = len(text.encode("utf-8")), text.count("\n") + 1
    if size > BYTES or lines > LINES:
        what = f"become a file of {size} bytes and {lines} lines"
        reading.report(IMPORT_TOO_LARGE, Node(0, 0), what=what, most=f"{BYTES} bytes and {LINES} lines")
    return text


def _reported(reading: Reading, text: str | None, chosen: Format | None) -> Imported:
    findings = sorted(reading.findings, key=lambda finding: (finding.span.start, finding.rule.code, finding.message))
    failed = any(finding.rule.severity == "error" for finding in findings)
    return Imported(None if failed else text, tuple(findings), chosen.name if chosen else None)
