"""Kandev's portable form, version 1: any number of workflows, their steps named by positions."""

from __future__ import annotations

from newel.compiler.imports.board_rules import SAME_TITLE
from newel.compiler.imports.document import Document, Mapping, Node, Scalar, kind_of
from newel.compiler.imports.document_rules import KEY_NOT_CARRIED, UNKNOWN_FORMAT
from newel.compiler.imports.draft import Workflow
from newel.compiler.imports.formats import Format
from newel.compiler.imports.names import Names
from newel.compiler.imports.reading import Reading
from newel.compiler.imports.tables import PORTABLE
from newel.compiler.imports.workflows import workflow_of

_TYPE = "kandev_workflow"
ENVELOPE: dict[str, str | int] = {"version": 1, "type": _TYPE}
_KEYS = (*ENVELOPE, "workflows")


def matches(document: Mapping) -> bool:
    """An export says what it is, or at least holds workflows."""
    named = document.raw("type")
    return document.raw("workflows") is not None or (isinstance(named, Scalar) and named.text == _TYPE)


def read(reading: Reading, document: Mapping) -> list[Workflow]:
    """All its workflows, in the order of the file."""
    if not _envelope(reading, document):
        return []
    nodes = reading.maps("workflows", document.raw("workflows"))
    if not nodes:
        reading.missing("workflows", document, "the export")
    workflows: list[Workflow] = []
    names = Names("workflow")
    titles: dict[str, Node] = {}
    for node in nodes:
        workflow = workflow_of(reading, PORTABLE, node, names)
        workflows.append(workflow)
        at = node.raw("name") or node
        first = titles.setdefault(workflow.title, at)
        if first is not at:
            title = f"`{workflow.title}`"
            reading.report(SAME_TITLE, at, first=first, what="workflows", title=title, name=workflow.name)
    return workflows


def _envelope(reading: Reading, document: Mapping) -> bool:
    for key, _ in document.pairs:
        if key.text not in _KEYS:
            why, hint = "an export has no such key", reading.nearest(key.text, _KEYS)
            reading.report(KEY_NOT_CARRIED, key, hint=hint, key=key.text, owner="the export", why=why)
    good = [_is(reading, document, key, wanted) for key, wanted in ENVELOPE.items()]
    return all(good)


def _is(reading: Reading, document: Mapping, key: str, wanted: str | int) -> bool:
    node: Document | None = document.raw(key)
    value = node.value if isinstance(node, Scalar) else None
    if value == wanted and not isinstance(value, bool):
        return True
    found = "missing" if node is None else kind_of(node)
    reading.report(UNKNOWN_FORMAT, node or document, why=f"`{key}` must be `{wanted}`, and is {found}")
    return False


KANDEV_PORTABLE = Format("kandev", "Kandev export, version 1", matches, read)
